// What stands about the spatial picture: choice of colours and views, the colour bar, keys, readings, values pointed at.

function spacePicture(host, clock) {
  const scene = new Space(host, page.scene, clock);
  fieldChoice(scene);
  views(scene);
  spaceKeys(scene);
  scene.themed = () => spaceKeys(scene);
  pointing(scene);
  return scene;
}

// Buttons of which one is pressed.
function choice(host, named, pressed, act) {
  const buttons = named.map(([value, text]) => tag("button", { type: "button", "aria-pressed": value === pressed }, text));
  buttons.forEach((button, k) => button.addEventListener("click", () => {
    for (const other of buttons) other.setAttribute("aria-pressed", other === button);
    act(named[k][0]);
  }));
  host.replaceChildren(...buttons);
  host.hidden = buttons.length < 2;
}

function fieldChoice(scene) {
  const named = scene.described.fields.map((one) => [one.name, one.title]);
  choice(document.getElementById("fields"), named, scene.field, (field) => { scene.colour(field); colourBar(scene); });
  colourBar(scene);
}

// Ways to look: at the whole from the corner, and along each axis.
function views(scene) {
  const named = [["corner", "3D"], ["x", "x"], ["y", "y"], ["z", "z"]];
  choice(document.getElementById("views"), named, "corner", (view) => scene.look(view));
}

// The colours of the field with the values they stand for.
function colourBar(scene) {
  const host = document.getElementById("ramp"), field = scene.described.fields.find((one) => one.name === scene.field);
  host.hidden = !field;
  if (!field) return;
  const stops = scene.described.colours.map(([place, colour]) => draw("stop", { offset: place, "stop-color": colour }));
  const named = { role: "img", "aria-label": `Colours of ${field.title.toLowerCase()}, dark to bright` };
  const bar = draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", ...named },
    draw("linearGradient", { id: "field-colours" }, ...stops),
    draw("rect", { width: 100, height: 10, fill: "url(#field-colours)" }));
  const most = field.most * field.scale, { places, text } = ticks(0, most, 5);
  const marks = places.map((place) => {
    const mark = tag("span", {}, text(place));
    mark.style.left = `${(100 * place) / most}%`;
    return mark;
  });
  const told = field.times && field.times.length < field.told
    ? ` · at ${field.times.length} of ${field.told} output times` : "";
  const title = tag("p", {}, `${field.title} [${field.unit}]`, tag("small", {}, `${told} · highest ${plain(most)}`));
  host.replaceChildren(title, bar, tag("div", { class: "marks" }, ...marks));
}

// Surfaces to be shown, seen through or hidden; what lines and arrows are.
const LOOKS = { solid: "through", through: "hidden", hidden: "solid" };
const LOOK_WORDS = { solid: "solid", through: "seen through", hidden: "hidden" };

function spaceKeys(scene) {
  const { ligaments, strain, contact_force: contact, load_force: load, paths: tracks, springs, bodies } = scene.described;
  const swatch = (kind, width = 3) => {
    const path = draw("path", { d: "M2 8H20", stroke: `var(--${kind})`, "stroke-width": width, fill: "none" });
    return draw("svg", { width: 22, viewBox: "0 0 22 16", "aria-hidden": "true" }, path);
  };
  const items = scene.surfaces.map((one) => surfaceButton(scene, one));
  if (ligaments.length) items.push(tag("span", {}, tag("span", {}, "Strain 0"), rampKey("strain-ramp"), topOfScale(ligaments, strain)));
  if (springs.some((one) => !one.turns)) items.push(tag("span", {}, swatch("spring"), "spring"));
  if (contact > 0) items.push(tag("span", {}, swatch("contact", 4), `contact force, up to ${plain(contact)} N`));
  if (load > 0) items.push(tag("span", {}, swatch("load", 4), `applied force, up to ${plain(load)} N`));
  if (tracks.length) items.push(tag("span", {}, swatch("path", 4), "centre of pressure"));
  if (bodies.some((body) => body.bare)) {
    const axes = ["x", "y", "z"].flatMap((axis) => [swatch(`axis-${axis}`), axis]);
    items.push(tag("span", {}, ...axes, " of bodies without a surface"));
  }
  const drawn = scene.surfaces.reduce((sum, one) => sum + one.count, 0);
  const told = scene.surfaces.reduce((sum, one) => sum + one.faces_told, 0);
  if (drawn < told) items.push(tag("span", {}, `${drawn.toLocaleString("en")} of ${told.toLocaleString("en")} faces drawn`));
  document.getElementById("keys").replaceChildren(...items);
}

function surfaceButton(scene, one) {
  const mark = tag("i", { class: "patch" });
  const button = tag("button", { type: "button", class: "part", "data-surface": one.name }, mark, one.name);
  const tell = () => {
    button.dataset.look = one.look;
    button.title = `${one.name}: ${LOOK_WORDS[one.look]}; click for ${LOOK_WORDS[LOOKS[one.look]]}`;
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => { scene.show(one, LOOKS[one.look]); tell(); });
  tell();
  return button;
}

function spaceRows(scene, clock) {
  const { contacts, loads, springs, drivers, joints } = scene.described;
  return [
    ...scene.ligaments.map((one) => ligamentRow(scene, clock, one)),
    ...contacts.map((one) => {
      const peak = one.peak === null ? () => "" : scaled(one.peak, 1e-6, "MPa peak");
      return row(glyph("contact"), one.name, [peak, scaled(one.force, 1, "N")]);
    }),
    ...joints.map((one) => row(glyph("joint"), one.name, [() => "", scaled(one.force, 1, "N")])),
    ...drivers.map((one) => row(glyph("drive"), one.name, [() => "", scaled(one.effort, 1, one.unit)])),
    ...springs.map((one) => {
      const extent = one.turns ? scaled(one.extent, 180 / Math.PI, "°") : scaled(one.extent, 1e3, "mm");
      return row(springGlyph(), one.name, [extent, scaled(one.effort, 1, one.unit)]);
    }),
    ...loads.map((one) => {
      const torque = one.torque === null ? () => "" : scaled(one.torque, 1, "N m");
      return row(glyph("load"), one.name, [torque, scaled(one.force, 1, "N")]);
    }),
  ];
}

// What lies under the pointer: a surface with the value there, a ligament with its strain.
function pointing(scene) {
  const tip = tag("div", { class: "tip", hidden: true });
  scene.host.append(tip);
  // Plotly also tells of what has moved under a pointer that rests, so the pointer's own place is kept.
  let at = { x: 0, y: 0 };
  scene.host.addEventListener("pointermove", (event) => {
    const box = scene.host.getBoundingClientRect();
    at = { x: event.clientX - box.left, y: event.clientY - box.top };
  });
  scene.host.on("plotly_hover", ({ points: [point] }) => {
    tip.textContent = told(scene, point);
    tip.hidden = tip.textContent === "";
    const wide = tip.offsetWidth;
    tip.style.left = `${at.x + 16 + wide > scene.host.clientWidth ? at.x - 16 - wide : at.x + 16}px`;
    tip.style.top = `${Math.max(4, at.y - tip.offsetHeight / 2)}px`;
  });
  scene.host.on("plotly_unhover", () => { tip.hidden = true; });
  scene.host.addEventListener("pointerleave", () => { tip.hidden = true; });
}

function told(scene, { curveNumber, pointNumber, intensity }) {
  const one = scene.surfaces.find(({ at }) => at === curveNumber);
  if (one) {
    const field = scene.described.fields.find(({ name }) => name === scene.field);
    const known = field && (field.name === "wear" ? one.wear : one.touched?.length);
    if (!known) return one.name;
    const value = intensity ? `${plain((intensity / STEPS) * field.most * field.scale)} ${field.unit}` : "untouched";
    return `${one.name}: ${value}`;
  }
  const part = scene.parts.find(({ at }) => at === curveNumber);
  const ligament = part?.move === ligamentLines.move && scene.ligaments[Math.floor(pointNumber / 3)];
  return ligament ? `${ligament.name}: ${plain(100 * scene.now(ligament.strain))} %, ${plain(scene.now(ligament.force))} N` : "";
}

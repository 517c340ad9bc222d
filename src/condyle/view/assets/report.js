// The report: clock, picture, its keys and readings, all plots.

function keys(scene) {
  const { ligaments, contact_force: contact, load_force: load, strain } = scene.described, items = [];
  const line = (kind) => draw("svg", { width: 26, viewBox: "0 0 26 16" },
    draw("path", { class: kind, d: "M3 8H23" }));
  items.push(ruleKey(scene));
  if (ligaments.length) {
    const bar = rampKey("ramp");
    const past = draw("svg", { width: 14, viewBox: "0 0 14 16" },
      draw("rect", { class: "over", y: 3, width: 14, height: 10, rx: 2 }));
    items.push(tag("span", {}, tag("span", {}, "Strain 0"), bar, topOfScale(ligaments, strain)));
    items.push(tag("span", {}, line("slack"), "slack"));
    if (ligaments.some((one) => passes(one))) items.push(tag("span", {}, past, "past allowed"));
    if (ligaments.some((one) => one.broken !== null)) items.push(tag("span", {}, line("broken"), "broken"));
  }
  if (contact > 0) items.push(arrowKey("contact", contact, scene.perContact, "contact force"));
  const forces = scene.loads.filter((one) => one.torque === null);
  const pushing = forces.length === 1 ? forces[0].name : "applied force";
  if (load > 0) items.push(arrowKey("load", load, scene.perLoad, pushing));
  items.push(...mechanismKeys(scene));
  document.getElementById("keys").replaceChildren(...items);
}

function rampKey(id) {
  const stops = RAMP.map(([place]) => draw("stop", { offset: place, "stop-color": strainColour(place) }));
  const named = { role: "img", "aria-label": "Colours of strain, blue to orange" };
  return draw("svg", { id, width: 74, viewBox: "0 0 74 16", ...named },
    draw("linearGradient", { id: `${id}-colours` }, ...stops),
    draw("rect", { y: 3, width: 74, height: 10, rx: 2, fill: `url(#${id}-colours)` }));
}

const passes = ({ allowed, strain }) => allowed && page.columns[strain].some((value) => value > allowed);

function topOfScale(ligaments, strain) {
  const bounds = new Set(ligaments.map((one) => one.allowed || strain));
  if (bounds.size === 1) return `${+([...bounds][0] * 100).toPrecision(3)} %`;
  const open = ligaments.some((one) => !one.allowed);
  return open ? `allowed (${+(strain * 100).toPrecision(3)} % if none is set)` : "allowed";
}

function ruleKey(scene) {
  const length = niceBelow((0.2 * scene.width) / scene.scale), wide = length * scene.scale;
  const [factor, unit] = length < 1e-3 ? [1e6, "µm"] : length < 1 ? [1e3, "mm"] : [1, "m"];
  const mark = draw("path", { class: "rule", d: `M.75 5v6H${wide - 0.75}v-6` });
  const bar = draw("svg", { width: wide, viewBox: `0 0 ${wide} 16` }, mark);
  return tag("span", { id: "rule" }, bar, `${+(length * factor).toPrecision(3)} ${unit}`);
}

function arrowKey(kind, most, scale, name) {
  const value = niceBelow(most), length = value * scale;
  const arrow = draw("path", { class: `arrow ${kind}`, d: arrowPath(length), transform: "translate(0 8)" });
  const mark = draw("svg", { width: length, viewBox: `0 0 ${length} 16` }, arrow);
  return tag("span", {}, mark, `${plain(value).replace(/\.0+$/, "")} N ${name}`);
}

// A row of the readings: a name with a mark, then values that follow the clock.
function row(mark, name, cells) {
  const outputs = cells.map(() => tag("td", {}));
  return { node: tag("tr", {}, tag("th", { scope: "row" }, mark, name), ...outputs), outputs, cells };
}

function scaled(at, factor, unit) {
  const text = steady(page.columns[at].map((value) => (value === null ? null : value * factor)));
  const after = unit === "°" ? unit : ` ${unit}`;
  return (sample) => {
    const value = page.columns[at][sample];
    return value === null ? "–" : text(value * factor) + after;
  };
}

function lengthCell(at) {
  const [, high] = extent([page.columns[at]]), small = high > 0 && high < 2e-5;
  const cell = scaled(at, small ? 1e6 : 1e3, small ? "µm" : "mm");
  return (sample) => {
    const value = page.columns[at][sample];
    return value !== null && value <= 0 ? "apart" : cell(sample);
  };
}

// Rows of the readings of a planar picture.
function planarRows(scene, clock) {
  return [
    ...scene.ligaments.map((one) => ligamentRow(scene, clock, one)),
    ...scene.contacts.map((one) => {
      const cells = [lengthCell(one.depth), scaled(one.force, 1, "N")];
      return row(glyph("contact"), one.name, cells);
    }),
    ...mechanismRows(scene, clock),
    ...scene.loads.map((one) => loadRow(scene, clock, one)),
  ];
}

function ligamentRow(scene, clock, one) {
  const dot = tag("span", { class: "dot" });
  clock.listeners.push(() => { dot.style.background = scene.strain(one).colour; });
  return row(dot, one.name, [scaled(one.strain, 100, "%"), scaled(one.force, 1, "N")]);
}

function readings(rows, clock) {
  const dials = page.measures.map((one) => {
    const text = scaled(one.at, 1, one.unit === "1" ? "" : one.unit);
    const value = tag("b", { "data-measure": one.name });
    clock.listeners.push(() => { value.textContent = text(clock.sample); });
    return tag("div", { class: "dial" }, tag("span", {}, one.name), value);
  });
  clock.listeners.push(() => {
    for (const { outputs, cells } of rows) {
      outputs.forEach((output, k) => { output.textContent = cells[k](clock.sample); });
    }
  });
  const host = document.getElementById("readings");
  if (dials.length) host.append(tag("div", { class: "dials" }, ...dials));
  if (rows.length) host.append(tag("table", {}, tag("tbody", {}, ...rows.map((one) => one.node))));
  host.hidden = !dials.length && !rows.length;
}

function loadRow(scene, clock, one) {
  if (one.torque !== null) return row(glyph("load"), one.name, [() => "", scaled(one.torque, 1, "N m")]);
  const [fx, fy] = [page.columns[one.fx], page.columns[one.fy]];
  const sizes = fx.map((x, k) => (x === null ? null : Math.hypot(x, fy[k]))), text = steady(sizes);
  const mark = glyph("load");
  clock.listeners.push(() => {
    const turn = (-Math.atan2(scene.now(one.fy), scene.now(one.fx)) * 180) / Math.PI;
    mark.firstChild.setAttribute("transform", `rotate(${turn} 7 7) translate(0 7)`);
  });
  const cell = (sample) => (sizes[sample] === null ? "–" : `${text(sizes[sample])} N`);
  return row(mark, one.name, [() => "", cell]);
}

const glyph = (kind) => draw("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" },
  draw("path", { class: `arrow ${kind}`, d: arrowPath(14), transform: "translate(0 7)" }));

function framing(scene) {
  const choice = document.getElementById("framing"), buttons = [...choice.querySelectorAll("button")];
  choice.hidden = !scene.described.joint;
  for (const button of buttons) button.addEventListener("click", () => {
    for (const other of buttons) other.setAttribute("aria-pressed", other === button);
    scene.show(button.dataset.frame);
  });
}

function plots(clock) {
  const host = document.getElementById("plots");
  if (!host) return;
  for (const { title, charts } of page.sections) {
    const made = charts.map((described) => {
      const along = described.series.some((one) => one.along);
      return along ? new AlongChart(described, clock) : new Chart(described, clock);
    });
    const grid = tag("div", { class: "grid" }, ...made.map((chart) => chart.host));
    host.append(tag("section", { class: "group" }, tag("h2", {}, title), grid));
    clock.listeners.push(() => { for (const chart of made) chart.follow(); });
  }
}

// The picture with its keys and buttons, and the rows of its readings.
function picture(clock) {
  const space = document.getElementById("space");
  if (space) return spaceRows(spacePicture(space, clock), clock);
  const scene = new Scene(document.getElementById("scene"), page.scene, clock);
  framing(scene);
  reactions(scene);
  scene.resized = () => keys(scene);
  keys(scene);
  return planarRows(scene, clock);
}

function start() {
  if (!page.columns[0].length) return document.querySelector(".desk").remove();
  const clock = new Clock(page.columns[0]), rows = picture(clock);
  new Player(clock);
  readings(rows, clock);
  plots(clock);
  clock.tell();
}

start();

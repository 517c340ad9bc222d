// Beams, springs, joints and drivers of the moving picture.

const MANY_JOINTS = 6; // above which the arrows of joint forces only come when asked for

class Mechanism {
  constructor(scene) {
    const { beams, springs, joints, drivers } = scene.described;
    this.scene = scene;
    this.beams = beams.map((beam) => this.beam(beam));
    this.springs = springs.map((spring) => this.spring(spring));
    this.joints = joints.map((joint) => this.joint(joint));
    this.drivers = drivers.map((driver) => this.driver(driver));
    this.showForces(joints.length <= MANY_JOINTS);
  }

  add(layer, data, name, ...parts) {
    const group = draw("g", { [`data-${data}`]: name }, ...parts);
    this.scene.layers[layer].append(group);
    return group;
  }

  beam(described) {
    const casing = draw("path", { class: "casing" });
    const parts = described.x.slice(1).map(() => draw("path", { class: "part" }));
    this.add("beam", "beam", described.name, casing, ...parts);
    return { ...described, casing, parts };
  }

  spring(described) {
    const coil = draw("path", { class: "coil" });
    this.add("spring", "spring", described.name, coil);
    return { ...described, coil, first: page.columns[described.extent][0] };
  }

  joint(described) {
    const mark = draw("g", { class: `joint ${described.kind}` }, ...jointMark(described.kind));
    const rod = described.x0 === null ? null : draw("path", { class: "rod" });
    this.add("joint", "joint", described.name, ...(rod ? [rod] : []), mark);
    const arrow = draw("path", { class: "arrow joint", "data-reaction": described.name });
    this.scene.layers.reaction.append(arrow);
    const label = draw("text", { class: "name" }, described.name);
    this.scene.layers.text.append(label);
    return { ...described, mark, rod, arrow, label };
  }

  driver(described) {
    const turns = described.fx === null;
    const kind = turns ? "turn drive" : "arrow drive";
    const path = draw("path", { class: kind, "data-driver": described.name });
    this.scene.layers.load.append(path);
    const [low, high] = extent([page.columns[described.effort]]);
    const most = Math.max(-low, high) || 1;
    return { ...described, turns, most, torque: described.effort, [turns ? "turn" : "path"]: path };
  }

  showForces(shown) {
    this.forcesShown = shown;
    this.scene.layers.reaction.classList.toggle("off", !shown);
  }

  fit() {
    const { joint_force: joint, driver_force: driver } = this.scene.described;
    const longest = 0.26 * Math.min(this.scene.width, this.scene.height);
    this.perJoint = joint > 0 ? longest / joint : 0;
    this.perDriver = driver > 0 ? longest / driver : 0;
    let sliding = 0;
    for (const one of this.joints) {
      one.crowded = this.crowded(one);
      // Sliders often stand in one line: their names go on lines of their own.
      if (one.turn !== null) one.lower = 22 + 13 * (sliding++ % 3);
    }
  }

  follow() {
    for (const beam of this.beams) this.followBeam(beam);
    for (const spring of this.springs) this.followSpring(spring);
    for (const joint of this.joints) this.followJoint(joint);
    for (const driver of this.drivers) this.followDriver(driver);
  }

  // A cubic between each two stations, its slopes those of the neighbours, in the colour of the strain there.
  followBeam({ x, y, strain, thick, casing, parts }) {
    const scene = this.scene;
    const xs = x.map((column) => scene.read(column)), ys = y.map((column) => scene.read(column));
    if (xs.includes(null) || ys.includes(null)) return;
    const px = xs.map((value) => scene.px(value)), py = ys.map((value) => scene.py(value));
    const width = Math.min(14, Math.max(4.5, thick * scene.scale));
    const last = px.length - 1, text = (value) => value.toFixed(1);
    const slope = (list, k) => {
      if (k === 0) return (4 * list[1] - 3 * list[0] - list[Math.min(2, last)]) / (last > 1 ? 2 : 3);
      if (k === last) return (3 * list[last] - 4 * list[last - 1] + list[Math.max(last - 2, 0)]) / (last > 1 ? 2 : 3);
      return (list[k + 1] - list[k - 1]) / 2;
    };
    const pair = (k, share) =>
      `${text(px[k] + share * slope(px, k))} ${text(py[k] + share * slope(py, k))}`;
    let whole = `M${pair(0, 0)}`;
    parts.forEach((part, k) => {
      const curve = `C${pair(k, 1 / 3)} ${pair(k + 1, -1 / 3)} ${pair(k + 1, 0)}`;
      whole += curve;
      const value = (scene.now(strain[k]) + scene.now(strain[k + 1])) / 2;
      fill(part, { d: `M${pair(k, 0)}${curve}`, "stroke-width": width }, []);
      part.style.stroke = strainColour(value / (scene.described.beam_strain || 1));
    });
    fill(casing, { d: whole, "stroke-width": width + 2.5 }, []);
  }

  followSpring({ ends, turns, extent: at, coil, first }) {
    const [x0, y0, x1, y1] = ends.map((column) => this.scene.read(column));
    if ([x0, y0, x1, y1].includes(null)) return;
    const from = [this.scene.px(x0), this.scene.py(y0)], to = [this.scene.px(x1), this.scene.py(y1)];
    const wound = turns ? (this.scene.read(at) ?? first) - first : 0;
    // As many coils at all times as fit at the start.
    const coils = Math.min(7, Math.max(3, Math.round((first * this.scene.scale) / 9)));
    coil.setAttribute("d", turns ? spiral(...from, wound) : zigzag(...from, ...to, coils));
  }

  followJoint(joint) {
    const scene = this.scene, [x, y] = [scene.read(joint.x), scene.read(joint.y)];
    scene.place(joint.arrow, x, y, scene.now(joint.fx), scene.now(joint.fy), this.perJoint);
    if (x === null || y === null) return;
    const turn = (joint.turn === null ? 0 : scene.read(joint.turn)) + joint.along;
    const [px, py] = [scene.px(x), scene.py(y)];
    joint.mark.setAttribute("transform", `translate(${px} ${py}) rotate(${(-turn * 180) / Math.PI})`);
    this.placeName(joint, px, py);
    if (!joint.rod) return;
    const [x0, y0] = [scene.read(joint.x0), scene.read(joint.y0)];
    if (x0 !== null && y0 !== null) joint.rod.setAttribute("d", `M${scene.px(x0)} ${scene.py(y0)}L${px} ${py}`);
  }

  // Beside the mark: below what slides, further away where something turns about it, inwards at the picture's edge.
  placeName({ label, name, crowded, lower }, px, py) {
    const away = crowded ? 20 : 8;
    const outside = px + away + 6.5 * name.length > this.scene.width;
    const anchor = outside ? "end" : "start";
    fill(label, { x: px + (outside ? -away : away), y: py + (lower ?? -away), "text-anchor": anchor }, []);
  }

  // Whether an arc or a spiral is drawn about a joint.
  crowded(joint) {
    const turning = [...this.drivers, ...this.springs].filter((one) => one.turns);
    return turning.some((one) => {
      const [x, y] = one.ends ? one.ends : [one.x, one.y], first = (column) => page.columns[column][0];
      return Math.hypot(first(x) - first(joint.x), first(y) - first(joint.y)) * this.scene.scale < 10;
    });
  }

  followDriver(driver) {
    if (driver.turns) return this.scene.followTorque(driver);
    const [x, y, fx, fy] = [driver.x, driver.y, driver.fx, driver.fy];
    const scene = this.scene, at = [scene.read(x), scene.read(y)];
    scene.place(driver.path, ...at, scene.now(fx), scene.now(fy), this.perDriver);
  }
}

// A pin, a weld, a slider between its rails, a point on its line; along +x.
function jointMark(kind) {
  const circle = () => draw("circle", { r: 4 });
  if (kind === "weld") return [draw("rect", { x: -4.5, y: -4.5, width: 9, height: 9 })];
  if (kind === "translational") {
    return [draw("path", { class: "rail", d: "M-17 -8H17M-17 8H17" }), draw("rect", { x: -5, y: -3, width: 10, height: 6 })];
  }
  if (kind === "point-on-line") return [draw("path", { class: "rail", d: "M-20 0H20" }), circle()];
  return [circle()];
}

function zigzag(x0, y0, x1, y1, coils) {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1, tx = (x1 - x0) / length, ty = (y1 - y0) / length;
  const lead = Math.min(10, 0.15 * length), coil = length - 2 * lead, text = (value) => value.toFixed(1);
  const at = (along, across) => `${text(x0 + along * tx - across * ty)} ${text(y0 + along * ty + across * tx)}`;
  let path = `M${at(0, 0)}L${at(lead, 0)}`;
  for (let k = 0; k < 2 * coils; k += 1) {
    path += `L${at(lead + (coil * (k + 0.5)) / (2 * coils), k % 2 ? -6 : 6)}`;
  }
  return `${path}L${at(lead + coil, 0)}L${at(length, 0)}`;
}

// A spiral spring seen from the side, wound by an angle [rad].
function spiral(x, y, wound) {
  const turns = 3.5 * Math.PI + Math.min(Math.max(wound, -2.5 * Math.PI), 4 * Math.PI);
  let path = "";
  for (let k = 0; k <= 60; k += 1) {
    const part = k / 60, angle = -part * turns, radius = 4 + 12 * part;
    path += `${k ? "L" : "M"}${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;
  }
  return path;
}

function mechanismKeys(scene) {
  const { beams, beam_strain: strain, joint_force: joint, driver_force: driver } = scene.described;
  const { mechanism } = scene, items = [];
  if (beams.length && strain > 0) {
    const top = `${+(strain * 100).toPrecision(3)} %`;
    items.push(tag("span", {}, tag("span", {}, "Strain of beams 0"), rampKey("beam-ramp"), top));
  }
  if (joint > 0 && mechanism.forcesShown) items.push(arrowKey("joint", joint, mechanism.perJoint, "joint force"));
  if (driver > 0) items.push(arrowKey("drive", driver, mechanism.perDriver, "driver"));
  return items;
}

function mechanismRows(scene, clock) {
  const { joints, drivers, springs, beams } = scene.mechanism;
  return [
    ...joints.map((one) => forceRow(scene, clock, "joint", one)),
    ...drivers.map((one) => {
      return row(glyph("drive"), one.name, [() => "", scaled(one.effort, 1, one.unit)]);
    }),
    ...springs.map((one) => {
      const extent = one.turns ? scaled(one.extent, 180 / Math.PI, "°") : scaled(one.extent, 1e3, "mm");
      return row(springGlyph(), one.name, [extent, scaled(one.effort, 1, one.unit)]);
    }),
    ...beams.map((one) => {
      const dot = tag("span", { class: "dot" });
      const most = (sample) => Math.max(...one.strain.map((column) => page.columns[column][sample]));
      clock.listeners.push(() => {
        dot.style.background = strainColour(most(clock.sample) / (scene.described.beam_strain || 1));
      });
      const cell = (sample) => `${plain(100 * most(sample))} %`;
      return row(dot, one.name, [cell, () => ""]);
    }),
  ];
}

// A force with its direction, and the torque beside it if there is one.
function forceRow(scene, clock, kind, one) {
  const [fx, fy] = [page.columns[one.fx], page.columns[one.fy]], mark = glyph(kind);
  const sizes = fx.map((x, k) => (x === null ? null : Math.hypot(x, fy[k]))), text = steady(sizes);
  clock.listeners.push(() => {
    const turn = (-Math.atan2(scene.now(one.fy), scene.now(one.fx)) * 180) / Math.PI;
    mark.firstChild.setAttribute("transform", `rotate(${turn} 7 7) translate(0 7)`);
  });
  const torque = one.torque === null ? () => "" : scaled(one.torque, 1, "N m");
  return row(mark, one.name, [torque, (sample) => (sizes[sample] === null ? "–" : `${text(sizes[sample])} N`)]);
}

const springGlyph = () => draw("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" },
  draw("path", { class: "coil", d: "M0 7H2L4 3L7 11L10 3L12 7H14" }));

function reactions(scene) {
  const button = document.getElementById("reactions"), mechanism = scene.mechanism;
  button.hidden = !(scene.described.joint_force > 0);
  const tell = () => button.setAttribute("aria-pressed", mechanism.forcesShown);
  button.addEventListener("click", () => {
    mechanism.showForces(!mechanism.forcesShown);
    tell();
    keys(scene);
  });
  tell();
}

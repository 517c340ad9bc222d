// The moving picture: outlines ride on the poses of their bodies, all else is placed anew for the time shown.

const RAMP = [[0, [45, 95, 166]], [0.35, [133, 80, 158]], [0.7, [214, 90, 92]], [1, [242, 155, 45]]];
const MILLI = 1000; // outlines are drawn in thousandths of a metre: paths like numbers near one

function strainColour(share) {
  const at = Math.min(Math.max(share, 0), 1);
  const k = Math.max(1, RAMP.findIndex(([place]) => place >= at));
  const [[p0, c0], [p1, c1]] = [RAMP[k - 1], RAMP[k]], part = (at - p0) / (p1 - p0);
  return `rgb(${c0.map((value, i) => Math.round(value + (c1[i] - value) * part)).join(" ")})`;
}

// Outline of an arrow along +x from 0 to `length`.
function arrowPath(length) {
  const head = Math.min(11, 0.6 * length), wing = Math.min(5.5, 0.55 * head), neck = length - head;
  const half = 1.5;
  return `M0 ${-half}H${neck}V${-wing}L${length} 0L${neck} ${wing}V${half}H0z`;
}

// The round number whose arrow has a length that a legend can hold.
function niceBelow(value) {
  const base = 10 ** Math.floor(Math.log10(value));
  return [5, 2, 1].map((factor) => factor * base).find((nice) => nice <= value * 1.0001);
}

class Scene {
  constructor(host, described, clock) {
    Object.assign(this, { host, described, clock, frame: described.joint || described.whole });
    const names = ["ground", "body", "beam", "spring", "ligament", "joint", "reaction", "contact", "load", "text"];
    this.layers = Object.fromEntries(names.map((name) => [name, draw("g", { class: `layer-${name}` })]));
    host.replaceChildren(...Object.values(this.layers));
    this.bodies = described.bodies.map((body) => this.body(body));
    this.ligaments = described.ligaments.map((ligament) => this.ligament(ligament));
    this.contacts = described.contacts.map((contact) => this.contact(contact));
    this.loads = described.loads.map((load) => this.load(load));
    this.mechanism = new Mechanism(this);
    new ResizeObserver(() => this.fit()).observe(host);
    clock.listeners.push(() => this.follow());
    this.fit();
  }

  // Places glide between samples; forces, strains and states are those of the sample.
  read(reference) { return between(page.columns[reference], this.clock.position); }
  now(reference) { return page.columns[reference][this.clock.sample]; }

  body(described) {
    const group = draw("g", { class: "body", "data-body": described.name });
    const mm = (value) => value * MILLI;
    for (const shape of described.shapes) {
      const path = pathText(shape.x, shape.y, mm, mm) + (shape.closed ? "z" : "");
      group.append(draw("path", { class: `${shape.kind} ${shape.filled ? "filled" : ""}`, d: path }));
    }
    this.layers.body.append(group);
    const cross = "M-5 0H5M0 -5V5M4.5 0a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0";
    const mass = described.fixed ? null : draw("path", { class: "mass", d: cross });
    if (mass) this.layers.body.append(mass);
    return { ...described, group, mass };
  }

  ligament(described) {
    const casing = draw("line", { class: "casing" }), line = draw("line", { class: "ligament" });
    const pins = [0, 1].map(() => draw("circle", { class: "pin", r: 3 }));
    const group = draw("g", { "data-ligament": described.name }, casing, line, ...pins);
    const label = draw("text", { "text-anchor": "middle" }, described.name);
    this.layers.ligament.append(group);
    this.layers.text.append(label);
    return { ...described, group, casing, line, pins, label, place: { at: 0.5, dx: 0, dy: 0 } };
  }

  contact(described) {
    const mark = draw("circle", { r: 3.5 });
    const arrow = () => draw("path", { class: "arrow contact" });
    const arrows = described.on.map(({ sign }) => ({ sign, path: arrow() }));
    const paths = arrows.map((arrow) => arrow.path);
    this.layers.contact.append(draw("g", { "data-contact": described.name }, ...paths, mark));
    return { ...described, mark, arrows };
  }

  load(described) {
    const path = draw("path", { class: "arrow load", "data-load": described.name });
    this.layers.load.append(path);
    if (described.torque === null) return { ...described, path };
    const [low, high] = extent([page.columns[described.torque]]);
    const turn = draw("path", { class: "turn", "data-torque": described.name });
    this.layers.load.append(turn);
    return { ...described, path, turn, most: Math.max(-low, high) };
  }

  show(name) {
    const from = this.frame, to = this.described[name], start = performance.now();
    const lasting = matchMedia("(prefers-reduced-motion: reduce)").matches ? 1 : 350;
    const move = (stamp) => {
      const part = Math.min(1, Math.max(0, (stamp - start) / lasting)), eased = part * part * (3 - 2 * part);
      this.frame = to.map((value, k) => from[k] + (value - from[k]) * eased);
      this.fit(part === 1);
      if (part < 1) requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  }

  // Size of the picture, metres to pixels, what depends on them alone.
  fit(settled = true) {
    const box = this.host.getBoundingClientRect();
    if (box.width === 0) return;
    const [x0, x1, y0, y1] = this.frame;
    Object.assign(this, { width: box.width, height: box.height });
    this.scale = Math.min(box.width / (x1 - x0), box.height / (y1 - y0));
    this.host.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    this.left = box.width / 2 - (this.scale * (x0 + x1)) / 2;
    this.low = box.height / 2 + (this.scale * (y0 + y1)) / 2;
    const longest = 0.26 * Math.min(box.width, box.height);
    this.perContact = this.described.contact_force > 0 ? longest / this.described.contact_force : 0;
    this.perLoad = this.described.load_force > 0 ? longest / this.described.load_force : 0;
    this.mechanism.fit();
    this.hatch();
    if (settled) { this.placeLabels(); this.resized?.(); }
    this.follow();
  }

  px(x) { return this.left + this.scale * x; }
  py(y) { return this.low - this.scale * y; }

  // Short strokes on the far side of a ground line.
  hatch() {
    this.layers.ground.replaceChildren();
    for (const body of this.bodies) for (const shape of body.shapes) {
      if (shape.kind !== "ground") continue;
      const [bx, by, angle] = [body.x, body.y, body.angle].map((column) => page.columns[column][0]);
      const c = Math.cos(angle), s = Math.sin(angle), last = shape.x.length - 1;
      const end = (x, y) => [this.px(bx + c * x - s * y), this.py(by + s * x + c * y)];
      const [ax, ay] = end(shape.x[0], shape.y[0]), [zx, zy] = end(shape.x[last], shape.y[last]);
      const length = Math.hypot(zx - ax, zy - ay), tx = (zx - ax) / length, ty = (zy - ay) / length;
      const away = this.side(ax, ay, tx, ty), reach = this.width + this.height;
      const middle = (this.width / 2 - ax) * tx + (this.height / 2 - ay) * ty;
      const stroke = `${(-away * ty * 8 - tx * 7).toFixed(1)} ${(away * tx * 8 - ty * 7).toFixed(1)}`;
      let strokes = "";
      for (let along = Math.max(0, middle - reach); along <= Math.min(length, middle + reach); along += 11) {
        strokes += `M${(ax + along * tx).toFixed(1)} ${(ay + along * ty).toFixed(1)}l${stroke}`;
      }
      this.layers.ground.append(draw("path", { class: "hatch", d: strokes }));
    }
  }

  // The side of a line where no free body is: -1 or +1 of its normal (-ty, tx).
  side(ax, ay, tx, ty) {
    const free = this.bodies.filter((body) => !body.fixed);
    let sum = 0;
    for (const body of free) {
      const dx = this.px(page.columns[body.x][0]) - ax, dy = this.py(page.columns[body.y][0]) - ay;
      sum += dy * tx - dx * ty;
    }
    return sum > 0 ? -1 : 1;
  }

  // A place on or beside each ligament for its name, away from other names all the time; chosen once, so that none
  // jumps. A name that finds none is left out.
  placeLabels() {
    const moments = [0, 0.25, 0.5, 0.75, 1].map((part) => part * (this.clock.count - 1)), taken = [];
    const ends = this.ligaments.map((one) => moments.map((moment) => {
      const [x0, y0, x1, y1] = one.ends.map((column) => between(page.columns[column], moment));
      return x0 === null || x1 === null ? null : [this.px(x0), this.py(y0), this.px(x1), this.py(y1)];
    }));
    this.ligaments.forEach((one, k) => {
      const half = 3.6 * one.name.length + 3;
      const sizes = ends[k].filter(Boolean).map(([a, b, c, d]) => Math.hypot(c - a, d - b));
      const spot = (place) => ends[k].map((line) => line && labelSpot(line, place));
      const clash = (spots) =>
        taken.reduce((sum, other) => sum + overlap(spots, half, other.spots, other.half), 0);
      const cost = (place) => {
        const spots = spot(place), shifted = Math.abs(place.dx) + Math.abs(place.dy);
        let sum = 6 * Math.abs(place.at - 0.5) + 0.1 * shifted + 10 * clash(spots);
        ends.forEach((lines, j) => lines.forEach((line, m) => {
          if (j !== k && line && spots[m]) sum += Math.max(0, 16 - distance(...spots[m], ...line)) / moments.length;
        }));
        return sum;
      };
      const places = labelPlaces(half).map((place) => [cost(place), place]);
      const [, best] = places.reduce((least, one) => (one[0] < least[0] ? one : least));
      // A ligament shorter than its name is better off without, and so is one whose name would lie on another.
      const shown = sizes.length > 0 && Math.max(...sizes) >= 30 && clash(spot(best)) === 0;
      one.label.setAttribute("visibility", shown ? "visible" : "hidden");
      one.place = best;
      if (shown) taken.push({ spots: spot(best), half });
    });
  }

  // Draw the time of the clock.
  follow() {
    if (!this.scale) return;
    for (const body of this.bodies) this.followBody(body);
    for (const ligament of this.ligaments) this.followLigament(ligament);
    for (const contact of this.contacts) this.followContact(contact);
    for (const load of this.loads) this.followLoad(load);
    this.mechanism.follow();
  }

  followLoad(load) {
    const [x, y, fx, fy] = [this.read(load.x), this.read(load.y), this.now(load.fx), this.now(load.fy)];
    this.place(load.path, x, y, fx, fy, this.perLoad);
    this.followTorque(load);
  }

  followBody({ group, mass, x, y, angle }) {
    const [bx, by, turn] = [this.read(x), this.read(y), this.read(angle)];
    // Where a run went astray a body stays at the last place that is known.
    if (bx === null || by === null || turn === null) return;
    const px = this.px(bx), py = this.py(by);
    const c = (this.scale / MILLI) * Math.cos(turn), s = (this.scale / MILLI) * Math.sin(turn);
    group.setAttribute("transform", `matrix(${c} ${-s} ${-s} ${-c} ${px} ${py})`);
    mass?.setAttribute("transform", `translate(${px} ${py})`);
  }

  followLigament(ligament) {
    const [x0, y0, x1, y1] = ligament.ends.map((column) => this.read(column));
    if (x0 === null || x1 === null) return;
    const ends = { x1: this.px(x0), y1: this.py(y0), x2: this.px(x1), y2: this.py(y1) };
    fill(ligament.line, ends, []);
    fill(ligament.casing, ends, []);
    fill(ligament.pins[0], { cx: ends.x1, cy: ends.y1 }, []);
    fill(ligament.pins[1], { cx: ends.x2, cy: ends.y2 }, []);
    const [x, y] = labelSpot([ends.x1, ends.y1, ends.x2, ends.y2], ligament.place);
    fill(ligament.label, { x, y: y + 4 }, []);
    const { state, colour } = this.strain(ligament);
    ligament.group.setAttribute("class", state);
    ligament.line.style.stroke = state === "taut" ? colour : "";
  }

  // How a ligament looks now: slack, taut in a colour, past what it is allowed, or broken.
  strain({ strain, force, allowed, broken }) {
    const value = this.now(strain), share = value / (allowed || this.described.strain);
    const time = this.clock.times[this.clock.sample], grey = "var(--slack)";
    if (broken !== null && time >= broken) return { state: "broken", colour: grey };
    if (value === null || (this.now(force) <= 0 && value <= 0)) return { state: "slack", colour: grey };
    if (allowed && share > 1) return { state: "over", colour: "var(--over)" };
    return { state: "taut", colour: strainColour(share) };
  }

  followContact({ mark, arrows, x, y, nx, ny, force, depth }) {
    const [cx, cy] = [this.read(x), this.read(y)], [size, deep] = [this.now(force), this.now(depth)];
    const known = cx !== null && cy !== null;
    mark.setAttribute("visibility", known ? "visible" : "hidden");
    if (known) fill(mark, { cx: this.px(cx), cy: this.py(cy), class: deep > 0 ? "touch" : "apart" }, []);
    const [fx, fy] = [size * this.now(nx), size * this.now(ny)];
    for (const { path, sign } of arrows) this.place(path, cx, cy, sign * fx, sign * fy, this.perContact);
  }

  // An arc about the body's centre that opens as the torque grows, up to three quarters of a turn.
  followTorque({ turn, torque, most, x, y }) {
    if (!turn) return;
    const share = this.now(torque) / most, [bx, by] = [this.read(x), this.read(y)];
    const shown = Math.abs(share) > 0.02 && bx !== null && by !== null;
    turn.setAttribute("visibility", shown ? "visible" : "hidden");
    if (!shown) return;
    const cx = this.px(bx), cy = this.py(by), text = (value) => value.toFixed(1);
    const radius = 20, end = -1.5 * Math.PI * share, way = share > 0 ? -1 : 1, tip = end + way * 0.35;
    const at = (turned, r) => `${text(cx + r * Math.cos(turned))} ${text(cy + r * Math.sin(turned))}`;
    const flags = `${Math.abs(end) > Math.PI ? 1 : 0} ${way > 0 ? 1 : 0}`;
    const arc = `M${at(0, radius)}A${radius} ${radius} 0 ${flags} ${at(end, radius)}`;
    turn.setAttribute("d", `${arc}M${at(end, radius - 5)}L${at(tip, radius)}L${at(end, radius + 5)}`);
  }

  place(path, x, y, fx, fy, scale) {
    const length = scale * Math.hypot(fx, fy);
    if (x === null || y === null || !(length > 1)) return path.setAttribute("visibility", "hidden");
    const turn = (-Math.atan2(fy, fx) * 180) / Math.PI;
    const transform = `translate(${this.px(x)} ${this.py(y)}) rotate(${turn})`;
    fill(path, { d: arrowPath(length), transform, visibility: "visible" }, []);
  }
}

// Places for a name: on its ligament, or beside it.
function labelPlaces(half) {
  const along = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, -0.12, 1.12];
  const beside = [[0, 0], [half + 8, 0], [-half - 8, 0], [0, -18], [0, 18], [half + 8, -18], [-half - 8, 18]];
  return beside.flatMap(([dx, dy]) => along.map((at) => ({ at, dx, dy })));
}

function labelSpot([x0, y0, x1, y1], { at, dx, dy }) {
  return [x0 + (x1 - x0) * at + dx, y0 + (y1 - y0) * at + dy];
}

// By how much two names lie on each other, the worst of all moments.
function overlap(spots, half, others, other) {
  return Math.max(...spots.map((spot, k) => {
    if (!spot || !others[k]) return 0;
    const [dx, dy] = [Math.abs(spot[0] - others[k][0]), Math.abs(spot[1] - others[k][1])];
    return Math.max(0, half + other - dx) * Math.max(0, 17 - dy);
  }));
}

function distance(x, y, ax, ay, bx, by) {
  const dx = bx - ax, dy = by - ay, share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1);
  const at = Math.min(1, Math.max(0, share));
  return Math.hypot(x - ax - at * dx, y - ay - at * dy);
}

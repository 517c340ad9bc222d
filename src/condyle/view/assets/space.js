// The moving picture in space, drawn by plotly: surfaces of bodies with fields on their faces, ligaments, forces, paths.

const LIGHT = { ambient: 0.62, diffuse: 0.72, specular: 0.12, roughness: 0.55, fresnel: 0.05, facenormalsepsilon: 0,
  vertexnormalsepsilon: 0 };
const THROUGH = 0.28; // opacity of a surface that hides what touches it

class Space {
  constructor(host, described, clock) {
    Object.assign(this, { host, described, clock, scale: described.scale, poses: new Map() });
    // Plotly turns views about its z axis, so the axis that is up takes that place.
    this.order = { x: ["y", "z", "x"], y: ["z", "x", "y"], z: ["x", "y", "z"] }[described.up];
    this.ligaments = described.ligaments;
    this.field = described.fields[0]?.name ?? null;
    this.surfaces = described.surfaces.map((one) => this.surface(one));
    this.draw();
    this.rest();
    clock.listeners.push(() => this.follow());
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => { this.draw(); this.themed?.(); });
  }

  // Places glide between samples; forces, strains and states are those of the sample.
  read(reference) { return between(page.columns[reference], this.clock.position); }
  now(reference) { return page.columns[reference][this.clock.sample]; }

  // Properties with lists of x, y and z under plotly's names of the axes.
  named(made) {
    if (!made.x) return made;
    const [x, y, z] = this.order.map((axis) => made[axis]);
    return { ...made, x, y, z };
  }

  surface(described) {
    const vertices = unpacked(described.vertices), faces = unpacked(described.faces), count = faces.length / 3;
    const corner = (n) => Array.from({ length: count }, (_, face) => faces[3 * face + n]);
    const body = this.described.bodies.find((one) => one.name === described.body);
    const touched = described.touched && unpacked(described.touched);
    const pressure = described.touched && unpacked(described.pressure);
    const wear = described.wear && unpacked(described.wear);
    return { ...described, body, vertices, count, i: corner(0), j: corner(1), k: corner(2), touched, pressure, wear,
      look: described.through ? "through" : "solid" };
  }

  // Where a body is now; the last place that is known where a run went astray.
  pose(body) {
    const place = body.place.map((column) => this.read(column));
    const turn = turnBetween(body.turn.map((column) => page.columns[column]), this.clock.position);
    if (turn && !place.includes(null)) this.poses.set(body.name, { place, turn });
    return this.poses.get(body.name) ?? { place: [0, 0, 0], turn: matrix([1, 0, 0, 0]) };
  }

  // The frame of the field that is nearest to the time shown.
  frame() {
    const times = this.described.fields.find((one) => one.name === "pressure")?.times;
    if (!times || this.field !== "pressure") return -1;
    let best = 0;
    times.forEach((time, k) => {
      if (Math.abs(time - this.clock.time) < Math.abs(times[best] - this.clock.time)) best = k;
    });
    return best;
  }

  // Steps of the chosen field on every face; null where the surface knows nothing of it.
  steps(one, frame) {
    if (this.field === "wear" && one.wear) return Array.from(one.wear);
    if (this.field !== "pressure" || !one.touched?.length) return null;
    const values = new Array(one.count).fill(0), first = frame * one.touched.length;
    one.touched.forEach((face, k) => { values[face] = one.pressure[first + k]; });
    return values;
  }

  // Draw everything anew, in the colours of the theme.
  draw() {
    this.traces = [];
    this.last = { frame: this.frame(), sample: this.clock.sample };
    this.surfaces.forEach((one) => { one.at = this.traces.push(this.mesh(one)) - 1; });
    this.parts = SPACE_PARTS.filter((part) => part.there(this)).map((part) => {
      const made = part.make(this);
      const moved = this.named(part.move(this)), line = { ...made.line, ...moved.line };
      return { at: this.traces.push({ ...made, ...moved, line, hoverinfo: "none" }) - 1, move: part.move };
    });
    const ready = Plotly.react(this.host, this.traces, this.layout(), { displayModeBar: false, responsive: true,
      scrollZoom: true, doubleClick: false });
    this.busy = ready.then(() => this.done());
  }

  mesh(one) {
    const steps = this.steps(one, this.last.frame), bare = themed(one.body.fixed ? "part-fixed" : "part");
    const coloured = { intensity: steps ?? new Array(one.count).fill(0), intensitymode: "cell", cmin: 0, cmax: STEPS,
      colorscale: fieldScale(this.described.colours, bare), showscale: false };
    const [lx, ly, lz] = [...this.described.eye.slice(0, 2), this.described.eye[2] + 0.8].map((value) => value * 1e4);
    return { type: "mesh3d", name: one.name, i: one.i, j: one.j, k: one.k, ...coloured,
      ...this.named(placed(one.vertices, this.pose(one.body), this.scale)), opacity: one.look === "through" ? THROUGH : 1,
      visible: one.look !== "hidden", lighting: LIGHT, lightposition: { x: lx, y: ly, z: lz }, hoverinfo: "none" };
  }

  layout() {
    const box = this.described.box.map((range) => range.map((value) => value * this.scale));
    const extents = box.map(([low, high]) => high - low), across = Math.hypot(...extents);
    const places = this.order.map((name) => "xyz".indexOf(name));
    const axis = (k) => ({ range: box[k], title: { text: `${"xyz"[k]} [${this.described.unit}]`, font: { size: 11 } },
      showspikes: false, showbackground: false, gridcolor: themed("line"), zeroline: false, nticks: 5,
      tickfont: { size: 10 }, color: themed("soft"), showline: false });
    // The whole box fits into the picture from every side.
    const ratio = (k) => (extents[k] / across) * 1.5, clear = "rgba(0,0,0,0)";
    return {
      margin: { l: 0, r: 0, t: 0, b: 0 }, paper_bgcolor: clear, plot_bgcolor: clear, showlegend: false,
      uirevision: "kept", font: { family: themed("text") },
      scene: {
        xaxis: axis(places[0]), yaxis: axis(places[1]), zaxis: axis(places[2]), aspectmode: "manual",
        aspectratio: { x: ratio(places[0]), y: ratio(places[1]), z: ratio(places[2]) }, camera: this.camera(this.described.eye),
        dragmode: "turntable", hovermode: "closest", bgcolor: clear,
      },
    };
  }

  camera([x, y, z], up = { x: 0, y: 0, z: 1 }) {
    return { eye: { x, y, z }, center: { x: 0, y: 0, z: -0.15 }, up, projection: { type: "perspective" } };
  }

  // Look from the corner, or along one of the model's axes.
  look(view) {
    const eye = this.order.map((axis) => (axis === view ? 1.9 : 0)), above = view === this.described.up;
    const camera = view === "corner" ? this.camera(this.described.eye)
      : this.camera(eye, { x: 0, y: above ? 1 : 0, z: above ? 0 : 1 });
    Plotly.relayout(this.host, { "scene.camera": camera });
  }

  // Show the time of the clock; what comes while plotly draws is drawn afterwards, once.
  follow() {
    if (this.busy || this.held) { this.waiting = true; return; }
    const { at, change } = this.changes();
    if (!at.length) return;
    this.busy = Plotly.restyle(this.host, change, at).then(() => this.done());
  }

  // A drawing is there: say of which sample, and draw what came meanwhile.
  done() {
    this.busy = null;
    this.host.dataset.sample = this.last.sample;
    this.catchUp();
  }

  catchUp() {
    if (!this.waiting) return;
    this.waiting = false;
    this.follow();
  }

  // Plotly takes back a turn of the view when it draws meanwhile, so the picture rests while it is turned.
  rest() {
    this.host.addEventListener("pointerdown", () => { this.held = true; });
    // What plotly does at the end of a turn comes first.
    const release = () => setTimeout(() => { this.held = false; this.catchUp(); }, 50);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, release);
  }

  // What moved or changed colour since the last drawing, as plotly wants it: one list for every property.
  changes() {
    const frame = this.frame(), at = [], moved = [];
    for (const one of this.surfaces) {
      const before = this.poses.get(one.body.name), pose = this.pose(one.body), made = {};
      if (!same(one.drawn ?? before, pose)) Object.assign(made, placed(one.vertices, pose, this.scale));
      one.drawn = pose;
      if (frame !== this.last.frame && one.touched?.length) made.intensity = this.steps(one, frame);
      if (Object.keys(made).length) { at.push(one.at); moved.push(this.named(made)); }
    }
    for (const part of this.parts) { at.push(part.at); moved.push(this.named(part.move(this))); }
    this.last = { frame, sample: this.clock.sample };
    const change = {};
    moved.forEach((made, n) => {
      for (const [name, value] of Object.entries(flat(made))) {
        change[name] ??= new Array(at.length).fill(undefined);
        change[name][n] = value;
      }
    });
    return { at, change };
  }

  // Colours of another field.
  colour(field) {
    this.field = field;
    this.last.frame = this.frame();
    const values = this.surfaces.map((one) => this.steps(one, this.last.frame) ?? new Array(one.count).fill(0));
    if (values.length) Plotly.restyle(this.host, { intensity: values }, this.surfaces.map((one) => one.at));
  }

  // Solid, to be seen through, or hidden.
  show(one, look) {
    one.look = look;
    const opacity = look === "through" ? THROUGH : 1;
    Plotly.restyle(this.host, { opacity, visible: look !== "hidden" }, [one.at]);
  }
}

// How a ligament looks is the same in the plane and in space.
Space.prototype.strain = Scene.prototype.strain;

const same = (a, b) => a.place.every((value, k) => value === b.place[k]) && a.turn.every((value, k) => value === b.turn[k]);

// Properties of properties as plotly names them: `line.color`.
function flat(made) {
  const found = {};
  for (const [name, value] of Object.entries(made)) {
    const inside = value !== null && value.constructor === Object;
    if (inside) for (const [inner, own] of Object.entries(value)) found[`${name}.${inner}`] = own;
    else found[name] = value;
  }
  return found;
}

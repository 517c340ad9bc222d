// The moving picture in space, drawn by plotly: surfaces of bodies with fields on their faces, ligaments, forces, paths.

const LIGHT = { ambient: 0.62, diffuse: 0.72, specular: 0.12, roughness: 0.55, fresnel: 0.05, facenormalsepsilon: 0,
  vertexnormalsepsilon: 0 };
const THROUGH = 0.28; // opacity of a surface that hides what touches it

class Space {
  constructor(host, described, clock) {
    Object.assign(this, { host, described, clock, scale: described.scale, poses: new Map(), shown: {} });
    this.ligaments = described.ligaments;
    this.field = described.fields[0]?.name ?? null;
    this.surfaces = described.surfaces.map((one) => this.surface(one));
    this.draw();
    clock.listeners.push(() => this.follow());
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => { this.draw(); this.themed?.(); });
  }

  // Places glide between samples; forces, strains and states are those of the sample.
  read(reference) { return between(page.columns[reference], this.clock.position); }
  now(reference) { return page.columns[reference][this.clock.sample]; }

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
    this.last = { frame: this.frame(), sample: -1 };
    this.surfaces.forEach((one) => { one.at = this.traces.push(this.mesh(one)) - 1; });
    this.parts = SPACE_PARTS.filter((part) => part.there(this)).map((part) => {
      const made = part.make(this);
      const moved = part.move(this), line = { ...made.line, ...moved.line };
      return { at: this.traces.push({ ...made, ...moved, line, hoverinfo: "none" }) - 1, move: part.move };
    });
    const ready = Plotly.react(this.host, this.traces, this.layout(), { displayModeBar: false, responsive: true,
      scrollZoom: true, doubleClick: false });
    this.busy = ready.then(() => { this.busy = null; });
  }

  mesh(one) {
    const steps = this.steps(one, this.last.frame), bare = themed(one.body.fixed ? "part-fixed" : "part");
    const coloured = { intensity: steps ?? new Array(one.count).fill(0), intensitymode: "cell", cmin: 0, cmax: STEPS,
      colorscale: fieldScale(this.described.colours, bare), showscale: false };
    const { x: lx, y: ly, z: lz } = this.towardsEye(1e4);
    return { type: "mesh3d", name: one.name, i: one.i, j: one.j, k: one.k, ...coloured,
      ...placed(one.vertices, this.pose(one.body), this.scale), opacity: one.look === "through" ? THROUGH : 1,
      visible: one.look !== "hidden", lighting: LIGHT, lightposition: { x: lx, y: ly, z: lz }, hoverinfo: "none" };
  }

  towardsEye(far) {
    const [x, y, z] = this.described.eye.map((value) => value * far), lift = 0.8 * far;
    const up = this.described.up;
    return { x: x + (up === "x") * lift, y: y + (up === "y") * lift, z: z + (up === "z") * lift };
  }

  layout() {
    const box = this.described.box.map((range) => range.map((value) => value * this.scale));
    const extents = box.map(([low, high]) => high - low), across = Math.hypot(...extents);
    const axis = (name, range) => ({ range, title: { text: `${name} [${this.described.unit}]`, font: { size: 11 } },
      showspikes: false, showbackground: false, gridcolor: themed("line"), zeroline: false, nticks: 5,
      tickfont: { size: 10 }, color: themed("soft"), showline: false });
    // The whole box fits into the picture from every side.
    const ratio = (k) => (extents[k] / across) * 1.4, clear = "rgba(0,0,0,0)";
    return {
      margin: { l: 0, r: 0, t: 0, b: 0 }, paper_bgcolor: clear, plot_bgcolor: clear, showlegend: false,
      uirevision: "kept", font: { family: themed("text") },
      scene: {
        xaxis: axis("x", box[0]), yaxis: axis("y", box[1]), zaxis: axis("z", box[2]), aspectmode: "manual",
        aspectratio: { x: ratio(0), y: ratio(1), z: ratio(2) }, camera: this.camera(this.described.eye),
        dragmode: this.described.surfaces.length ? "orbit" : "turntable", hovermode: "closest", bgcolor: clear,
      },
    };
  }

  camera(eye, up = this.described.up) {
    return { eye: { x: eye[0], y: eye[1], z: eye[2] }, center: { x: -0.15 * (up === "x"), y: -0.15 * (up === "y"), z: -0.15 * (up === "z") },
      up: { x: +(up === "x"), y: +(up === "y"), z: +(up === "z") }, projection: { type: "perspective" } };
  }

  look(eye, up) { Plotly.relayout(this.host, { "scene.camera": this.camera(eye, up) }); }

  // Show the time of the clock; what comes while plotly draws is drawn afterwards, once.
  follow() {
    if (this.busy) { this.waiting = true; return; }
    const { at, change } = this.changes();
    if (!at.length) return;
    this.busy = Plotly.restyle(this.host, change, at).then(() => {
      this.busy = null;
      if (this.waiting) { this.waiting = false; this.follow(); }
    });
  }

  // What moved or changed colour since the last drawing, as plotly wants it: one list for every property.
  changes() {
    const frame = this.frame(), at = [], moved = [];
    for (const one of this.surfaces) {
      const before = this.poses.get(one.body.name), pose = this.pose(one.body), made = {};
      if (!same(one.drawn ?? before, pose)) Object.assign(made, placed(one.vertices, pose, this.scale));
      one.drawn = pose;
      if (frame !== this.last.frame && one.touched?.length) made.intensity = this.steps(one, frame);
      if (Object.keys(made).length) { at.push(one.at); moved.push(made); }
    }
    for (const part of this.parts) { at.push(part.at); moved.push(part.move(this)); }
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

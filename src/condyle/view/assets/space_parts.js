// What the spatial picture draws besides surfaces. A part says whether it is there, how it looks, and what it is now.

// Lists of x, y, z of runs of points with a gap after each.
function strung(runs, scale) {
  const lists = { x: [], y: [], z: [] };
  for (const points of runs) {
    for (const point of points) ["x", "y", "z"].forEach((axis, d) => lists[axis].push(point[d] === null ? null : point[d] * scale));
    for (const axis of "xyz") lists[axis].push(null);
  }
  return lists;
}

const line = (colour, width) => ({ type: "scatter3d", mode: "lines", line: { color: themed(colour), width } });
const ends = (scene, { ends: columns }) => {
  const values = columns.map((column) => scene.read(column));
  return [values.slice(0, 3), values.slice(3)];
};

// A point of a body's frame where the body is.
function carried(point, { turn: r, place: p }) {
  return [0, 1, 2].map((d) => p[d] + r[3 * d] * point[0] + r[3 * d + 1] * point[1] + r[3 * d + 2] * point[2]);
}

function triads(d, colour) {
  return {
    there: (scene) => scene.described.bodies.some((body) => body.bare),
    make: () => line(colour, 5),
    move: (scene) => strung(scene.described.bodies.filter((body) => body.bare).map((body) => {
      const pose = scene.pose(body), tip = [0, 0, 0];
      tip[d] = scene.described.triad;
      return [pose.place, carried(tip, pose)];
    }), scene.scale),
  };
}

// All arrows of one kind as one mesh.
function arrows(kind, name, most) {
  const shown = (scene) => scene.described[name];
  return {
    there: (scene) => shown(scene).length > 0 && scene.described[most] > 0,
    make: (scene) => {
      const faces = shown(scene).map((_, n) => arrowFaces(n * RINGS.length * AROUND));
      const all = (corner) => faces.flatMap((one) => one[corner]);
      return { type: "mesh3d", i: all("i"), j: all("j"), k: all("k"), color: themed(kind),
        lighting: { ...LIGHT, ambient: 0.85, diffuse: 0.35 } };
    },
    move: (scene) => {
      const points = [], longest = scene.described.arrow, per = longest / scene.described[most];
      for (const { point, push } of shown(scene)) {
        const from = point.map((column) => scene.read(column)), along = push.map((column) => scene.now(column));
        const known = ![...from, ...along].includes(null) && Math.hypot(...along) * per > 0.02 * longest;
        if (known) arrowPoints(points, from, along.map((value) => value * per), longest);
        else for (let n = 0; n < RINGS.length * AROUND; n += 1) points.push([null, null, null]);
      }
      const lists = { x: [], y: [], z: [] };
      // An arrow that is not there shrinks to a point of the picture.
      const middle = scene.described.box.map(([low, high]) => (low + high) / 2);
      for (const point of points) ["x", "y", "z"].forEach((axis, d) => lists[axis].push((point[d] ?? middle[d]) * scene.scale));
      return lists;
    },
  };
}

// The centre of pressure on the body that bears it: all of its path, a little above the surface.
const paths = {
  there: (scene) => scene.described.paths.length > 0,
  make: () => line("path", 5),
  move: (scene) => strung(scene.described.paths.map((one) => pathPoints(scene, one, page.columns[one.x].keys())), scene.scale),
};
const pathNow = {
  there: (scene) => scene.described.paths.length > 0,
  make: () => ({ type: "scatter3d", mode: "markers",
    marker: { color: themed("path"), size: 4, line: { color: themed("card"), width: 1 } } }),
  move: (scene) => strung(scene.described.paths.map((one) => pathPoints(scene, one, [scene.clock.sample])), scene.scale),
};

function pathPoints(scene, one, samples) {
  const pose = scene.pose(scene.described.bodies.find((body) => body.name === one.body));
  const lift = one.lift.map((value) => value * 0.1 * scene.described.triad);
  return Array.from(samples, (k) => {
    const point = [one.x, one.y, one.z].map((column) => page.columns[column][k]);
    return point.includes(null) ? [null, null, null] : carried(point.map((value, d) => value + lift[d]), pose);
  });
}

const ligamentLines = {
  there: (scene) => scene.described.ligaments.length > 0,
  make: () => ({ type: "scatter3d", mode: "lines", line: { width: 9 } }),
  move: (scene) => {
    const colours = scene.described.ligaments.flatMap((one) => {
      const { state, colour } = scene.strain(one);
      const shown = colour.startsWith("var") ? themed(state === "over" ? "over" : "slack") : `rgb(${colour.match(/\d+/g).join(",")})`;
      return [shown, shown, shown];
    });
    return { ...strung(scene.described.ligaments.map((one) => ends(scene, one)), scene.scale), line: { color: colours } };
  },
};
const ligamentPins = {
  there: (scene) => scene.described.ligaments.length > 0,
  make: () => ({ type: "scatter3d", mode: "markers", marker: { color: themed("casing"), size: 3.5 } }),
  move: (scene) => strung(scene.described.ligaments.map((one) => ends(scene, one)), scene.scale),
};
const springLines = {
  there: (scene) => scene.described.springs.some((one) => !one.turns),
  make: () => ({ ...line("spring", 4), line: { color: themed("spring"), width: 4, dash: "dash" } }),
  move: (scene) => strung(scene.described.springs.filter((one) => !one.turns).map((one) => ends(scene, one)), scene.scale),
};

const SPACE_PARTS = [triads(0, "axis-x"), triads(1, "axis-y"), triads(2, "axis-z"), ligamentLines, ligamentPins, springLines,
  paths, pathNow, arrows("contact", "contacts", "contact_force"), arrows("load", "loads", "load_force")];

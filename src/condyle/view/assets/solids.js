// Shapes of the spatial picture as plain numbers: fields unpacked, bodies placed, arrows and triads built.

const KINDS = { u1: Uint8Array, u4: Uint32Array, f4: Float32Array };
const STEPS = 255; // in which fields are told, of their largest value

// Numbers that came as base64; the pages are written and read on little-endian machines.
function unpacked({ kind, bytes }) {
  const raw = Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0));
  return new KINDS[kind](raw.buffer);
}

// Rotation from Euler parameters on the way between two samples, by the shorter arc; null in a gap.
function turnBetween(columns, position) {
  const k = Math.min(Math.floor(position), columns[0].length - 1), share = position - k;
  const at = (sample) => columns.map((column) => column[Math.min(sample, column.length - 1)]);
  const first = at(k), second = share === 0 ? first : at(k + 1);
  if ([...first, ...second].some((value) => value === null)) return null;
  const along = first.reduce((sum, value, i) => sum + value * second[i], 0) < 0 ? -share : share;
  const mixed = first.map((value, i) => value * (1 - share) + second[i] * along);
  const size = Math.hypot(...mixed);
  return matrix(mixed.map((value) => value / size));
}

// Rows of the rotation matrix of Euler parameters.
function matrix([e0, e1, e2, e3]) {
  return [
    1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2),
    2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1),
    2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2),
  ];
}

// Points x y z x y z ... of a body's frame where the body is: lists of x, y and z. `scale` is that of the picture.
function placed(points, { turn: r, place: p }, scale) {
  const count = points.length / 3, x = new Float64Array(count), y = new Float64Array(count), z = new Float64Array(count);
  for (let k = 0; k < count; k += 1) {
    const a = points[3 * k], b = points[3 * k + 1], c = points[3 * k + 2];
    x[k] = scale * (p[0] + r[0] * a + r[1] * b + r[2] * c);
    y[k] = scale * (p[1] + r[3] * a + r[4] * b + r[5] * c);
    z[k] = scale * (p[2] + r[6] * a + r[7] * b + r[8] * c);
  }
  return { x, y, z };
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// Rings of an arrow of length 1 along its axis: how far along, how far out. The point ends it.
const RINGS = [[0, 0], [0, 0.017], [0.72, 0.017], [0.72, 0.055], [1, 0]], AROUND = 14;

// Faces of an arrow, the same for every one.
function arrowFaces(first) {
  const i = [], j = [], k = [];
  for (let ring = 0; ring + 1 < RINGS.length; ring += 1) for (let n = 0; n < AROUND; n += 1) {
    const a = first + ring * AROUND + n, b = first + ring * AROUND + ((n + 1) % AROUND);
    i.push(a, b); j.push(b, b + AROUND); k.push(a + AROUND, a + AROUND);
  }
  return { i, j, k };
}

// Vertices of an arrow from a point along a vector; its thickness goes with the longest arrow there is.
function arrowPoints(into, from, along, thick) {
  const length = Math.hypot(...along), axis = along.map((value) => value / (length || 1));
  const least = axis.map(Math.abs), pick = least.indexOf(Math.min(...least));
  let side = cross(axis, [0, 1, 2].map((n) => (n === pick ? 1 : 0)));
  const size = Math.hypot(...side);
  side = side.map((value) => value / size);
  const other = cross(axis, side), head = Math.min(0.24 * thick, 0.6 * length);
  RINGS.forEach(([far, out], ring) => {
    const reach = ring < 2 ? far * length : ring < 4 ? length - head : length;
    for (let n = 0; n < AROUND; n += 1) {
      const angle = (2 * Math.PI * n) / AROUND, c = out * thick * Math.cos(angle), s = out * thick * Math.sin(angle);
      into.push(from.map((value, d) => value + axis[d] * reach + side[d] * c + other[d] * s));
    }
  });
}

// A scale of colours over steps 0..STEPS that shows the bare surface at 0.
function fieldScale(colours, bare) {
  const step = 1 / STEPS, inside = colours.map(([place, colour]) => [step + place * (1 - step), colour]);
  return [[0, bare], [0.5 * step, bare], [0.5 * step, colours[0][1]], ...inside];
}

// One of the page's colours, of the light or the dark set, whichever holds.
const themed = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

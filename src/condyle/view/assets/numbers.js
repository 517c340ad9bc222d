"use strict";
// Data of the page, elements, numbers as text. Words of the model only enter as text nodes and attributes.

const page = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("aria-")) node.setAttribute(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
const tag = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const draw = (name, attributes, ...children) =>
  fill(document.createElementNS(SVG, name), attributes, children);

// The numbers a reference of the page means: a series of the run, or values of its own.
function numbers(reference) {
  const own = reference.values || page.columns[reference.at];
  const scale = reference.scale ?? 1, offset = reference.offset ?? 0;
  if (scale === 1 && offset === 0) return own;
  return own.map((value) => (value === null ? null : (value + offset) * scale));
}

// Value between samples `k` and `k + 1`; null in a gap.
function between(values, position) {
  const k = Math.min(Math.floor(position), values.length - 1), share = position - k, a = values[k];
  if (share === 0 || k + 1 >= values.length) return a;
  const b = values[k + 1];
  return a === null || b === null ? null : a + (b - a) * share;
}

function extent(lists) {
  let low = Infinity, high = -Infinity;
  for (const list of lists) for (const value of list) {
    if (value === null) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

const power = (exponent) => "10" + String(exponent)
  .replace("-", "⁻").replace(/[0-9]/g, (digit) => RAISED[digit]);
const minus = (text) => text.replace("-", "−");

// Four digits for a value that stands alone.
function plain(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    const exponent = Math.floor(Math.log10(size));
    return minus((value / 10 ** exponent).toFixed(2)) + "·" + power(exponent);
  }
  const digits = size === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(size)));
  return minus(value.toFixed(Math.min(digits, 6)));
}

// As many decimals for every value of a series as its largest needs for four digits: live values stand still.
function steady(values) {
  const [low, high] = extent([values]), size = Math.max(Math.abs(low), Math.abs(high));
  if (size === 0 || size < 1e-3 || size >= 1e6) return plain;
  const decimals = Math.min(6, Math.max(0, 3 - Math.floor(Math.log10(size))));
  return (value) => {
    if (value === null || value === undefined) return "–";
    const text = value.toFixed(decimals);
    return Number(text) === 0 ? (0).toFixed(decimals) : minus(text);
  };
}

function niceStep(span, count) {
  const raw = span / Math.max(1, count), base = 10 ** Math.floor(Math.log10(raw)), part = raw / base;
  return base * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

// Places of round numbers in a range, and how to print them.
function ticks(low, high, count) {
  const step = niceStep(high - low, count), places = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) places.push(k * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const exact = (value) => (Math.abs(value) < step * 1e-6 ? 0 : value);
  return { places, text: (value) => minus(exact(value).toFixed(Math.min(decimals, 12))) };
}

// Very small and very large ranges get a power of ten that the axis label carries.
function axisPower(low, high) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  return size === 0 || (size >= 1e-3 && size < 1e5) ? 0 : 3 * Math.floor(Math.log10(size) / 3);
}

function withPower(label, exponent) {
  if (exponent === 0) return label;
  const bare = !/\[.*\]$/.test(label);
  if (bare) return `${label} [${power(exponent)}]`;
  return label.replace(/\[(.*)\]$/, (_, unit) => `[${power(exponent)} ${unit}]`);
}

// The polyline of a series as a path, broken where values are missing; a value between gaps becomes a dot.
function pathText(xs, ys, toX, toY) {
  let text = "", run = 0;
  for (let k = 0; k <= ys.length; k += 1) {
    const known = k < ys.length && xs[k] !== null && ys[k] !== null;
    if (known) text += (run === 0 ? "M" : "L") + toX(xs[k]).toFixed(1) + " " + toY(ys[k]).toFixed(1);
    else if (run === 1) text += "h0";
    run = known ? run + 1 : 0;
  }
  return text;
}

// Line charts: a still layer with axes and lines, one above it for the time shown and the place pointed at.

let chartCount = 0;
const MARGIN = { left: 54, right: 12, top: 22, bottom: 36 };

class Chart {
  // `clock` is null on pages without time; else it has `sample`, `text(sample)` and `go(sample)`.
  constructor(described, clock) {
    this.described = described;
    this.clock = clock;
    this.id = `chart${(chartCount += 1)}`;
    this.choice = 0;
    this.hidden = new Set();
    this.seen = true;
    this.build();
    this.choose(0);
  }

  build() {
    const described = this.described;
    this.still = draw("svg", { role: "img", "aria-label": described.title || described.y });
    this.over = draw("svg", { class: "over", "aria-hidden": "true" });
    this.tip = tag("div", { class: "tip", hidden: true });
    this.plot = tag("div", { class: "plot" }, this.still, this.over, this.tip);
    this.legend = tag("div", { class: "legend" });
    const head = tag("div", { class: "head" }, tag("h3", {}, described.title || ""), this.tools());
    const note = described.note ? tag("p", { class: "note" }, described.note) : null;
    const label = described.title || described.y;
    this.host = tag("section", { class: "chart card", "aria-label": label }, head, this.legend,
      this.plot, note);
    new ResizeObserver(() => this.render()).observe(this.plot);
    const seen = (entries) => { this.seen = entries.at(-1).isIntersecting; this.follow(); };
    new IntersectionObserver(seen, { rootMargin: "120px" }).observe(this.plot);
    this.plot.addEventListener("pointermove", (event) => {
      this.point(event);
      if (this.held) this.goThere();
    });
    this.plot.addEventListener("pointerleave", () => this.leave());
    this.plot.addEventListener("pointerdown", (event) => this.press(event));
    const release = () => { this.held = false; };
    for (const name of ["pointerup", "pointercancel"]) this.plot.addEventListener(name, release);
  }

  tools() {
    const box = tag("div", { class: "tools" });
    const choices = this.described.x;
    if (choices.length > 1) {
      const name = (axis) => axis.name || axis.label.replace(/ \[.*\]$/, "");
      this.buttons = choices.map((axis) => tag("button", { type: "button" }, name(axis)));
      this.buttons.forEach((button, k) => button.addEventListener("click", () => this.choose(k)));
      const named = { class: "choice", role: "group", "aria-label": "What is drawn over what" };
      box.append(tag("div", named, ...this.buttons));
    }
    const arrows = draw("path", { d: "M7 1h4v4M11 1L7 5M5 11H1V7M1 11l4-4" });
    const named = { "aria-label": "Wide plot", "aria-pressed": false, title: "Wide plot" };
    const grow = tag("button", { type: "button", class: "grow", ...named },
      draw("svg", { viewBox: "0 0 12 12" }, arrows));
    const widen = () => grow.setAttribute("aria-pressed", this.host.classList.toggle("wide"));
    grow.addEventListener("click", widen);
    box.append(grow);
    return box;
  }

  // Take one of the horizontal axes.
  choose(k) {
    this.choice = k;
    this.axis = this.described.x[k];
    this.buttons?.forEach((button, other) => button.setAttribute("aria-pressed", other === k));
    this.series = (this.axis.series || this.described.series).map((one) => this.read(one));
    const rises = (x) => x.every((value, at) => value !== null && (at === 0 || value >= x[at - 1]));
    this.rising = this.series.every((one) => rises(one.x));
    this.fillLegend();
    this.render();
  }

  read(one) {
    const y = numbers(one.y), x = numbers(one.x || this.axis.number);
    const text = this.described.floor === undefined ? steady(y) : plain;
    return { name: one.name, points: one.style === "points", tone: toneOf(one), x, y, text, textX: steady(x) };
  }

  fillLegend() {
    const single = this.series.length === 1;
    this.values = [];
    this.legend.replaceChildren(...this.series.map((one, k) => {
      const value = this.clock ? tag("output", {}) : null;
      if (value) {
        this.values.push(value);
        const [low, high] = extent([one.y]);
        value.style.minWidth = `${Math.max(one.text(low).length, one.text(high).length)}ch`;
      }
      const state = { "aria-pressed": !this.hidden.has(k), title: single ? null : "Show or hide" };
      const label = tag("span", {}, one.name);
      const button = tag("button", { type: "button", ...state }, sample(one), label, value);
      if (!single) button.addEventListener("click", () => this.toggle(k));
      return button;
    }));
  }

  toggle(k) {
    if (!this.hidden.delete(k) && this.hidden.size + 1 < this.series.length) this.hidden.add(k);
    this.fillLegend();
    this.render();
  }

  shown() { return this.series.filter((_, k) => !this.hidden.has(k)); }

  // What the vertical axis must hold.
  reach(shown) { return extent(shown.map((one) => one.y)); }

  ranges(width, height) {
    const shown = this.shown(), { equal, window, floor } = this.described;
    let [x0, x1] = window ? window.slice(0, 2) : extent(shown.map((one) => one.x));
    let [y0, y1] = window ? window.slice(2) : this.reach(shown);
    if (floor !== undefined && y0 < floor) y0 = floor;
    if (!window && y0 > 0 && y0 < 0.4 * y1) y0 = 0;
    if (!window && y1 < 0 && y1 > 0.4 * y0) y1 = 0;
    const spread = (y1 - y0) || Math.abs(y0) || 1;
    if (!window) { if (y0 !== 0 && y0 !== floor) y0 -= 0.06 * spread; y1 += 0.06 * spread; }
    const pad = x1 === x0 ? 0.5 : this.rising || window ? 0 : 0.03 * (x1 - x0);
    x0 -= pad; x1 += pad;
    if (equal) {
      const unit = Math.max((x1 - x0) / width, (y1 - y0) / height);
      const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
      const [across, up] = [(unit * width) / 2, (unit * height) / 2];
      [x0, x1, y0, y1] = [cx - across, cx + across, cy - up, cy + up];
    }
    return [x0, x1, y0, y1];
  }

  render() {
    const box = this.plot.getBoundingClientRect();
    if (box.width < 80 || !this.series) return;
    this.width = box.width; this.height = box.height;
    const inner = { width: box.width - MARGIN.left - MARGIN.right,
      height: box.height - MARGIN.top - MARGIN.bottom };
    const [x0, x1, y0, y1] = this.ranges(inner.width, inner.height);
    this.toX = (x) => MARGIN.left + ((x - x0) / (x1 - x0)) * inner.width;
    this.toY = (y) => MARGIN.top + ((y1 - y) / (y1 - y0)) * inner.height;
    const room = { x: MARGIN.left, y: MARGIN.top - 3, width: inner.width + 3, height: inner.height + 6 };
    const clip = draw("clipPath", { id: `${this.id}clip` }, draw("rect", room));
    const lines = draw("g", { "clip-path": `url(#${this.id}clip)` });
    for (const { x, y } of this.described.backdrop || []) {
      lines.append(draw("path", { class: "backdrop", d: pathText(x, y, this.toX, this.toY) }));
    }
    for (const one of this.shown()) lines.append(this.line(one));
    this.still.replaceChildren(clip, ...this.axes(x0, x1, y0, y1, inner), lines);
    const away = { visibility: "hidden" };
    const upright = { y1: MARGIN.top, y2: MARGIN.top + inner.height, ...away };
    this.dots = this.series.map(({ tone }) => draw("circle", { class: `at ${tone}`, r: 4, ...away }));
    this.cursor = draw("line", { class: "cursor", ...upright });
    this.probe = draw("line", { class: "probe", ...upright });
    this.marks = draw("g", {});
    this.over.replaceChildren(this.cursor, ...this.dots, this.probe, this.marks);
    this.follow();
  }

  line(one) {
    const d = pathText(one.x, one.y, this.toX, this.toY);
    const width = this.strength(one);
    if (!one.points) return draw("path", { class: `series ${one.tone}`, "stroke-width": width, d });
    const marks = draw("g", { class: `points ${one.tone}` });
    one.y.forEach((y, k) => {
      if (y === null || one.x[k] === null) return;
      marks.append(draw("circle", { cx: this.toX(one.x[k]).toFixed(1), cy: this.toY(y).toFixed(1), r: 3 }));
    });
    return marks;
  }

  // Where lines are compared the first is the thickest, so that those that agree show side by side.
  strength(one) {
    const lines = this.series.filter((other) => !other.points);
    return this.clock || lines.length > 4 ? null : 1.6 + 0.9 * (lines.length - 1 - lines.indexOf(one));
  }

  axes(x0, x1, y0, y1, inner) {
    const parts = [], right = MARGIN.left + inner.width, bottom = MARGIN.top + inner.height;
    const powerX = axisPower(x0, x1), powerY = axisPower(y0, y1);
    const across = ticks(x0 / 10 ** powerX, x1 / 10 ** powerX, inner.width / 96);
    const up = ticks(y0 / 10 ** powerY, y1 / 10 ** powerY, inner.height / 38);
    for (const place of up.places) {
      const y = this.toY(place * 10 ** powerY);
      const kind = place === 0 ? "axis" : "gridline";
      parts.push(draw("line", { class: kind, x1: MARGIN.left, x2: right, y1: y, y2: y }));
      parts.push(draw("text", { x: MARGIN.left - 7, y: y + 4, "text-anchor": "end" }, up.text(place)));
    }
    for (const place of across.places) {
      const x = this.toX(place * 10 ** powerX);
      parts.push(draw("line", { class: "gridline", x1: x, x2: x, y1: MARGIN.top, y2: bottom }));
      const anchor = x > right - 10 ? "end" : "middle";
      parts.push(draw("text", { x, y: bottom + 15, "text-anchor": anchor }, across.text(place)));
    }
    parts.push(draw("line", { class: "zero", x1: MARGIN.left, x2: right, y1: bottom, y2: bottom }));
    parts.push(draw("text", { class: "label", x: 2, y: 11 }, withPower(this.axis.y || this.described.y, powerY)));
    const below = { class: "label", x: right, y: bottom + 31, "text-anchor": "end" };
    parts.push(draw("text", below, withPower(this.axis.label, powerX)));
    return parts;
  }

  // Show the time of the clock: a line where the axis is time, a dot on every series.
  follow() {
    if (!this.clock || !this.toX) return;
    const sample = this.clock.sample;
    this.series.forEach((one, k) => { this.values[k].textContent = one.text(one.y[sample]); });
    if (!this.seen) return;
    if (this.axis.time) {
      const x = this.toX(this.series[0].x[sample]).toFixed(1);
      fill(this.cursor, { x1: x, x2: x, visibility: "visible" }, []);
    } else this.cursor.setAttribute("visibility", "hidden");
    this.series.forEach((one, k) => {
      const x = one.x[sample], y = one.y[sample];
      const known = x !== null && y !== null && !this.hidden.has(k);
      const shown = known && this.toY(y) < this.height - MARGIN.bottom + 4;
      this.dots[k].setAttribute("visibility", shown ? "visible" : "hidden");
      if (shown) fill(this.dots[k], { cx: this.toX(x).toFixed(1), cy: this.toY(y).toFixed(1) }, []);
    });
  }

  // Read the values under the pointer.
  point(event) {
    const box = this.plot.getBoundingClientRect();
    const px = event.clientX - box.left, py = event.clientY - box.top;
    const found = this.rising ? this.column(px) : this.nearest(px, py);
    this.found = found[0] || null;
    if (!this.found) return this.leave();
    const dot = ({ one, k }) => draw("circle",
      { class: `at ${one.tone}`, r: 4.5, cx: this.toX(one.x[k]), cy: this.toY(one.y[k]) });
    this.marks.replaceChildren(...found.map(dot));
    const x = this.toX(this.found.one.x[this.found.k]);
    fill(this.probe, { x1: x, x2: x, visibility: this.rising ? "visible" : "hidden" }, []);
    this.tell(found, px, py);
  }

  // The sample of every series nearest to a place on the horizontal axis.
  column(px) {
    const found = [];
    for (const one of this.shown()) {
      let low = 0, high = one.x.length - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (this.toX(one.x[middle]) < px) low = middle; else high = middle;
      }
      const k = Math.abs(this.toX(one.x[low]) - px) <= Math.abs(this.toX(one.x[high]) - px) ? low : high;
      if (one.y[k] !== null && one.y[k] !== undefined) found.push({ one, k });
    }
    return found;
  }

  // The one sample nearest to a place.
  nearest(px, py) {
    let best = null, least = Infinity;
    for (const one of this.shown()) for (let k = 0; k < one.y.length; k += 1) {
      if (one.x[k] === null || one.y[k] === null) continue;
      const distance = (this.toX(one.x[k]) - px) ** 2 + (this.toY(one.y[k]) - py) ** 2;
      if (distance < least) { least = distance; best = { one, k }; }
    }
    return best ? [best] : [];
  }

  tell(found, px, py) {
    const { one, k } = found[0], rows = [[null, this.axis.label, one.textX(one.x[k])]];
    if (this.clock && !this.axis.time) rows.unshift([null, "Time [s]", this.clock.text(k)]);
    for (const each of found) rows.push([sample(each.one), each.one.name, each.one.text(each.one.y[each.k])]);
    const line = ([mark, name, value]) => tag("tr", {}, tag("th", {}, mark, name), tag("td", {}, value));
    this.tip.replaceChildren(tag("table", {}, tag("tbody", {}, ...rows.map(line))));
    this.tip.hidden = false;
    const width = this.tip.offsetWidth, height = this.tip.offsetHeight;
    this.tip.style.left = `${Math.max(0, px + 16 + width > this.width ? px - 16 - width : px + 16)}px`;
    this.tip.style.top = `${Math.max(-8, Math.min(py - height / 2, this.height - height))}px`;
  }

  leave() {
    this.tip.hidden = true;
    this.found = null;
    this.probe?.setAttribute("visibility", "hidden");
    this.marks?.replaceChildren();
  }

  press(event) {
    this.point(event);
    if (!this.clock || event.button !== 0) return;
    this.held = true;
    this.plot.setPointerCapture(event.pointerId);
    this.goThere();
  }

  goThere() { if (this.clock && this.found) this.clock.go(this.found.k); }
}

function toneOf(one) {
  return `t${one.tone % 7} d${Math.floor(one.tone / 7) % 4}${one.style === "track" ? " track" : ""}`;
}

function sample(one) {
  const mark = one.points
    ? draw("circle", { class: `sample points ${one.tone}`, cx: 10, cy: 4, r: 3.2 })
    : draw("path", { class: `sample ${one.tone}`, d: "M1.5 4H18.5" });
  return draw("svg", { class: "sample", viewBox: "0 0 20 8", "aria-hidden": "true" }, mark);
}

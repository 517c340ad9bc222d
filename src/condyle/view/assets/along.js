// A chart over a length instead of over time: lines that change with the time shown, each in the band of its range.

class AlongChart extends Chart {
  constructor(described, clock) {
    super(described, null);
    this.moment = clock;
  }

  read(one) {
    const x = numbers(one.x), low = numbers(one.low), high = numbers(one.high);
    const made = { name: one.name, tone: toneOf(one), along: one.along, x, low, high };
    return { ...made, y: this.now(one), text: steady([...low, ...high]), textX: steady(x) };
  }

  now({ along }) { return along.map((column) => page.columns[column][this.moment?.sample ?? 0]); }
  reach(shown) { return extent(shown.flatMap(({ low, high }) => [low, high])); }
  path({ x, y }) { return pathText(x, y, this.toX, this.toY); }

  line(one) {
    const back = [...one.x].reverse(), ring = [[...one.x, ...back], [...one.high, ...[...one.low].reverse()]];
    const band = draw("path", { class: `band ${one.tone}`, d: pathText(...ring, this.toX, this.toY) + "z" });
    one.path = draw("path", { class: `series ${one.tone}` });
    return draw("g", {}, band, one.path);
  }

  follow() {
    if (!this.moment || !this.toX) return;
    for (const one of this.series) {
      one.y = this.now(one);
      if (this.seen) one.path?.setAttribute("d", this.path(one));
    }
  }
}

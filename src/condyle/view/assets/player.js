// The time shown: slider, play and pause, speed, keys. Everything that shows it listens to the clock.

const SPEEDS = [
  ...[1000, 500, 200, 100, 50, 20, 10, 5, 2].map((slower) => [1 / slower, `1/${slower}`]),
  [1, "real time"],
  ...[2, 5, 10, 60].map((faster) => [faster, `${faster}×`]),
];
const COMFORTABLE = 8; // [s] that a run should take to watch
const ICONS = { play: "M4 2.5v13l11.5-6.5z", pause: "M4 2.5h3.6v13H4zM10.4 2.5H14v13h-3.6z" };

class Clock {
  constructor(times) {
    this.times = times;
    this.count = times.length;
    this.position = 0; // in samples; between two, bodies are drawn on their way, but no value is made up
    this.listeners = [];
    const span = times[this.count - 1] - times[0];
    this.decimals = Math.min(9, Math.max(3, 3 - Math.floor(Math.log10(span || 1))));
  }

  get sample() { return Math.round(this.position); }
  get time() { return between(this.times, this.position); }
  text(sample) { return minus(this.times[sample].toFixed(this.decimals)); }

  go(position) {
    this.position = Math.min(Math.max(position, 0), this.count - 1);
    this.wanted ??= requestAnimationFrame(() => { this.wanted = undefined; this.tell(); });
  }

  // Sample position of a time, by halving.
  goTo(time) {
    let low = 0, high = this.count - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle; else high = middle;
    }
    const span = this.times[high] - this.times[low];
    this.go(span > 0 ? low + (time - this.times[low]) / span : low);
  }

  tell() { for (const listener of this.listeners) listener(); }
}

class Player {
  constructor(clock) {
    this.clock = clock;
    const found = ["play", "time", "now", "speed"].map((id) => document.getElementById(id));
    [this.button, this.slider, this.now, this.choice] = found;
    this.first = clock.times[0]; this.span = clock.times[clock.count - 1] - this.first;
    this.playing = false;
    this.fillSpeeds();
    this.icon();
    this.button.addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => {
      clock.goTo(this.first + (this.slider.value / 1000) * this.span);
      if (!this.playing) clock.go(clock.sample);
    });
    document.addEventListener("keydown", (event) => this.key(event));
    clock.listeners.push(() => this.follow());
  }

  fillSpeeds() {
    const wanted = this.span / COMFORTABLE;
    const offered = SPEEDS.filter(
      ([factor]) => factor === 1 || (factor > wanted / 20 && factor < wanted * 50));
    const away = ([factor]) => Math.abs(Math.log(factor / wanted));
    const best = offered.reduce((a, b) => (away(b) < away(a) ? b : a));
    const option = ([factor, text]) => tag("option", { value: factor, selected: factor === best[0] }, text);
    this.choice.replaceChildren(...offered.map(option));
  }

  icon() {
    const shape = draw("path", { d: this.playing ? ICONS.pause : ICONS.play });
    this.button.replaceChildren(draw("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, shape));
    this.button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    this.button.setAttribute("aria-pressed", this.playing);
  }

  toggle() {
    this.playing = !this.playing;
    this.icon();
    if (!this.playing) return this.clock.go(this.clock.sample);
    if (this.clock.position >= this.clock.count - 1) this.clock.go(0);
    let last = null;
    const frame = (stamp) => {
      if (!this.playing) return;
      const passed = last === null ? 0 : Math.min(stamp - last, 100) / 1000;
      last = stamp;
      this.clock.goTo(this.clock.time + passed * Number(this.choice.value));
      if (this.clock.position >= this.clock.count - 1) this.toggle();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  key(event) {
    const on = event.target, slider = on === this.slider;
    if (event.altKey || event.ctrlKey || event.metaKey || on.closest("select, pre")) return;
    const step = event.shiftKey ? 10 : 1, here = this.clock.position;
    const moves = { Home: 0, End: this.clock.count - 1 };
    moves.ArrowRight = Math.floor(here + 1e-9) + step;
    moves.ArrowLeft = Math.ceil(here - 1e-9) - step;
    // Up and down scroll the page unless the slider is held.
    if (slider) Object.assign(moves, { ArrowUp: moves.ArrowRight, ArrowDown: moves.ArrowLeft });
    if (event.key === " ") {
      if (on.closest("button, summary, a")) return;
      this.toggle();
    } else if (event.key in moves) this.clock.go(moves[event.key]);
    else return;
    event.preventDefault();
  }

  follow() {
    const text = `${this.clock.text(this.clock.sample)} s`;
    this.now.textContent = text;
    const share = this.span > 0 ? (this.clock.time - this.first) / this.span : 0;
    if (!this.slider.matches(":active")) this.slider.value = 1000 * share;
    this.slider.setAttribute("aria-valuetext", text);
  }
}

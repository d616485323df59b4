"use strict";
// Numbers over the whole game, one line each, told apart by letter, dashes and colour. A press or drag goes to a moment.

const DASHES = ["", "10 4", "4 3", "14 3 3 3"];
const SPACE = { left: 34, right: 46, top: 10, bottom: 20 };

class Chart {
  /** `series(state)` gives the numbers of a state, one a line; `names` are what the lines are called. */
  constructor(title, names, series, go) {
    this.title = title;
    this.names = names;
    this.series = series;
    this.go = go;
    this.course = s("g", {});
    this.moment = s("g", {});
    this.drawing = s("svg", { class: "chart", role: "img" }, this.course, this.moment);
    this.element = h("figure", { class: "card figure" }, h("figcaption", {}, title), this.drawing);
    this.drawing.addEventListener("pointerdown", (event) => this.press(event));
    this.drawing.addEventListener("pointermove", (event) => { if (event.buttons === 1) this.goTo(event); });
    new ResizeObserver(() => this.game && this.show(this.game, this.n)).observe(this.drawing);
  }

  press(event) {
    this.drawing.setPointerCapture(event.pointerId);
    this.goTo(event);
  }

  goTo(event) {
    const x = event.clientX - this.drawing.getBoundingClientRect().left;
    const share = (x - SPACE.left) / (this.width - SPACE.left - SPACE.right);
    this.go(this.game.clamp(Math.round(this.game.first + share * (this.game.last - this.game.first))));
  }

  show(game, n) {
    this.game = game;
    this.n = n;
    const [width, height] = [this.drawing.clientWidth || 600, this.drawing.clientHeight || 150];
    const drawn = [game, game.last, width, height];
    if (drawn.some((part, place) => part !== this.drawn?.[place])) {
      this.drawn = drawn;
      this.drawCourse(width, height);
    }
    this.drawing.setAttribute("aria-label", this.described());
    this.moment.replaceChildren(...this.cursor());
  }

  /** Everything but the moment. */
  drawCourse(width, height) {
    [this.width, this.height] = [width, height];
    this.values = this.game.states.map(this.series);
    this.most = Math.max(5, ...this.values.flat());
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.course.replaceChildren(...this.grid(), ...this.stretches(), ...this.lines(), ...this.labels());
  }

  described() {
    const now = this.values[this.n - this.game.first];
    const parts = this.names.map((name, line) => `${name} ${now[line]}`);
    return `${this.title} after ${count(this.n, "action")}: ${parts.join(", ")}`;
  }

  x(n) {
    const all = Math.max(1, this.game.last - this.game.first);
    return SPACE.left + ((n - this.game.first) / all) * (this.width - SPACE.left - SPACE.right);
  }

  y(value) {
    return this.height - SPACE.bottom - (value / this.most) * (this.height - SPACE.top - SPACE.bottom);
  }

  *grid() {
    const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((size) => this.most / size <= 4) ?? this.most;
    for (let value = 0; value <= this.most; value += step) {
      yield s("path", { class: "grid", d: `M${SPACE.left} ${this.y(value)}H${this.width - SPACE.right}` });
      yield s("text", { class: "tick", x: SPACE.left - 6, y: this.y(value) + 4, "text-anchor": "end" }, value);
    }
  }

  /** Where rounds begin, and periods, which have a name. */
  *stretches() {
    for (const n of this.game.marks.round ?? []) {
      yield s("path", { class: "round", d: `M${this.x(n)} ${this.height - SPACE.bottom}v5` });
    }
    for (const n of this.game.marks.period ?? []) {
      if (n === this.game.last) continue;
      const x = this.x(n);
      if (n > this.game.first) yield s("path", { class: "period", d: `M${x} ${SPACE.top}V${this.height - SPACE.bottom}` });
      const name = `period ${this.game.state(n).period}`;
      yield s("text", { class: "tick", x: x + 4, y: this.height - 5 }, name);
    }
  }

  *cursor() {
    yield s("path", { class: "now", d: `M${this.x(this.n)} ${SPACE.top}V${this.height - SPACE.bottom}` });
    for (const line of this.names.keys()) {
      const now = this.values[this.n - this.game.first][line];
      yield s("circle", { class: "dot", cx: this.x(this.n), cy: this.y(now), r: 4.5, style: `fill:var(--seat-${line % 4})` });
    }
  }

  *lines() {
    for (const line of this.names.keys()) {
      const d = this.path(line);
      yield s("path", { class: "casing", d });
      yield s("path", { class: "line", d, style: `stroke:var(--seat-${line % 4})`, "stroke-dasharray": DASHES[line % 4] });
    }
  }

  /** Steps, not slopes: points come all at once. */
  path(line) {
    let d = `M${this.x(this.game.first)} ${this.y(this.values[0][line])}`;
    for (let place = 1; place < this.values.length; place++) {
      if (this.values[place][line] === this.values[place - 1][line]) continue;
      d += `H${this.x(this.game.first + place).toFixed(1)}V${this.y(this.values[place][line]).toFixed(1)}`;
    }
    return `${d}H${this.x(this.game.last)}`;
  }

  /** Letters and last values at the right end, moved apart where they would touch. */
  *labels() {
    const ends = this.names.map((name, line) => ({ name, line, value: this.values.at(-1)[line] }));
    ends.sort((a, b) => b.value - a.value);
    let lowest = -Infinity;
    for (const [place, end] of ends.entries()) {
      const room = this.height - 10 - 17 * (ends.length - 1 - place);
      const y = Math.min(Math.max(this.y(end.value), lowest + 17, 10), room);
      lowest = y;
      const x = this.width - SPACE.right + 12;
      const colour = `var(--seat-${end.line % 4})`;
      yield s("circle", { class: "dot", cx: x, cy: y, r: 7.5, style: `fill:${colour}` });
      yield s("text", { class: "dot-text", x, y: y + 3.6, style: `fill:var(--seat-${end.line % 4}-ink)` }, end.name);
      yield s("text", { class: "tick strong", x: x + 11, y: y + 4 }, end.value);
    }
  }
}

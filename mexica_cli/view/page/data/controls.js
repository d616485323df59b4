"use strict";
// Buttons, slider and keys that go through a game, and the clock that plays it.

const ICONS = {
  first: "M18 5l-8 7 8 7M6 5v14", back: "M15 5l-8 7 8 7", play: "M7 4l13 8-13 8z", pause: "M6 4h4v16h-4zM14 4h4v16h-4z",
  forward: "M9 5l8 7-8 7", last: "M6 5l8 7-8 7M18 5v14",
};
/** Milliseconds from one moment to the next. */
const SPEEDS = { "½×": 1400, "1×": 700, "4×": 175, "16×": 45 };

class Controls {
  /** `go(n)` is called to go to a moment, `link()` makes the address of the one that is shown. */
  constructor(go, link) {
    this.go = go;
    this.link = link;
    this.unit = "action";
    this.speed = "1×";
    this.timer = null;
    this.slider = h("input", { type: "range", class: "slider", "aria-label": "Moment", oninput: () => this.slid() });
    this.play = this.button("play", "Play (space)", () => this.toggle());
    this.buttons = {
      first: this.button("first", "To the beginning (Home)", () => this.go(this.game.first)),
      back: this.button("back", "Back (left arrow)", () => this.step(-1)),
      play: this.play,
      forward: this.button("forward", "Forward (right arrow)", () => this.step(1)),
      last: this.button("last", "To the end (End)", () => this.go(this.game.last)),
    };
    this.units = h("div", { class: "segments", role: "group", "aria-label": "Step by" });
    this.counter = h("output", { class: "counter" });
    this.copy = h("button", { class: "small", onclick: () => this.copyLink(), title: "Copy a link to this moment" }, "Link");
    this.speeds = h("select", { "aria-label": "Speed", onchange: () => { this.speed = this.speeds.value; } },
      Object.keys(SPEEDS).map((speed) => h("option", { value: speed, selected: speed === this.speed }, speed)));
    this.element = h("div", { class: "controls card", role: "toolbar", "aria-label": "Playback" }, this.slider,
      h("div", { class: "row" }, this.units, h("div", { class: "buttons" }, Object.values(this.buttons)),
        h("div", { class: "more" }, this.counter, this.speeds, this.copy)));
  }

  button(name, label, onclick) {
    return h("button", { class: `round-button ${name}`, "aria-label": label, title: label, onclick }, icon(ICONS[name]));
  }

  open(game) {
    this.game = game;
    if (!(this.unit in game.units)) this.unit = "action";
    this.units.replaceChildren(...Object.keys(game.units).map((unit) =>
      h("button", { onclick: () => this.choose(unit), "data-unit": unit }, unit)));
    this.choose(this.unit);
    this.pause();
  }

  /** Step and play by this unit. */
  choose(unit) {
    this.unit = unit;
    for (const button of this.units.children) button.setAttribute("aria-pressed", String(button.dataset.unit === unit));
  }

  show(n, words) {
    this.n = n;
    Object.assign(this.slider, { min: this.game.first, max: this.game.last, value: n });
    this.slider.style.setProperty("--done", `${(100 * (n - this.game.first)) / Math.max(1, this.game.last - this.game.first)}%`);
    this.slider.setAttribute("aria-valuetext", `action ${n} of ${this.game.last}: ${words}`);
    this.counter.textContent = `${n} / ${this.game.last}`;
    for (const name of ["first", "back"]) this.buttons[name].disabled = n === this.game.first;
    for (const name of ["forward", "last"]) this.buttons[name].disabled = n === this.game.last;
  }

  slid() {
    this.pause();
    this.go(Number(this.slider.value));
  }

  /** One unit on, or back. */
  step(direction, unit = this.unit) {
    this.pause();
    this.go(direction > 0 ? this.game.after(this.n, unit) : this.game.before(this.n, unit));
  }

  // ---- playing ----

  toggle() {
    if (this.plays) return this.pause();
    if (this.n === this.game.last) this.go(this.game.first);
    this.timer = setTimeout(() => this.tick(), 150);
    this.showPlaying();
  }

  tick() {
    this.go(this.game.after(this.n, this.unit));
    this.timer = this.n === this.game.last ? null : setTimeout(() => this.tick(), SPEEDS[this.speed]);
    this.showPlaying();
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  get plays() {
    return this.timer !== null;
  }

  showPlaying() {
    const playing = this.plays;
    this.play.replaceChildren(icon(ICONS[playing ? "pause" : "play"]));
    this.play.setAttribute("aria-label", playing ? "Pause (space)" : "Play (space)");
    this.play.setAttribute("aria-pressed", String(playing));
  }

  // ---- keys and link ----

  /** What a key does; false if nothing. */
  key(event) {
    const turn = "phase" in this.game.units ? "phase" : "turn";
    const unit = event.shiftKey ? turn : this.unit;
    switch (event.key) {
      case "ArrowLeft": return this.step(-1, unit), true;
      case "ArrowRight": return this.step(1, unit), true;
      case "ArrowUp": return this.step(-1, turn), true;
      case "ArrowDown": return this.step(1, turn), true;
      case "PageUp": return this.step(-1, "round" in this.game.units ? "round" : turn), true;
      case "PageDown": return this.step(1, "round" in this.game.units ? "round" : turn), true;
      case "Home": return this.pause(), this.go(this.game.first), true;
      case "End": return this.pause(), this.go(this.game.last), true;
      case " ": return this.toggle(), true;
      default: return false;
    }
  }

  async copyLink() {
    const address = new URL(this.link(), location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      this.copied("Copied");
    } catch {
      prompt("The link to this moment:", address);
    }
  }

  copied(word) {
    this.copy.textContent = word;
    setTimeout(() => { this.copy.textContent = "Link"; }, 1500);
  }
}

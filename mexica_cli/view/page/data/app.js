"use strict";
// The page: which game is shown at which moment, and everything on it told so.

/** How each game is shown. */
const KINDS = {
  mexica: {
    table: (game, page) => new Board(page.drawings, game),
    panel: (app) => new MexicaPanel((cell) => app.table.shade(cell)),
    legend: (page) => boardLegend(page.drawings),
    heading: (game, n) => {
      const state = game.state(n);
      const who = `${letterOf(state.seat)} ${game.seats[state.seat]}`;
      return state.phase === "place" ? "Setting pawns" : `Round ${state.round} · ${who}`;
    },
    chart: (game, go) => new Chart("Points", game.seats.map((_, seat) => letterOf(seat)), (state) => state.scores, go),
  },
  moctezuma: {
    table: (game) => new CardTable(game),
    panel: () => null,
    legend: () => cardLegend(),
    heading: (game, n) => {
      const state = game.state(n);
      return `Round ${state.round} · ${state.phase}`;
    },
    chart: (game, go) => {
      const lines = GOD_LINES.filter(([, place]) => game.state(game.first).gods.some((god) => god.place === place));
      const title = `Fortress of the gods: ${lines.map(([letter, place]) => `${letter} ${PLACES[place]}`).join(", ")}`;
      return new Chart(title, lines.map(([letter]) => letter), (state) => fortresses(state, lines), go);
    },
  },
};
const PLAIN = {
  table: () => new PlainTable(),
  panel: () => new PlainPanel(),
  legend: () => "",
  heading: (game, n) => `Turn ${game.state(n).turn ?? n}`,
  chart: (game, go) =>
    new Chart("Points", game.seats.map((_, seat) => letterOf(seat)), (state) => state.scores ?? game.seats.map(() => 0), go),
};

class App {
  /** `link(n)` makes the address of a moment of the game that is shown, `nav()` what leads to others; `remembers`: the
   * address bar keeps up with the moment. */
  constructor(page, { link, nav, remembers = true }) {
    this.page = page;
    this.remembers = remembers;
    this.link = link;
    this.navigation = nav;
    this.viewer = ALL;
    this.follows = false;
    this.main = h("main", { id: "main" });
    this.title = h("h1", {});
    this.nav = h("nav", { "aria-label": "Games" });
    this.controls = new Controls((n) => this.go(n), () => this.link(this.n));
    this.help = helpDialog();
    document.body.append(h("header", { class: "top" }, this.title, this.nav,
      h("button", { class: "small", onclick: () => switchTheme(), title: "Light or dark" }, "◐"),
      h("button", { class: "small", onclick: () => this.help.showModal(), "aria-label": "Help", title: "How to read it, and keys" }, "?")),
      this.main, this.help);
    addEventListener("keydown", (event) => this.key(event));
    // Who presses a button with the mouse goes on with the keys, of which space and arrows are ours.
    this.main.addEventListener("click", (event) => event.detail > 0 && document.activeElement?.closest("button, a")?.blur());
  }

  // ---- a game ----

  /** Show a game at a moment; null: at its beginning. */
  open(game, n) {
    this.kind = KINDS[game.name] ?? PLAIN;
    this.game = game;
    this.viewer = ALL;
    this.table = this.kind.table(game, this.page);
    this.panel = this.kind.panel(this);
    this.chart = this.kind.chart(game, (moment) => { this.controls.pause(); this.go(moment); });
    this.moves = new Moves(this.kind.heading, (moment) => this.link(moment));
    this.said = h("p", { class: "said", "aria-live": "polite" });
    this.frame = h("div", { class: "frame" }, this.table.element);
    this.controls.open(game);
    this.main.className = `game of-${game.name}`;
    this.main.replaceChildren(
      h("div", { class: "left" }, this.frame, h("div", { class: "under" }, this.said, this.zoom(), this.views()),
        this.controls.element, h("div", { class: "below" }, this.chart.element, this.panel?.more ?? null)),
      h("div", { class: "right" }, this.panel?.element ?? null, this.moves.element));
    this.help.querySelector(".read").replaceChildren(this.kind.legend(this.page));
    this.showTitle();
    this.go(n ?? game.first);
  }

  showTitle() {
    const { game } = this;
    const name = game.name.charAt(0).toUpperCase() + game.name.slice(1);
    this.title.replaceChildren(h("span", {}, name), h("small", {}, `match ${game.match}, ${game.rules} rules`));
    document.title = `${game.seats.join(" – ")} · ${name} ${game.match}`;
    this.nav.replaceChildren(...this.navigation());
  }

  /** Show no game, but what the caller puts into `main`. */
  leave(title, about) {
    this.game = null;
    this.controls.pause();
    this.title.replaceChildren(h("span", {}, title), h("small", {}, about));
    document.title = title;
    this.nav.replaceChildren();
    this.main.className = "all";
    this.main.replaceChildren();
  }

  go(n) {
    this.n = this.game.clamp(n);
    this.follows = this.n === this.game.last;
    this.show();
    this.remember();
  }

  show() {
    const { game, n, viewer } = this;
    const words = wordsOf(game, n, viewer);
    for (const part of [this.table, this.panel, this.chart, this.moves]) part?.show(game, n, viewer);
    this.said.setAttribute("aria-live", this.controls.plays ? "off" : "polite");
    this.said.replaceChildren(...saidOf(game, n, viewer));
    this.controls.show(n, words);
    this.reveal();
    document.documentElement.dataset.n = n;
  }

  /** On a board that is wider than the screen, scroll to what was done last. */
  reveal() {
    const last = this.frame.querySelector(".last > g:last-child");
    if (!last || this.frame.scrollWidth <= this.frame.clientWidth) return;
    const [box, frame] = [last.getBoundingClientRect(), this.frame.getBoundingClientRect()];
    if (box.left < frame.left + 30 || box.right > frame.right - 10) {
      this.frame.scrollLeft += (box.left + box.right) / 2 - (frame.left + frame.right) / 2;
    }
  }

  /** More of the game has come. Who looks at the last moment sees the new one. */
  grow() {
    if (this.follows) this.go(this.game.last);
    else this.show();
  }

  // ---- views ----

  /** A switch for small screens: the board at twice the size, to be scrolled. */
  zoom() {
    const button = h("button", { class: "small zoom", "aria-pressed": "false", onclick: () => {
      const wide = this.frame.classList.toggle("wide");
      button.setAttribute("aria-pressed", String(wide));
      this.reveal();
    } }, "Zoom");
    return button;
  }

  /** Whose eyes a game with hidden cards is seen with. */
  views() {
    if (!this.game.hidden) return null;
    const options = [[ALL, "everything"], ...this.game.seats.map((name, seat) => [seat, `as ${letterOf(seat)} ${name} saw it`])];
    const select = h("select", { class: "views", "aria-label": "Show", onchange: () => {
      this.viewer = select.value === ALL ? ALL : Number(select.value);
      this.show();
    } }, options.map(([value, name]) => h("option", { value }, name)));
    return select;
  }

  // ---- addresses and keys ----

  /** Put the moment into the address, not more often than browsers allow. */
  remember() {
    if (!this.remembers) return;
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => history.replaceState(null, "", this.link(this.n)), 200);
  }

  key(event) {
    const typing = event.target.closest?.("select, input:not([type=range]), dialog");
    if (!this.game || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.closest?.("button, a")) return;
    if (event.key === "?") this.help.showModal();
    else if (this.controls.key(event)) event.preventDefault();
  }
}

function wordsOf(game, n, viewer) {
  const step = game.step(n);
  return step ? `${letterOf(step.seat)} ${game.seen(n, viewer).words}` : "the beginning";
}

/** The line below the board: what was done last, and what followed. */
function* saidOf(game, n, viewer) {
  const step = game.step(n);
  if (!step) {
    yield n === 0 ? "The game begins." : `Watched from here on, after ${count(n, "action")}.`;
    return;
  }
  const seen = game.seen(n, viewer);
  yield badge(step.seat);
  yield ` ${game.seats[step.seat]} ${seen.words}.`;
  for (const sentence of seen.then ?? []) yield h("span", { class: "then" }, `${sentence}.`);
}

function switchTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
}

function helpDialog() {
  const keys = {
    "← →": "a step back, on", "↑ ↓ or ⇧← ⇧→": "a turn (a phase) back, on", "Page ↑ ↓": "a round back, on",
    "Home End": "to the beginning, to the end", Space: "play and pause",
  };
  const dialog = h("dialog", { class: "help", "aria-label": "Help" }, h("div", { class: "read" }), h("h2", {}, "Keys"),
    h("dl", {}, Object.entries(keys).map(([key, does]) => [h("dt", {}, key), h("dd", {}, does)])),
    h("p", {}, "The buttons and arrows step by what is chosen beside them. Press into the chart, or on a move, to go there. "
      + "The address in the address bar always leads to the moment that is shown."),
    h("button", { onclick: () => dialog.close() }, "Close"));
  return dialog;
}

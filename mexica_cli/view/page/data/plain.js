"use strict";
// A position of a game that has no drawing of its own: its fields.

class PlainTable {
  constructor() {
    this.element = h("dl", { class: "board card plain" });
  }

  show(game, n) {
    this.element.replaceChildren(...Object.entries(game.state(n)).flatMap(([name, value]) => [
      h("dt", {}, name), h("dd", {}, typeof value === "string" ? value : JSON.stringify(value))]));
  }

  shade() {}
}

/** The players and their points, for games without a panel of their own. */
class PlainPanel {
  constructor() {
    this.players = h("ul", { class: "players", "aria-label": "Players" });
    this.element = h("section", { class: "card panel" }, this.players);
  }

  show(game, n) {
    const state = game.state(n);
    this.players.replaceChildren(...game.seats.map((name, seat) =>
      h("li", { class: state.to_act === seat ? "player acts" : "player", "data-seat": seat },
        h("div", { class: "who" }, badge(seat), h("span", { class: "name" }, name), placeOf(game, state, n, seat),
          h("span", { class: "score", title: "points" }, state.scores?.[seat] ?? "")))));
  }
}

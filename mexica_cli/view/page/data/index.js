"use strict";
// The list of all games of a page.

class GameIndex {
  /** `games` is the list that the page was given; `link(g)` makes the address of a game. */
  constructor(games, link) {
    this.rows = games.map((game, place) => this.row(game, link(place + 1), place + 1));
    this.search = h("input", {
      type: "search", placeholder: "bot, match, result", "aria-label": "Show games with", oninput: () => this.filter(),
    });
    const head = ["", "match", "players and points", "actions", "result"].map((name) => h("th", { scope: "col" }, name));
    this.none = h("p", { class: "quiet", hidden: true }, "No game has that.");
    this.element = h("section", { class: "card index" },
      h("div", { class: "row" }, h("h2", {}, count(games.length, "game")), this.search),
      h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, this.rows))), this.none);
  }

  row(game, href, number) {
    const order = [...game.seats.keys()].sort((a, b) => (game.ranking[a] ?? a) - (game.ranking[b] ?? b));
    const players = order.map((seat) => h("span", { class: game.ranking[seat] === 1 ? "seat first" : "seat" }, badge(seat), " ",
      h("bdi", {}, game.seats[seat]), h("b", {}, ` ${game.scores[seat] ?? ""}`)));
    return h("tr", { onclick: () => { location.hash = href; } },
      h("td", { class: "n" }, number), h("td", {}, h("a", { href }, game.match)), h("td", { class: "seats" }, players),
      h("td", { class: "n" }, game.actions), h("td", {}, outcomeOf(game)));
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/);
    for (const row of this.rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    this.none.hidden = this.rows.some((row) => !row.hidden);
  }
}

/** How a game ended. */
function outcomeOf(game) {
  if (typeof game.won === "boolean") return game.won ? "won" : "lost";
  return game.outcome;
}

"use strict";
// What lies beside the board of Mexica: players, tokens, supply, and districts with those who hold them.

class MexicaPanel {
  /** `point(cell)` is called with a district that is looked at, and with null. */
  constructor(point) {
    this.point = point;
    this.players = h("ul", { class: "players", "aria-label": "Players" });
    this.stock = h("div", { class: "stock" });
    this.districts = h("table", { class: "districts" });
    this.element = h("section", { class: "card panel" }, this.players, this.stock);
    this.more = h("section", { class: "card" }, h("h2", {}, "Districts"), this.districts);
  }

  show(game, n) {
    const state = game.state(n);
    this.players.replaceChildren(...game.seats.map((name, seat) => this.player(game, state, n, seat)));
    this.stock.replaceChildren(...stockOf(state));
    this.districts.replaceChildren(...this.districtRows(game, state));
  }

  player(game, state, n, seat) {
    const gained = n > game.first ? state.scores[seat] - game.state(n - 1).scores[seat] : 0;
    const acts = state.to_act === seat;
    return h("li", { class: acts ? "player acts" : "player", "aria-current": acts ? "true" : null, "data-seat": seat },
      h("div", { class: "who" }, badge(seat), h("span", { class: "name" }, game.seats[seat]), placeOf(game, state, n, seat),
        gained ? h("span", { class: "gained" }, `+${gained}`) : null,
        h("span", { class: "score", title: "points" }, state.scores[seat])),
      h("div", { class: "has" }, handOf(state, seat), tokensOf(state.action_tokens[seat]), acts ? pointsOf(state) : null));
  }

  districtRows(game, state) {
    const rows = Object.entries(state.districts).sort(([, a], [, b]) => b.founded - a.founded || b.size - a.size);
    if (rows.length === 0) return [h("tbody", {}, h("tr", {}, h("td", { class: "quiet" }, "none yet")))];
    const head = ["size", "at", "grandeur", "would score"].map((name) => h("th", { scope: "col" }, name));
    return [h("thead", {}, h("tr", {}, head)),
      h("tbody", {}, rows.map(([cell, district]) => this.districtRow(game, cell, district)))];
  }

  districtRow(game, cell, district) {
    const size = district.founded ? hexagon(district.size) : h("span", { class: "unfounded" }, district.size);
    return h("tr", {
      class: district.founded ? "" : "open", tabindex: 0, "data-cell": cell,
      onmouseenter: () => this.point(cell), onmouseleave: () => this.point(null),
      onfocus: () => this.point(cell), onblur: () => this.point(null),
    },
      h("td", {}, size), h("td", { class: "cell" }, cell),
      h("td", {}, held(district.grandeur, game.seats.length)),
      h("td", { class: "would" }, district.founded ? worth(district.points) : h("span", { class: "quiet" }, "not founded")));
  }
}

/** Who has how much grandeur, the greatest first; who holds the district stands out. */
function held(grandeur, seats) {
  const most = Math.max(...grandeur);
  if (most === 0) return h("span", { class: "quiet" }, "nobody");
  const owners = [...grandeur.keys()].filter((owner) => grandeur[owner] > 0).sort((a, b) => grandeur[b] - grandeur[a]);
  return owners.map((owner) => h("span", { class: grandeur[owner] === most ? "share holds" : "share" },
    badge(owner, seats), grandeur[owner]));
}

function worth(points) {
  const parts = [...points.keys()].filter((seat) => points[seat] > 0).sort((a, b) => points[b] - points[a]);
  return parts.map((seat) => `${letterOf(seat)} ${points[seat]}`).join(", ") || "–";
}

function placeOf(game, state, n, seat) {
  const places = n === game.last && game.end?.ranking.length ? game.end.ranking : state.ranking;
  if (!places) return null;
  return h("span", { class: places[seat] === 1 ? "place first" : "place" }, ["1st", "2nd", "3rd"][places[seat] - 1] ?? `${places[seat]}th`);
}

/** Temples left, by level, as steps of a pyramid with their number. */
function handOf(state, seat) {
  const hand = state.hands[seat];
  const label = hand.map((left, level) => `${left} of level ${level + 1}`).join(", ");
  return h("span", { class: "hand", role: "img", "aria-label": `temples left: ${label}`, title: `temples left: ${label}` },
    hand.map((left, level) => h("span", { class: left ? "temples" : "temples none" }, pyramid(level + 1), `×${left}`)));
}

function pyramid(level) {
  const storey = (n) => s("rect", { x: 1 + 2.5 * n, y: 12 - 4 * n, width: 22 - 5 * n, height: n ? 4 : 8 });
  return s("svg", { viewBox: "0 0 24 20", class: "pyramid" }, [...Array(Math.min(level, 4)).keys()].map(storey));
}

function tokensOf(number) {
  return h("span", { class: number ? "tokens" : "tokens none", title: "action tokens" }, "◉ ", count(number, "token"));
}

function pointsOf(state) {
  if (state.phase === "place") return h("span", { class: "ap" }, "sets the pawn");
  if (state.phase === "vote") return h("span", { class: "ap" }, `votes: retire ${state.vote.size}?`);
  return h("span", { class: "ap" }, h("span", { class: "pips", "aria-hidden": "true" }, "●".repeat(Math.min(state.ap, 12))),
    ` ${state.ap} AP left`);
}

/** A calpulli token. */
function hexagon(size, later = false) {
  return s("svg", { viewBox: "0 0 36 32", class: later ? "hexagon later" : "hexagon" },
    s("path", { d: "M1.5 16L9.75 1.7H26.25L34.5 16L26.25 30.3H9.75Z" }),
    s("text", { x: 18, y: 21.5 }, size));
}

function* stockOf(state) {
  const tokens = (sizes, later) => (sizes.length ? sizes.map((size) => hexagon(size, later)) : h("span", { class: "quiet" }, "none"));
  const named = (name, value) => h("div", { class: "row" }, h("span", { class: "label" }, name), h("span", { class: "value" }, value));
  yield named("Tokens to found", tokens(state.display, false));
  if (state.later.length) yield named("In period 2", tokens(state.later, true));
  const canals = state.supply.canals.map((left, length) => `${left} of ${count(length + 1, "space")}`).join(", ");
  yield named("Canals", canals);
  yield named("Supply", `${count(state.supply.bridges, "bridge")}, ${count(state.supply.action_tokens, "action token")}`);
}

"use strict";
// The table of Moctezuma: phases, gods, siege line, battlefield, hands, piles.

const PHASES = ["exchange", "defence", "planning", "attacks", "siege", "reflection"];
const GROUPS = {
  warrior: ["W", "warrior"], eagle: ["E", "eagle warrior"], moctezuma: ["M", "Moctezuma"], priest: ["P", "priest"],
  quetzalcoatl: ["Q", "Quetzalcoatl"], part: ["Q", "part of Quetzalcoatl"], god: ["G", "god"],
  conquistador: ["C", "conquistador"], cortes: ["C", "Cortés"],
};
const PLACES = { main: "main god", secondary: "secondary god", additional: "additional god", quetzalcoatl: "Quetzalcoatl" };

class CardTable {
  constructor(game) {
    this.cards = game.setting.cards;
    this.said = h("p", { class: "card-says", "aria-live": "polite" });
    this.body = h("div", { class: "table" });
    this.element = h("div", { class: "board cards" }, this.body, this.said);
  }

  show(game, n, viewer) {
    const state = game.state(n);
    const step = game.step(n);
    this.named = new Set(step ? game.seen(n, viewer).text.split(/[ :]/) : []);
    this.say(null);
    this.body.replaceChildren(
      this.phases(state),
      this.zone("Gods", "gods", [...state.gods.map((god) => this.god(god, state)), this.invocation(state)]),
      this.zone("Siege line, attacking from the left", "line", this.line(state)),
      this.zone("Battlefield", "field", [...this.field(state)]),
      h("div", { class: "hands" }, game.seats.map((name, seat) => this.hand(game, state, seat, viewer))),
      this.zone("Piles", "piles", [...this.piles(state)]));
  }

  shade() {}

  zone(name, kind, ...content) {
    return h("section", { class: `zone ${kind}`, "data-zone": kind }, h("h3", {}, name), h("div", { class: "laid" }, content));
  }

  phases(state) {
    const item = (phase) => h("li", { class: phase === state.phase ? "now" : "", "aria-current": phase === state.phase ? "step" : null }, phase);
    const shown = PHASES.filter((phase) => phase !== "exchange" || state.phase === "exchange");
    return h("div", { class: "phases" }, h("strong", {}, `Round ${state.round}`),
      h("ol", {}, shown.map(item), state.phase === "over" ? item("over") : null),
      state.result ? h("strong", { class: state.result.won ? "won" : "lost" }, state.result.won ? "won" : "lost") : null);
  }

  god(god, state) {
    const card = this.cards[god.card];
    return h("button", { class: "god", "data-card": god.card, onclick: () => this.say(god.card), title: card.says },
      h("span", { class: "role" }, god.place === "quetzalcoatl" ? "power" : PLACES[god.place]), h("strong", {}, card.name),
      meter("fortress", god.fortress, god.first, "■", "□"));
  }

  invocation(state) {
    const { invoked, left, markers, value, open } = state.invocation;
    const parts = [...Array(invoked + left).keys()].map((part) => {
      if (part < invoked) return h("span", { class: "part done" }, "✓");
      return part === invoked && open !== null
        ? h("span", { class: "part open" }, meter("markers", markers, value, "●", "○"))
        : h("span", { class: "part covered" }, "?");
    });
    return h("div", { class: "god invocation" }, h("span", { class: "role" }, "invocation"),
      h("strong", {}, `${invoked} of ${invoked + left} parts`), h("span", { class: "parts" }, parts));
  }

  line(state) {
    if (state.line.length === 0) return h("span", { class: "quiet" }, "none laid");
    return state.line.map((soldier) => this.card(soldier.card, {
      down: !soldier.face_up, done: soldier.resolved, mark: soldier.resolved ? "attacked" : null,
    }));
  }

  *field(state) {
    if (state.battlefield.length === 0) yield h("span", { class: "quiet" }, "empty");
    for (const unit of state.battlefield) {
      yield this.card(unit.card, { below: meter("damage", unit.damage, unit.resistance, "✖", "♡"), mark: unit.fresh ? "fresh" : null });
    }
    for (const [against, points] of Object.entries(state.wards)) {
      if (points) yield h("span", { class: "ward" }, `⛨ next ${points} on ${against}s does nothing`);
    }
  }

  hand(game, state, seat, viewer) {
    const acts = state.to_act === seat;
    const title = h("h3", {}, badge(seat), " ", game.seats[seat], seat === state.first ? h("span", { class: "tag" }, "first") : null,
      acts ? h("span", { class: "tag acts" }, "to act") : null);
    const own = state.own?.[seat];
    const open = own && (viewer === ALL || viewer === seat);
    return h("section", { class: acts ? "zone hand acts" : "zone hand", "data-zone": `hand-${seat}` }, title,
      h("div", { class: "laid" }, open ? this.openHand(own) : this.closedHand(state.hands[seat])));
  }

  openHand(own) {
    const chosen = (own.chosen ?? []).map((id) => this.card(id, { small: true, mark: "chosen" }));
    const cards = [...(own.hand ?? []).map((id) => this.card(id, { small: true })), ...chosen];
    return cards.length ? cards : h("span", { class: "quiet" }, "no cards");
  }

  closedHand(hand) {
    const known = hand.known.map((id) => this.card(id, { small: true, mark: "known" }));
    const backs = [...Array(hand.cards + hand.chosen - known.length).keys()].map((n) =>
      this.card(null, { small: true, mark: n < hand.chosen ? "chosen" : null }));
    return known.length + backs.length ? [...known, ...backs] : h("span", { class: "quiet" }, "no cards");
  }

  *piles(state) {
    yield this.pile("Mexica deck", state.deck.cards, Object.values(state.deck.known));
    yield this.pile("Mictlan", state.mictlan.length, state.mictlan);
    if (state.eagles.length) yield this.pile("Eagle warriors", state.eagles.length, state.eagles);
    yield this.pile("Conquistador deck", state.siege_deck.cards, Object.values(state.siege_deck.known));
    yield this.pile("Reserve", state.reserve.length, state.reserve.toReversed());
    yield this.pile("Out of the game", state.removed.length, state.removed);
    if (state.extra) yield h("span", { class: "ward" }, `next siege line: ${state.extra} more`);
  }

  pile(name, number, cards) {
    const names = new Map();
    for (const id of cards) names.set(id, (names.get(id) ?? 0) + 1);
    const listed = [...names].map(([id, copies]) => `${this.cards[id].name}${copies > 1 ? ` ×${copies}` : ""}`).join(", ");
    return h("div", { class: number ? "pile" : "pile none", "data-pile": name, title: listed },
      h("strong", {}, number), h("span", { class: "role" }, name), h("span", { class: "names" }, listed));
  }

  /** A card; one that nobody knows as a back. `down`: it lies face down though it is known. */
  card(id, { small = false, down = false, done = false, mark = null, below = null } = {}) {
    const marked = mark ? h("em", {}, mark) : null;
    const shape = `playing${small ? " small-card" : ""}`;
    if (id === null) return h("span", { class: `${shape} back`, role: "img", "aria-label": "face-down card" }, marked);
    const card = this.cards[id];
    const [letter, group] = GROUPS[card.group];
    const states = `${down ? " down" : ""}${done ? " done" : ""}${this.named.has(id) ? " now" : ""}`;
    const foot = h("span", { class: "foot" }, below, marked, h("span", { class: "group" }, letter));
    return h("button", {
      class: `${shape} ${card.group}${states}`, "data-card": id, title: card.says, onclick: () => this.say(id),
      "aria-label": `${card.name}, ${group}${mark ? `, ${mark}` : ""}`,
    }, h("strong", {}, card.name), small ? null : h("span", { class: "text" }, card.says), foot);
  }

  say(id) {
    const card = id === null ? null : this.cards[id];
    this.said.textContent = card ? `${card.name} (${GROUPS[card.group][1]}): ${card.says || "no text"}` : "";
  }
}

/** So many of so many, as signs and in words. */
function meter(name, number, all, full, empty) {
  const signs = full.repeat(number) + empty.repeat(Math.max(0, all - number));
  return h("span", { class: `meter ${name}`, role: "img", "aria-label": `${name} ${number} of ${all}` },
    h("span", { class: "signs" }, signs), h("span", { class: "of" }, `${number}/${all}`));
}

/** What the lines of the chart are: the gods' fortress. */
const GOD_LINES = [["M", "main"], ["S", "secondary"], ["A", "additional"], ["Q", "quetzalcoatl"]];
const fortresses = (state, lines) =>
  lines.map(([, place]) => state.gods.find((god) => god.place === place)?.fortress ?? 0);

/** How to read the cards. */
function cardLegend() {
  const groups = ["warrior", "eagle", "moctezuma", "priest", "conquistador"];
  return h("ul", { class: "legend" },
    groups.map((group) => h("li", {}, h("span", { class: `playing small-card ${group}` },
      h("span", { class: "foot" }, h("span", { class: "group" }, GROUPS[group][0]))), GROUPS[group][1])),
    h("li", {}, meter("damage", 1, 3, "✖", "♡"), "damage, and what it resists"),
    h("li", {}, meter("fortress", 2, 4, "■", "□"), "fortress of a god"));
}

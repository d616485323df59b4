"use strict";
// All that was done, in words, grouped by turn (or phase). A press on a line goes to the moment after it.

class Moves {
  /** `heading(game, n)` names the stretch in which the action after moment n is done; a new name begins a new group. */
  constructor(heading, link) {
    this.heading = heading;
    this.link = link;
    this.list = h("div", { class: "moves", tabindex: 0, role: "group", "aria-label": "Moves" });
    this.element = h("section", { class: "card moves-card" }, h("h2", {}, "Moves"), this.list);
  }

  show(game, n, viewer) {
    if (this.game !== game || this.viewer !== viewer) this.begin(game, viewer);
    while (this.told < game.last) this.tell(++this.told);
    this.tellAsides(game.last);
    this.mark(n);
  }

  begin(game, viewer) {
    [this.game, this.viewer, this.told, this.group, this.asides] = [game, viewer, game.first, null, new Set()];
    this.items = new Map();
    this.list.replaceChildren();
    this.items.set(game.first, this.list.appendChild(this.startItem()));
  }

  startItem() {
    return h("a", { class: "move start", href: this.link(this.game.first), "data-n": this.game.first }, h("span", { class: "n" }, this.game.first),
      h("span", { class: "words" }, this.game.first ? "watched from here on" : "the game begins"));
  }

  tell(n) {
    this.tellAsides(n - 1);
    const heading = this.heading(this.game, n - 1);
    if (this.group === null || this.groupName !== heading) this.beginGroup(heading, n - 1);
    const step = this.game.step(n);
    const seen = this.game.seen(n, this.viewer);
    const item = h("a", { class: "move", href: this.link(n), "data-n": n, title: seen.text },
      h("span", { class: "n" }, n), badge(step.seat),
      h("span", { class: "words" }, seen.words, step.auto ? " (passed by the arena)" : ""),
      ...(seen.then ?? []).map((sentence) => h("span", { class: "then" }, sentence)),
      step.note ? h("span", { class: "note" }, `“${step.note}”`) : null);
    this.items.set(n, this.group.appendChild(item));
  }

  beginGroup(heading, n) {
    this.groupName = heading;
    this.group = this.list.appendChild(h("div", { class: "turn", role: "group", "aria-label": heading }, h("h3", {}, heading)));
  }

  tellAsides(n) {
    for (const aside of this.game.asidesAt(n)) {
      if (this.asides.has(aside)) continue;
      this.asides.add(aside);
      // What somebody else wanted to do in vain, no seat is told; it may name a card of a hidden hand.
      if (aside.kind === "reject" && this.viewer !== ALL && this.viewer !== aside.seat) continue;
      (this.group ?? this.list).append(h("div", { class: `aside ${aside.kind}` }, badge(aside.seat), " ", aside.words));
    }
  }

  mark(n) {
    this.now?.classList.remove("now");
    this.now?.removeAttribute("aria-current");
    this.now = this.items.get(n);
    this.now.classList.add("now");
    this.now.setAttribute("aria-current", "step");
    this.reveal(this.now);
  }

  /** Scroll the list, and never the page. */
  reveal(item) {
    const [box, list] = [item.getBoundingClientRect(), this.list.getBoundingClientRect()];
    if (box.top < list.top + 40 || box.bottom > list.bottom - 8) {
      this.list.scrollTop += box.top - list.top - list.height / 2;
    }
  }
}

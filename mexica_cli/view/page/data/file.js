"use strict";
// The page as a file: all games lie in it, and the address says which is shown, at which moment (`#g=2&n=123`).

class FilePage {
  constructor() {
    this.page = JSON.parse(document.getElementById("page").textContent);
    this.several = this.page.index.length > 1;
    this.app = new App(this.page, { link: (n) => this.link(n), nav: () => (this.several ? this.nav() : []) });
    this.games = new Map();
    addEventListener("hashchange", () => this.goToAddress());
    this.goToAddress();
  }

  async goToAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const n = /^\d+$/.test(wanted.get("n")) ? Number(wanted.get("n")) : null;
    const g = this.several ? Number(wanted.get("g")) : 1;
    if (!(g >= 1 && g <= this.page.index.length)) return this.showIndex();
    const game = await this.load(g);
    this.g = g;
    if (this.app.game === game) this.app.go(n ?? this.app.n);
    else this.app.open(game, n);
  }

  link(n, g = this.g) {
    return this.several ? `#g=${g}&n=${n}` : `#n=${n}`;
  }

  /** Links to the list of all games, and to the games before and after. */
  *nav() {
    const games = this.page.index.length;
    yield h("a", { href: "#" }, "All games");
    if (this.g > 1) yield h("a", { href: this.link(0, this.g - 1), "aria-label": "Game before" }, "‹");
    yield h("span", {}, `${this.g} of ${games}`);
    if (this.g < games) yield h("a", { href: this.link(0, this.g + 1), "aria-label": "Next game" }, "›");
  }

  async load(g) {
    if (!this.games.has(g)) {
      const packed = document.getElementById(`game-${g}`).textContent;
      const [start, ...rest] = (await unpacked(packed)).trimEnd().split("\n").map((line) => JSON.parse(line));
      const game = new Game(start);
      for (const message of rest) game.take(message);
      this.games.set(g, game);
    }
    return this.games.get(g);
  }

  showIndex() {
    this.app.leave(this.page.title, this.page.about);
    this.app.main.append(new GameIndex(this.page.index, (g) => this.link(0, g)).element);
  }
}

/** The text that was packed: gzip in base64. */
async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

new FilePage();

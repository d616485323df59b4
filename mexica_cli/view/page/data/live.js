"use strict";
// The page of a running server: all tables and standings, or the matches of one table as they are played (`#t=NAME`).

const AGAIN = [1000, 2000, 5000, 10000];

class LivePage {
  constructor() {
    this.page = JSON.parse(document.getElementById("page").textContent);
    this.state = h("span", { class: "live", role: "status" });
    this.app = new App(this.page, {
      link: (n) => `#t=${encodeURIComponent(this.table)}&n=${n}`, nav: () => this.nav(), remembers: false,
    });
    addEventListener("hashchange", () => this.goToAddress());
    this.goToAddress();
  }

  nav() {
    return [h("a", { href: "#" }, "All tables"), this.state];
  }

  goToAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const [table, match, n] = [wanted.get("t"), wanted.get("m"), wanted.get("n")];
    if (table !== null && table === this.table && n !== null && this.game) return this.app.go(Number(n) || 0);
    [this.table, this.match, this.game] = [table, match, null];
    this.failures = 0;
    this.app.leave(table === null ? this.page.title : `Table ${table}`, "");
    if (table !== null) {
      this.app.nav.replaceChildren(...this.nav());
      this.app.main.append(h("p", { class: "card" }, "As soon as a match is played here, it is shown."));
    }
    this.connect();
  }

  // ---- the connection ----

  get path() {
    if (this.table === null) return "live/lobby";
    const query = this.match === null ? "" : `?match=${encodeURIComponent(this.match)}`;
    return `live/table/${encodeURIComponent(this.table)}${query}`;
  }

  connect() {
    clearTimeout(this.retrying);
    this.socket?.close();
    const socket = new WebSocket(new URL(this.path, location.href).href.replace(/^http/, "ws"));
    this.socket = socket;
    this.say("waiting", "waiting for a match");
    socket.onmessage = (event) => socket === this.socket && this.take(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.closed(event.code);
  }

  /** Come again, later each time; but not where there is nothing more to come. */
  closed(code) {
    if (code === 1000 || code === 4404) return;
    this.say("lost", "connection lost");
    this.retrying = setTimeout(() => this.connect(), AGAIN[Math.min(this.failures++, AGAIN.length - 1)]);
  }

  say(kind, words) {
    this.state.className = `live ${kind}`;
    this.state.replaceChildren(words);
  }

  take(message) {
    this.failures = 0;
    if (message.type === "lobby") this.showLobby(message);
    else if (message.type === "error") this.app.main.replaceChildren(h("p", { class: "card" }, message.reason));
    else if (message.type === "start") this.begin(message);
    else this.goOn(message);
  }

  // ---- a match ----

  /** Who looks back at a match that is over goes on to the next one when they want to. */
  begin(start) {
    this.coming = new Game(start);
    const looksBack = this.game?.end && !this.app.follows;
    if (looksBack) this.say("on", h("a", { href: "#", onclick: (event) => this.goToNext(event) }, "the next match has begun"));
    else this.goToNext();
  }

  goToNext(event) {
    event?.preventDefault();
    this.game = this.coming;
    this.app.open(this.game, this.game.last);
    this.sayHowItStands();
  }

  sayHowItStands() {
    if (this.game.end) this.say("over", "this match is over");
    else this.say("on", "live");
  }

  /** However fast messages come, what they lead to is drawn once a frame. */
  goOn(message) {
    this.coming.take(message);
    if (this.coming !== this.game) return;
    if (message.type === "end") this.sayHowItStands();
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = null;
      if (this.game) this.app.grow();
    });
  }

  // ---- the lobby ----

  showLobby(lobby) {
    const { app } = this;
    app.leave("Tables", lobby.server);
    app.main.replaceChildren(...lobby.tables.map((table) => tableCard(table, lobby.standings[table.name] ?? [])));
    if (lobby.tables.length === 0) app.main.append(h("p", { class: "card" }, "There is no table yet."));
  }
}

/** A table with its running matches and its standings. */
function tableCard(table, standings) {
  const address = (match) => `#t=${encodeURIComponent(table.name)}${match ? `&m=${encodeURIComponent(match)}` : ""}`;
  const played = table.matches ? `${table.played ?? 0} of ${table.matches} played` : `${table.played ?? 0} played`;
  const running = table.running ?? [];
  const watched = table.spectators !== false;
  return h("section", { class: "card index lobby", "data-table": table.name },
    h("div", { class: "row" }, h("h2", {}, table.name),
      h("span", { class: "quiet" }, `${table.kind}, ${table.game}, ${table.rules} rules, ${table.players} seats, ${played}`),
      h("span", { class: `live ${table.state === "playing" ? "on" : table.state}` }, table.state)),
    h("p", {}, "Here: ", table.here?.length ? table.here.join(", ") : "nobody"),
    watched ? h("p", { class: "watch" }, h("a", { class: "button", href: address() }, "Watch"),
      running.slice(0, 12).map((match) => h("a", { href: address(match) }, match))) : h("p", {}, "Not to be watched."),
    standings.length ? h("div", { class: "scroll" }, standingsTable(standings)) : null);
}

function standingsTable(standings) {
  const rated = standings.some((row) => row.rating !== undefined);
  const head = ["", "bot", ...(rated ? ["rating"] : []), "games", "wins", "forfeits"];
  return h("table", {}, h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, standings.map((row, place) => h("tr", {}, h("td", { class: "n" }, place + 1),
      h("td", {}, h("bdi", {}, row.bot), row.here ? h("span", { class: "tag" }, "here") : null,
        row.benched_s === undefined ? null : h("span", { class: "tag" }, "benched")),
      rated ? h("td", { class: "n" }, row.rating === undefined ? "" : Math.round(row.rating)) : null,
      h("td", { class: "n" }, row.games), h("td", { class: "n" }, Number(row.wins.toFixed(1))), h("td", { class: "n" }, row.forfeits)))));
}

new LivePage();

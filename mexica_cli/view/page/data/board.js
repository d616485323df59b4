"use strict";
// The board of Mexica. Pieces are drawn by Python (`view/page/pieces.py`), the same as in `mexica view --svg`; this
// places them. A piece that stays keeps its element, so that a pawn is seen to move.

class Board {
  constructor(drawings, game) {
    this.drawings = drawings;
    this.size = drawings.cell;
    this.rows = game.setting.rows;
    this.seats = game.seats;
    this.kept = new Map();
    const [width, height] = [this.rows[0].length * this.size, this.rows.length * this.size];
    const margin = drawings.margin;
    this.title = s("title", {});
    this.described = s("desc", {});
    this.layers = {};
    for (const layer of ["ground", "details", "banks", "shade", "bridges", "pieces", "pawns", "holders", "last"]) {
      this.layers[layer] = s("g", { class: layer });
    }
    const box = { width: width + 2 * margin, height: height + 2 * margin };
    this.element = s("svg",
      { class: "mexica board", role: "img", viewBox: `0 0 ${box.width} ${box.height}`, "data-cells": this.rows[0].length },
      this.title, this.described, s("rect", { class: "frame", rx: 8, ...box }), this.coordinates(margin),
      s("svg", { x: margin, y: margin, width, height, overflow: "visible", viewBox: `0 0 ${width} ${height}` }, Object.values(this.layers)));
  }

  coordinates(margin) {
    const label = (x, y, text) =>
      s("text", { x, y: y + 5, "font-size": 14, class: "coordinate" }, text);
    const columns = [...this.rows[0]].map((_, column) =>
      label(margin + (column + 0.5) * this.size, margin / 2, String.fromCharCode(97 + column)));
    const rows = this.rows.map((_, row) => label(margin / 2, margin + (row + 0.5) * this.size, String(row + 1)));
    return s("g", { "aria-hidden": "true" }, columns, rows);
  }

  /** Show a moment. */
  show(game, n) {
    const state = game.state(n);
    this.title.textContent = `Board after ${count(n, "action")}`;
    this.described.textContent = describe(state, this.seats);
    this.drawLand(state);
    this.draw("bridges", Object.entries(state.bridges).map(([cell, axis]) => this.piece(cell, this.drawings.bridge[axis])));
    this.draw("pieces", [...this.buildings(state)]);
    this.draw("pawns", [...this.pawns(state)]);
    this.draw("holders", [...this.holders(state)]);
    this.draw("last", [...this.last(game, n)]);
    this.shade(null);
  }

  // ---- ground ----

  /** What doesn't change from state to state is the same object (see `changed`), and needs no new drawing. */
  drawLand(state) {
    if (this.drawn?.canals === state.canals && this.drawn.tokens === state.tokens) return;
    this.drawn = state;
    this.land = new Land(this.rows, state.canals);
    this.drawGround(state);
    this.drawDetails(state);
  }

  drawGround(state) {
    const founded = this.land.joinedTo(Object.keys(state.tokens));
    const canals = new Set(state.canals);
    const areas = { lake: [], canal: [], land: [], founded: [], palace: [] };
    for (const cell of this.land.cells) areas[this.groundOf(cell, canals, founded)].push(cell);
    const districts = Object.keys(state.tokens).map((cell) => this.land.joinedTo([cell]));
    this.layers.ground.replaceChildren(...Object.entries(areas).map(([kind, cells]) =>
      s("path", { class: kind, d: cells.map((cell) => this.square(cell)).join("") })));
    this.layers.banks.replaceChildren(
      s("path", { class: "banks", d: this.border(this.land.solid, 0) }),
      ...districts.map((cells) => s("path", { class: "founded-edge", d: this.border(cells, 3) })));
    this.founded = founded;
  }

  groundOf(cell, canals, founded) {
    if (canals.has(cell)) return "canal";
    const symbol = this.land.symbol(cell);
    if (symbol === ".") return "lake";
    if (symbol === "S" || symbol === "C") return "palace";
    return founded.has(cell) ? "founded" : "land";
  }

  drawDetails(state) {
    const canals = new Set(state.canals);
    const details = this.land.cells.map((cell) => {
      const symbol = this.land.symbol(cell);
      if (symbol === "S") return ["starts", cell];
      if (symbol === "C") return ["centre", cell];
      if (canals.has(cell)) return ["waves", cell];
      return this.founded.has(cell) ? ["hatch", cell] : null;
    });
    this.draw("details", details.filter(Boolean).map(([kind, cell]) => ({
      key: `${kind} ${cell}`,
      at: this.corner(cell),
      make: () => s("path", { class: kind, d: this.drawings.ground[kind] }),
    })));
  }

  square(cell) {
    const [x, y] = this.corner(cell);
    return `M${x} ${y}h${this.size}v${this.size}h-${this.size}Z`;
  }

  /** Commands of a path along the border of an area, inside of it by `inset`. */
  border(area, inset) {
    const side = this.size;
    return [...area].map((cell) => {
      const [x, y] = this.corner(cell);
      const [left, right, top, bottom] = [x + inset, x + side - inset, y + inset, y + side - inset];
      const [north, south, west, east] = this.land.around(cell).map((neighbour) => area.has(neighbour));
      return (north ? "" : `M${x} ${top}L${x + side} ${top}`) + (south ? "" : `M${x} ${bottom}L${x + side} ${bottom}`)
        + (west ? "" : `M${left} ${y}L${left} ${y + side}`) + (east ? "" : `M${right} ${y}L${right} ${y + side}`);
    }).join("");
  }

  corner(cell) {
    return [(cell.charCodeAt(0) - 97) * this.size, (Number(cell.slice(1)) - 1) * this.size];
  }

  // ---- pieces ----

  *buildings(state) {
    for (const [cell, size] of Object.entries(state.tokens)) {
      yield this.piece(cell, this.drawings.token.replaceAll("{size}", size));
    }
    for (const [cell, temple] of Object.entries(state.temples)) {
      yield this.piece(cell, this.drawings.temple[letterOf(temple.seat) + temple.level]);
    }
  }

  *pawns(state) {
    for (const [seat, cell] of state.pawns.entries()) {
      if (cell === null) continue;
      const above = cell in state.bridges || cell in state.temples;
      const drawing = (above ? this.drawings.pawn_above : this.drawings.pawn)[letterOf(seat % 4)];
      const piece = this.piece(cell, drawing);
      yield { ...piece, key: `pawn ${seat}`, keep: (element) => element.replaceChildren(piece.make()) };
    }
  }

  /** Letters of those who hold the districts, beside the tokens. */
  *holders(state) {
    for (const [cell, district] of Object.entries(state.districts)) {
      const most = Math.max(...district.grandeur);
      if (!district.founded || most === 0) continue;
      const owners = [...district.grandeur.keys()].filter((owner) => district.grandeur[owner] === most);
      const letters = owners.map((owner) => letterOf(owner, this.seats.length)).join("");
      yield { key: `holder ${cell} ${letters}`, at: this.corner(cell), make: () => this.holder(owners, letters) };
    }
  }

  holder(owners, letters) {
    const [width, right] = [7 + 9 * letters.length, this.size + 3];
    const colour = owners.length > 1 || owners[0] === this.seats.length ? "n" : owners[0] % 4;
    return s("g", { class: "holder", style: `--fill:var(--seat-${colour});--ink:var(--seat-${colour}-ink)` },
      s("title", {}, `held by ${letters.split("").join(" and ")}`),
      s("rect", { x: right - width, y: -4, width, height: 16, rx: 8 }),
      s("text", { x: right - width / 2, y: 8.5, "font-size": 12 }, letters));
  }

  piece(cell, drawing) {
    const markup = drawing.replaceAll("{cell}", cell);
    return { key: markup, at: this.corner(cell), make: () => parsed(markup) };
  }

  // ---- what was done last ----

  *last(game, n) {
    const step = game.step(n);
    if (step === null) return;
    const cells = step.text.match(/\b[a-z]\d+\b/g) ?? [];
    const [from, to] = [game.state(n - 1).pawns[step.seat], game.state(n).pawns[step.seat]];
    if (from !== null && from !== to) {
      yield { key: `way ${n}`, at: [0, 0], make: () => this.way(from, to) };
    }
    for (const cell of new Set(cells)) {
      yield { key: `last ${n} ${cell}`, at: this.corner(cell), make: () => this.mark() };
    }
  }

  mark() {
    const box = { x: 1.5, y: 1.5, width: this.size - 3, height: this.size - 3, rx: 5 };
    return s("g", {}, s("rect", { class: "halo", ...box }), s("rect", { class: "mark", ...box }));
  }

  way(from, to) {
    const [start, goal] = [from, to].map((cell) => this.corner(cell).map((value) => value + this.size / 2));
    const d = `M${start}L${goal}`;
    const [x, y] = start;
    return s("g", {}, s("path", { class: "halo", d }), s("path", { class: "mark", d }), s("circle", { cx: x, cy: y, r: 4 }));
  }

  /** Show which spaces a district has; null: none. */
  shade(cell) {
    const cells = cell === null ? null : this.land.joinedTo([cell]);
    this.layers.shade.replaceChildren(...(cells === null ? [] : [
      s("path", { class: "shade", d: [...cells].map((one) => this.square(one)).join("") }),
      s("path", { class: "shade-edge", d: this.border(cells, 2) })]));
  }

  // ---- elements that stay ----

  /** Make the layer hold these things: `key`, `at`, `make` for a new one, and `keep` for one that stays and changes. */
  draw(layer, things) {
    const kept = this.kept.get(layer) ?? new Map();
    const now = new Map();
    for (const thing of things) {
      const element = kept.get(thing.key) ?? s("g", {}, thing.make());
      element.style.transform = `translate(${thing.at[0]}px, ${thing.at[1]}px)`;
      now.set(thing.key, element);
      if (kept.has(thing.key)) thing.keep?.(element);
      else this.layers[layer].append(element);
    }
    for (const [key, element] of kept) if (!now.has(key)) element.remove();
    this.kept.set(layer, now);
  }
}

/** Land and water of one position. */
class Land {
  constructor(rows, canals) {
    this.rows = rows;
    this.cells = rows.flatMap((row, y) => [...row].map((_, x) => `${String.fromCharCode(97 + x)}${y + 1}`));
    const dug = new Set(canals);
    this.solid = new Set(this.cells.filter((cell) => this.symbol(cell) !== "." && !dug.has(cell)));
  }

  symbol(cell) {
    return this.rows[Number(cell.slice(1)) - 1][cell.charCodeAt(0) - 97];
  }

  /** The spaces above, below, left and right, whether there are such spaces or not. */
  around(cell) {
    const [column, row] = [cell.charCodeAt(0), Number(cell.slice(1))];
    return [[0, -1], [0, 1], [-1, 0], [1, 0]].map(([x, y]) => `${String.fromCharCode(column + x)}${row + y}`);
  }

  /** All land that hangs together with some of it. */
  joinedTo(cells) {
    const found = new Set(cells);
    for (const cell of found) {
      for (const next of this.around(cell)) if (this.solid.has(next)) found.add(next);
    }
    return found;
  }
}

/** An element of SVG from the markup of one of our own drawings. */
function parsed(markup) {
  const holder = s("g");
  holder.innerHTML = markup;
  return holder.firstChild;
}

/** Everything on the board in words. */
function describe(state, seats) {
  const owner = (temple) => letterOf(temple.seat, seats.length);
  const things = {
    Pawns: state.pawns.map((cell, seat) => (cell === null ? null : `${letterOf(seat)} ${cell}`)).filter(Boolean),
    "Founded districts": Object.entries(state.tokens).map(([cell, size]) => `${size} with its token on ${cell}`),
    Temples: Object.entries(state.temples).map(([cell, temple]) => `${owner(temple)}${temple.level} ${cell}`),
    Bridges: Object.keys(state.bridges),
    Canals: state.canals,
  };
  return Object.entries(things).filter(([, found]) => found.length > 0)
    .map(([thing, found]) => `${thing}: ${found.join(", ")}.`).join(" ");
}

/** How to read the board: samples with words. */
function boardLegend(drawings) {
  const samples = [
    [drawings.temple.A3, "temple of A, level 3"],
    [drawings.temple.N1, "neutral temple, level 1"],
    [drawings.pawn.B, "pawn of B"],
    [drawings.token.replaceAll("{size}", 7), "token of a founded district of 7"],
    [drawings.bridge.h, "bridge over a canal"],
  ];
  const drawn = samples.map(([markup, words]) =>
    h("li", {}, s("svg", { viewBox: "-8 -6 56 52", class: "mexica sample", "aria-hidden": "true" }, parsed(markup)), words));
  return h("ul", { class: "legend" }, drawn,
    h("li", {}, badge(0), "beside a token: who holds the district, with the greatest sum of temple levels"));
}

// What to play: a function for each game. It is given the legal actions as texts, the message `start` of the match and
// a source of chance, and returns one of the actions. How actions are written is told in protocol/NOTATION.md and
// protocol/NOTATION-MOCTEZUMA.md.
//
// If you want to know more than what is legal: add "state" to `want` in bot.js, and hand `turn.state` on to here.
"use strict";

const pick = (list, chance) => list[Math.floor(chance() * list.length)];

// The actions by their first word: { walk: ["walk h5", "walk h7"], end: ["end"] }
function byKind(legal) {
  const kinds = {};
  for (const action of legal) (kinds[action.split(" ")[0]] ??= []).push(action);
  return kinds;
}

// An action of one of these kinds, each kind being equally likely. Most of the thousand legal actions are canals.
function anyOf(kinds, among, chance) {
  const there = among.filter((kind) => kind in kinds);
  return there.length ? pick(kinds[pick(there, chance)], chance) : undefined;
}

const number = (action) => Number(action.split(" ")[1]);

// The ones with the greatest number after the first word: the largest district, the highest temple.
function greatest(actions) {
  const most = Math.max(...actions.map(number));
  return actions.filter((action) => number(action) === most);
}

// Founds whenever it can, builds the highest temple there is, just anywhere, and else digs and wanders about.
function mexica(legal, match, chance) {
  const kinds = byKind(legal);
  if (kinds.found) return pick(greatest(kinds.found), chance);
  if (kinds.temple) return pick(greatest(kinds.temple), chance);
  const busy = anyOf(kinds, ["canal", "walk", "bridge", "boat"], chance);
  const rest = Object.keys(kinds).filter((kind) => kind !== "retire");
  return busy ?? anyOf(kinds, rest, chance);
}

// Keeps priests out of harm's way and sacrifices them to Quetzalcoatl, one after the other, until he comes.
function moctezuma(legal, match, chance) {
  const { priest, moctezuma } = match.options.cards;
  const ids = (cards) => new Set(cards.map((card) => card.id));
  const [priests, king] = [ids(priest), ids(moctezuma)];
  const card = (action) => action.split(" ")[1].split(":")[0];
  const kinds = byKind(legal);

  const offerings = (kinds.sacrifice ?? []).filter((action) => action.endsWith(" quetzalcoatl"));
  if (offerings.length) return pick(offerings, chance);
  if (kinds.play) {
    const best = kinds.play.filter((action) => priests.has(card(action)));
    const good = kinds.play.filter((action) => !king.has(card(action)));
    return pick([best, good, kinds.play].find((actions) => actions.length), chance);
  }
  if (kinds.hit) {
    const warriors = kinds.hit.filter((action) => !priests.has(card(action)) && !king.has(card(action)));
    return warriors.length ? pick(warriors, chance) : (kinds.redirect?.[0] ?? pick(kinds.hit, chance));
  }
  if (kinds.keep) return "keep";
  return kinds.use && kinds.pass ? "pass" : pick(legal, chance);
}

module.exports = { mexica, moctezuma };

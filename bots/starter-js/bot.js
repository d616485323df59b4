#!/usr/bin/env node
// Speaks the protocol (protocol/PROTOCOL.md). What is played is decided in choose.js.
"use strict";
const choose = require("./choose.js");

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");

let match; // the message `start`: game, options, seat, ...
let chance; // a number from 0 up to 1, another one at every call
let turn; // the message `turn` that is being answered

function play(legal) {
  send({ type: "play", id: turn.id, actions: [choose[match.game](legal, match, chance)] });
}

const on = {
  hello: () => send({ type: "join", protocol: 1, name: "starter-js", games: Object.keys(choose), want: ["legal"] }),
  start: (message) => {
    match = message;
    chance = chanceFrom(match.seed);
    send({ type: "ready", match: match.match });
  },
  turn: (message) => {
    turn = message;
    play(turn.legal);
  },
  // Can't happen while an action comes from the list. If it does: all but the action that was refused.
  reject: ({ code, strikes_left, action }) => {
    if (code === "turn_over" || strikes_left === 0) return;
    turn.legal = turn.legal.filter((other) => other !== action);
    play(turn.legal);
  },
  ping: ({ id }) => send({ type: "pong", id }),
  error: ({ code, reason }) => console.error(`${code}: ${reason}`),
  bye: () => lines.close(),
};

// The same seed gives the same numbers, so that a match can be played again (the generator is called mulberry32).
function chanceFrom(seed) {
  let state = seed % 2 ** 32;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  if (line.trim() === "") return;
  const message = JSON.parse(line);
  on[message.type]?.(message); // messages that it doesn't know are passed over
});

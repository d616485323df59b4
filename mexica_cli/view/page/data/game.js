"use strict";
// A game as far as its messages have come. A moment is a number of actions done; `view/page/messages.py` describes the
// messages, `view/page/changes.py` the changes.

const ALL = "all";

class Game {
  constructor(start) {
    this.match = start.match;
    this.name = start.game;
    this.rules = start.rules;
    this.seats = start.seats;
    this.setting = start.setting;
    this.first = start.n ?? 0;
    this.end = null;
    this.states = [start.state];
    this.steps = [null];
    this.asides = new Map();
    this.units = { action: [], ...start.setting.units };
    this.marks = {};
    for (const unit of Object.keys(this.units)) this.marks[unit] = [this.first];
  }

  /** The last moment so far. */
  get last() {
    return this.first + this.states.length - 1;
  }

  /** Whether the seats see less than there is to see. */
  get hidden() {
    return "own" in this.states[0];
  }

  /** The next message. */
  take(message) {
    if (message.type === "step") this.takeStep(message);
    else if (message.type === "aside") this.asidesAt(message.n, true).push(message);
    else if (message.type === "end") this.end = message;
  }

  takeStep(step) {
    const before = this.states.at(-1);
    const state = step.change === null ? before : changed(before, step.change);
    this.states.push(state);
    this.steps.push(step);
    for (const [unit, fields] of Object.entries(this.units)) {
      if (unit === "action" || fields.some((field) => state[field] !== before[field])) this.marks[unit].push(this.last);
    }
  }

  asidesAt(n, make = false) {
    if (make && !this.asides.has(n)) this.asides.set(n, []);
    return this.asides.get(n) ?? [];
  }

  state(n) {
    return this.states[n - this.first];
  }

  /** The action that led to the moment; null for the first. */
  step(n) {
    return this.steps[n - this.first];
  }

  /** That action as a viewer saw it: a seat, or ALL. */
  seen(n, viewer) {
    const step = this.step(n);
    return (viewer !== ALL && step?.others?.[viewer]) || step;
  }

  /** Within what there is. */
  clamp(n) {
    return Math.min(Math.max(n, this.first), this.last);
  }

  /** The next moment at which an action, a turn, a round ... begins. */
  after(n, unit) {
    return this.marks[unit].find((mark) => mark > n) ?? this.last;
  }

  /** The last one before. */
  before(n, unit) {
    return this.marks[unit].findLast((mark) => mark < n) ?? this.first;
  }

  /** The first moment of the turn, round ... that the moment lies in. */
  beginning(n, unit) {
    return this.marks[unit].findLast((mark) => mark <= n) ?? this.first;
  }
}

/** The value that a change makes of another; neither is written to. */
function changed(value, change) {
  if (Array.isArray(change)) {
    if (change.length === 1) return change[0];
    const [place, gone, ...items] = change;
    return value.toSpliced(place, gone, ...items);
  }
  const copy = Array.isArray(value) ? [...value] : { ...value };
  for (const [key, inner] of Object.entries(change)) {
    if (Array.isArray(inner) && inner.length === 0) delete copy[key];
    else copy[key] = changed(copy[key], inner);
  }
  return copy;
}

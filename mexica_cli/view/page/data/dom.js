"use strict";
// Makes elements. Everything from outside goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: attributes, then children (texts, elements, lists of them; null is left out). */
function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** What a seat is called: A is seat 0. The owner after the last seat is the neutral colour. */
const letterOf = (owner, seats) => (owner === null || owner === seats ? "N" : String.fromCharCode(65 + owner));

/** A seat's letter on its colours. */
function badge(owner, seats = Infinity) {
  const colour = owner === null || owner === seats ? "n" : owner % 4;
  return h("span", { class: "badge", style: `--fill:var(--seat-${colour});--ink:var(--seat-${colour}-ink)` },
    letterOf(owner, seats));
}

/** A number with its thing: "1 action", "2 actions". */
const count = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

/** The drawing of an icon of 24 by 24, given as commands of a path. */
const icon = (commands) =>
  s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: commands }));

// @ts-check
// One token as labelled controls. Its value is a text that the token takes, or null where it is the
// default.

import { el } from "../tool/dom.js";
import { read } from "./contrast.js";
import { join, split, takes } from "./tokens.js";

/** @import { Token } from "./tokens.js" */
/**
 * @typedef {object} Field
 * @property {Token} token
 * @property {HTMLElement} row
 * @property {() => string | null} get
 * @property {(value: string | null) => void} set
 */

/** @param {Token} token @param {string} meaning @param {() => void} changed @returns {Field} */
export function field(token, meaning, changed) {
  const defaults = token.schemes ?? [token.value];
  const names = token.schemes ? ["Light", "Dark"] : ["Value"];
  const inputs = defaults.map((value, index) => entry(token, names[index], value, note));
  const undo = el("button", { class: "undo", type: "button", "aria-label": `Default of ${token.name}`, hidden: "" }, "Default");
  const id = `name-${token.name}`;
  const row = el("div", { class: "token", role: "group", "aria-labelledby": id },
    el("p", { class: "name" }, el("code", { id }, token.name), undo),
    ...(meaning ? [el("p", { class: "hint" }, meaning)] : []),
    el("div", { class: token.schemes ? "entries both" : "entries" }, ...inputs.map(({ part }) => part)));

  const get = () => {
    const [first, second] = inputs.map(({ get }) => get());
    const value = token.schemes ? join(first, second) : first;
    const isDefault = inputs.every(({ get }, index) => get() === defaults[index]);
    return isDefault ? null : value;
  };
  /** @param {string | null} value */
  const set = (value) => {
    const values = value === null ? defaults : token.schemes ? (split(value) ?? [value, value]) : [value];
    inputs.forEach((input, index) => input.set(values[index]));
    undo.hidden = get() === null;
  };
  function note() {
    undo.hidden = get() === null;
    changed();
  }
  undo.addEventListener("click", () => {
    // The button goes away; the focus stays in its row.
    inputs[0].focus();
    set(null);
    changed();
  });
  set(null);
  return { token, row, get, set };
}

/**
 * One value: a text, and for opaque colours a picker.
 * @param {Token} token
 * @param {string} name
 * @param {string} standard the default
 * @param {() => void} changed
 */
function entry(token, name, standard, changed) {
  const id = `${name.toLowerCase()}-${token.name}`;
  const input = el("input", { id, type: "text", spellcheck: "false", autocapitalize: "off", autocomplete: "off", placeholder: standard });
  const problem = el("p", { id: `problem-${id}`, class: "problem", hidden: "" });
  const picker = el("input", { type: "color", "aria-label": `Pick ${name.toLowerCase()}` });
  const isOpaque = token.schemes !== null && read(standard)?.[3] === 1;
  const get = () => (takes(token, input.value.trim()) ? input.value.trim() : standard);
  const show = () => {
    const isBad = input.value.trim() !== "" && !takes(token, input.value.trim());
    input.toggleAttribute("aria-invalid", isBad);
    if (isBad) input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", isBad ? problem.id : "");
    problem.hidden = !isBad;
    problem.textContent = isBad ? `Not a value for this; the default is ${standard}.` : "";
    const color = read(get());
    if (isOpaque && color) picker.value = `#${color.slice(0, 3).map((part) => Math.round(part * 255).toString(16).padStart(2, "0")).join("")}`;
  };
  input.addEventListener("input", () => { show(); changed(); });
  picker.addEventListener("input", () => { input.value = picker.value; show(); changed(); });
  return {
    get,
    set: (/** @type {string} */ value) => { input.value = value; show(); },
    focus: () => input.focus(),
    part: el("div", { class: "entry" },
      el("label", { for: id, class: token.schemes ? "" : "hidden" }, name),
      el("div", { class: "box" }, ...(isOpaque ? [picker] : []), input), problem),
  };
}

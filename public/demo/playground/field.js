// @ts-check
// One attribute as a labelled control. Its value is a text, or null where the attribute is absent.

import { el } from "../tool/dom.js";

/**
 * @typedef {object} Attribute
 * @property {string} name
 * @property {string} hint what it does
 * @property {string[]} [values] a closed set, the default first
 * @property {boolean} [flag] present or absent
 * @property {string[]} [suggestions] texts to choose from
 * @property {string} [unset] what holds without it
 * @property {boolean} [shown] a text that is shown: the chat follows every letter
 */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {HTMLElement} row
 * @property {() => string | null} get
 * @property {(value: string | null) => void} set
 */

/** Stands for a value that is typed. No attribute has it as a value. */
const OTHER = "…";

/** @param {Attribute} attribute @param {() => void} changed @returns {Field} */
export function field(attribute, changed) {
  if (attribute.values) return choice(attribute, attribute.values, changed);
  return attribute.flag ? flag(attribute, changed) : text(attribute, changed);
}

/** @param {Attribute} attribute @param {HTMLElement} control @param {HTMLElement[]} more */
function row({ name, hint }, control, ...more) {
  control.id = `attribute-${name}`;
  control.setAttribute("aria-describedby", `hint-${name}`);
  const label = el("label", { for: control.id }, el("code", {}, name));
  return el("div", { class: "field" }, label, control, ...more, el("p", { id: `hint-${name}`, class: "hint" }, hint));
}

/**
 * @param {Attribute} attribute
 * @param {string[]} values
 * @param {() => void} changed
 * @returns {Field}
 */
function choice(attribute, values, changed) {
  const { name } = attribute;
  const options = values.map((value) => el("option", { value }, value));
  const select = el("select", {},
    el("option", { value: "" }, `Not set (${values[0]})`), ...options, el("option", { value: OTHER }, "Another value…"));
  const other = el("input", { type: "text", "aria-label": `Another value of ${name}`, placeholder: "a value that it does not have", spellcheck: "false", hidden: "" });
  const show = () => (other.hidden = select.value !== OTHER);
  select.addEventListener("change", () => {
    show();
    if (!other.hidden) other.focus();
    changed();
  });
  other.addEventListener("change", changed);
  return {
    name,
    row: row(attribute, select, other),
    get: () => (select.value === OTHER ? other.value : select.value) || null,
    set: (value) => {
      const known = value === null || values.includes(value);
      select.value = known ? (value ?? "") : OTHER;
      other.value = known ? "" : (value ?? "");
      show();
    },
  };
}

/** @param {Attribute} attribute @param {() => void} changed @returns {Field} */
function flag(attribute, changed) {
  const box = el("input", { type: "checkbox" });
  box.addEventListener("change", changed);
  return {
    name: attribute.name,
    row: row(attribute, box),
    get: () => (box.checked ? "" : null),
    set: (value) => (box.checked = (value ?? "false") !== "false"),
  };
}

/** @param {Attribute} attribute @param {() => void} changed @returns {Field} */
function text(attribute, changed) {
  const { name, suggestions = [], unset = "", shown } = attribute;
  const input = el("input", { type: "text", placeholder: unset, autocomplete: "off", autocapitalize: "off", spellcheck: String(!!shown) });
  // Half an address is another address: those are taken when they are complete.
  input.addEventListener(shown ? "input" : "change", changed);
  const list = el("datalist", { id: `suggestions-${name}` }, ...suggestions.map((value) => el("option", { value })));
  if (suggestions.length) input.setAttribute("list", list.id);
  return {
    name,
    row: row(attribute, input, ...(suggestions.length ? [list] : [])),
    get: () => input.value || null,
    set: (value) => (input.value = value ?? ""),
  };
}

// @ts-check
// What the launcher and the frame read of the element's attributes. The table of all is
// `web/attributes.toml`.

import { CHOICES, FLAGS, IDENTITY, LIVE } from "../attributes.js";

/** The attributes of the widget. */
export const WIDGET = [...IDENTITY, ...LIVE];
export const OBSERVED = [...Object.keys(CHOICES), ...FLAGS, ...WIDGET];

/** Returns the value that holds, of an attribute with a closed set of values.
 * @param {Element} chat @param {string} name */
export function choice(chat, name) {
  const values = CHOICES[name];
  return values.find((value) => value === chat.getAttribute(name)) ?? values[0];
}

/** @param {Element} chat */
export const isOpen = (chat) => ![null, "false"].includes(chat.getAttribute("open"));

/** Warns of a value that is not in the attribute's set.
 * @param {string} name @param {string} value */
export function check(name, value) {
  const values = CHOICES[name] ?? [value];
  if (values.includes(value)) return;
  const allowed = `${values.join(", ")}; using ${values[0]}`;
  console.warn(`assent-chat: ${name}="${value}" is not one of ${allowed}.`);
}

/** Returns the values of the widget's attributes, by name. @param {Element} chat */
export const widgetOptions = (chat) =>
  Object.fromEntries(WIDGET.map((name) => [name, chat.getAttribute(name)]));

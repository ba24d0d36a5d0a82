// @ts-check
// What the page gives the element by its properties: functions, and texts.

import { TEXTS } from "../texts.js";

/** @import { Call } from "./lifecycle.js" */
/** @typedef {keyof typeof TEXTS} Key */

/** The values of the properties by name; null holds without one. `language` has the texts in the
 * language of `locale`, once they are there, and `texts` all that are not English.
 * @typedef {Record<string, any>} Given */

export const NAMES = [
  "tokenProvider",
  "requestHeaders",
  "uploader",
  "linkPolicy",
  "imagePolicy",
  "suggestions",
  "strings",
];

/** Returns the text of this key in the page's words or language, or the English one.
 * @param {Given} given @param {Key} key @returns {string} */
export function textOf(given, key) {
  const own = given.texts?.[key];
  return typeof own === "string" ? own : TEXTS[key];
}

/** Gives the widget all but the texts. @param {Given} given @param {Call} call */
export function give(given, call) {
  call("set_uploader", given.uploader);
  call("set_suggestions", given.suggestions ?? []);
  call("set_policies", given.linkPolicy, given.imagePolicy);
  call("set_access", given.tokenProvider, given.requestHeaders);
}

/** Returns a copy of a property's value, so that what the page does with its objects later changes
 * nothing; null for what the property does not take.
 * @param {string} name @param {any} value */
export function checked(name, value) {
  let kind = "a function";
  let given = typeof value === "function" && value;
  if (name === "suggestions") {
    kind = "an array of strings";
    const isTexts = Array.isArray(value) && value.every((text) => typeof text === "string");
    given = isTexts && Object.freeze([...value]);
  } else if (name === "strings") {
    kind = "an object of texts";
    given = typeof value === "object" && value && { ...value };
  }
  if (value && !given) console.warn(`assent-chat: ${name} is not ${kind}; it counts as null.`);
  return given || null;
}

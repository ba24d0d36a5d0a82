// @ts-check
// What the loader takes from the browser: a server has none of it, and a page can have taken some
// names for something of its own, such as `var URL = "/shop/"` or a library with a `Request`.

/** The class of elements. Where there is no DOM, importing the loader does nothing. */
export const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (class {});

/** What the keyboard of a phone leaves of the window. */
export const viewport = globalThis.visualViewport;

/** Creates a style sheet; there is none without a DOM. @param {string} [text] */
export function newSheet(text) {
  const sheet = globalThis.CSSStyleSheet && new CSSStyleSheet();
  if (text) sheet?.replaceSync(text);
  return sheet;
}

/** What the chat does with each name that pages are known to take. Whatever throws, or gives
 * something else, is taken.
 * @type {Record<string, () => unknown>} */
const USES = {
  URL: () => new URL("b", "https://a/").pathname === "/b",
  Request: () => new Request("https://a/b").url === "https://a/b",
  Headers: () => new Headers({ a: "b" }).get("a") === "b",
  Map: () => new Map([[1, 2]]).get(1) === 2,
  Text: () => document.createTextNode("") instanceof Text,
  Element: () => document.documentElement instanceof Element,
  Event: () => new Event("a").type === "a",
  Response: () => new Response("").ok,
  Promise: () => typeof Promise.race === "function",
  Symbol: () => typeof Symbol.iterator === "symbol",
  Reflect: () => typeof Reflect.get === "function",
  "Array.from": () => Array.from(new Set([1]))[0] === 1,
  "JSON.stringify": () => JSON.stringify([1]) === "[1]",
  AbortController: () => new AbortController().signal,
  TextDecoder: () => new TextDecoder().encoding === "utf-8",
};

/** @param {string} name */
function isTaken(name) {
  try {
    return !USES[name]();
  } catch {
    return true;
  }
}

/** Returns the first name that is taken. */
export const takenName = () => Object.keys(USES).find(isTaken);

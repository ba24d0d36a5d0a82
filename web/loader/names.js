// @ts-check
// Names of the browser that a page took for something of its own: `var URL = "/shop/"`, a library with a `Request`.

/** What the chat does with each name that pages are known to take. Whatever throws, or gives something else, is taken.
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

/** Returns the first name that is taken. */
export const takenName = () => Object.keys(USES).find((name) => { try { return !USES[name](); } catch { return true; } });

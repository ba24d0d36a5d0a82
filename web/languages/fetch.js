// @ts-check
// Fetching the texts of a language, once for all chats of a page.

/** @import { Texts } from "./index.js" */

/** Milliseconds after which a download counts as failed. */
const TIMEOUT = 60_000;

/** The texts that are there, by the tag of their language. @type {Map<string, Texts>} */
export const known = new Map();

/** Downloads that are under way. @type {Map<string, Promise<Texts>>} */
const underWay = new Map();

/** Fetches the texts of a language. After a failure they are fetched anew.
 * @param {string} tag @param {URL} address */
export function fetchTexts(tag, address) {
  const download = underWay.get(tag) ?? read(tag, address).finally(() => underWay.delete(tag));
  underWay.set(tag, download);
  return download;
}

/** @param {string} tag @param {URL} address */
async function read(tag, address) {
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  /** @type {Texts} */
  const texts = await response.json();
  known.set(tag, texts);
  return texts;
}

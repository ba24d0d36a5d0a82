// @ts-check
// The entry of the module that gives a chat the texts in the language of its attribute `locale`.

import { choose } from "./choose.js";
import { fetchTexts, known } from "./fetch.js";
import { keepFocus, watch } from "./focus.js";

/** @typedef {Record<string, string>} Texts */
/** What the element keeps of its properties. @typedef {{language?: Texts | null}} Given */

/** Gives a chat the texts in the language of its attribute `locale`, at once if they are there.
 * Until then, and for a language without texts, it has none.
 * @param {Element} chat @param {Given} given keeps the texts, as `language`
 * @param {(tag: string) => URL} address of the texts of a language
 * @param {() => void} redraw is called when they are others */
export async function speak(chat, given, address, redraw) {
  watch(chat);
  const choice = () => choose(chat.getAttribute("locale") ?? "");
  const tag = choice();
  /** @param {Texts | undefined} texts */
  const set = (texts) => {
    if (given.language === texts) return;
    given.language = texts;
    keepFocus(chat, redraw);
  };
  set(tag ? known.get(tag) : undefined);
  if (!tag || known.has(tag)) return;
  try {
    const texts = await fetchTexts(tag, address(tag));
    // Meanwhile another language may be wanted.
    if (choice() === tag) set(texts);
  } catch (error) {
    warn(tag, error);
    const again = () => chat.isConnected && speak(chat, given, address, redraw);
    addEventListener("online", again, { once: true });
  }
}

/** @param {string} tag @param {unknown} error */
function warn(tag, error) {
  // A page that is being left ends its downloads, and has no time left to complain.
  setTimeout(() => console.warn(`assent-chat: texts are English instead of "${tag}".`, error), 100);
}

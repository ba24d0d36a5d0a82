// @ts-check
// Launchers for script tags.

import { el } from "./dom.js";
import { AssentChatElement } from "./element.js";
import { KEY } from "./shared.js";

/** What a script tag passes on: what the element reads, and what the page finds and styles it by.
 * Anything else of a tag belongs to other code, and `data-onclick` would become a handler. */
const FORWARDED_ATTRIBUTES = [...AssentChatElement.observedAttributes, "id", "class", "lang", "dir"];

/** Adds a launcher for each script tag of the loader that names an agent.
 * @param {string} loader the address of this script */
export function launchFromTags(loader) {
  const tags = [...document.querySelectorAll(/** @type {"script"} */ ('script[type="module"][src][data-agent-id]'))];
  // After a redirect the tag has another address than the loader, but the same file name.
  const file = (/** @type {string} */ url) => new URL(url).pathname.split("/").pop();
  const exact = tags.filter((tag) => tag.src === loader);
  for (const tag of exact.length ? exact : tags.filter((tag) => file(tag.src) === file(loader))) {
    if (KEY in tag) continue; else /** @type {any} */ (tag)[KEY] = true;
    const chat = el("assent-chat", { mode: "launcher" });
    for (const name of FORWARDED_ATTRIBUTES) {
      const value = tag.getAttribute(`data-${name}`);
      if (value !== null) chat.setAttribute(name, value);
    }
    document.body.append(chat);
  }
}

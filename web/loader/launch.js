// @ts-check
// Launchers for script tags.

import { el } from "./dom.js";
import { AssentChatElement } from "./element.js";
import { KEY } from "./shared.js";

/** What a script tag passes on: what the element reads, and what the page finds and styles it by.
 * Anything else of a tag belongs to other code, and `data-onclick` would become a handler. */
const FORWARDED_ATTRIBUTES = [...AssentChatElement.observedAttributes, "id", "class", "lang", "dir"];

/** @param {string} sentence */
const warn = (sentence) => console.warn(`assent-chat: ${sentence}.`);

/** Adds a launcher for each script tag of the loader that names an agent.
 * @param {string} loader the address of this script */
export function launchFromTags(loader) {
  // After a redirect the tag has another address than the loader, but the same file name.
  const file = (/** @type {string} */ url) => new URL(url).pathname.split("/").pop();
  const tags = [...document.querySelectorAll(/** @type {"script"} */ ('script[type="module"][src]'))].filter((tag) => file(tag.src) === file(loader));
  const exact = tags.filter((tag) => tag.src === loader);
  for (const tag of exact.length ? exact : tags) {
    if (KEY in tag) continue; else /** @type {any} */ (tag)[KEY] = true;
    const names = AssentChatElement.observedAttributes, bare = names.find((name) => tag.hasAttribute(name));
    if (bare) warn(`${bare} on a script tag is data-${bare}`);
    if (!tag.dataset.agentId) {
      if (names.some((name) => tag.hasAttribute(`data-${name}`))) warn("no launcher without data-agent-id");
      continue;
    }
    // Only what has a name of its own can be put beside the other.
    if (document.querySelector('assent-chat[mode="launcher"]') && !tag.matches("[data-id],[data-class]")) {
      warn("one launcher is there; another one, which would lie over it, needs data-id or data-class");
      continue;
    }
    const chat = el("assent-chat", { mode: "launcher" });
    for (const name of FORWARDED_ATTRIBUTES) {
      const value = tag.getAttribute(`data-${name}`);
      if (value !== null) chat.setAttribute(name, value);
    }
    document.body.append(chat);
  }
}

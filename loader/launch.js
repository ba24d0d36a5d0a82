// @ts-check
// Launchers that script tags ask for.

import { el } from "./dom.js";
import { KEY } from "./load.js";

/** Makes one launcher for each script tag of this file that names an agent. */
export function launchFromTags() {
  const tags = [...document.querySelectorAll(/** @type {"script"} */ ('script[type="module"][src][data-agent-id]'))];
  // After a redirect the tag's address is not this module's, but the file name still is.
  const file = (/** @type {string} */ url) => new URL(url).pathname.split("/").pop();
  const exact = tags.filter((tag) => tag.src === import.meta.url);
  for (const tag of exact.length ? exact : tags.filter((tag) => file(tag.src) === file(import.meta.url))) {
    if (KEY in tag) continue; else Object.assign(tag, { [KEY]: true });
    const chat = el("assent-chat", { mode: "launcher" });
    for (const { name, value } of tag.attributes) if (name.startsWith("data-")) chat.setAttribute(name.slice(5), value);
    document.body.append(chat);
  }
}

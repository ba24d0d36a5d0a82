// @ts-check
// Launchers for script tags.

import { el } from "./dom.js";
import { AssentChatElement } from "./element/element.js";
import { KEY, shared } from "./shared.js";

/** How often within a second a launcher comes back to a page that takes it away. */
const MAX_RETURNS = 5;

const { observedAttributes } = AssentChatElement;

/** What a script tag passes on: what the element reads, and what the page finds and styles it by.
 * Anything else of a tag belongs to other code, and `data-onclick` would become a handler. */
const FORWARDED_ATTRIBUTES = [...observedAttributes, "id", "class", "lang", "dir"];

/** @param {string} sentence */
const warn = (sentence) => console.warn(`assent-chat: ${sentence}.`);

/** The address of this page, without the place in it. */
const page = () => location.href.split("#")[0];

/** What a tag passes on.
 * @param {HTMLElement} tag @returns {Record<string, string>} */
function said(tag) {
  const given = FORWARDED_ATTRIBUTES.map((name) => [name, tag.getAttribute(`data-${name}`)]);
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

/** Adds a launcher for each script tag of the loader that names an agent, now and whenever the page
 * is drawn anew: a navigation inside of a page replaces its body, and runs no module a second time.
 * @param {string} loader the address of this script */
export function launchFromTags(loader) {
  const observer = new MutationObserver(() => settle(true));
  /** @param {boolean} again */
  function settle(again) {
    const tags = tagsOf(loader);
    const words = tags.map((tag) => JSON.stringify(said(tag)));
    for (const known of shared.launched.filter(({ chat }) => !chat.isConnected)) {
      const isSame = known.page === page();
      const isTaken = KEY in known.chat;
      // Another page without the tag has no launcher, and the page itself may take it away.
      if (!isTaken && (isSame || words.includes(known.said))) put(known, again);
      else if (!isSame) forget(known);
    }
    for (const tag of tags) launch(tag, again);
    const { documentElement, head, body } = document;
    for (const node of [document, documentElement, head, body]) {
      if (node) observer.observe(node, { childList: true });
    }
  }
  settle(false);
}

/** @param {string} loader */
function tagsOf(loader) {
  // After a redirect the tag has another address than the loader, but the same file name. Its type
  // may be another one: optimisers that load scripts later change it.
  const file = (/** @type {string} */ url) => url.split(/[?#]/)[0].split("/").pop();
  const scripts = [...document.querySelectorAll(/** @type {"script"} */ ("script[src]"))];
  const tags = scripts.filter((tag) => file(tag.src) === file(loader));
  const exact = tags.filter((tag) => tag.src === loader);
  return exact.length ? exact : tags;
}

/** @param {HTMLScriptElement} tag @param {boolean} again */
function launch(tag, again) {
  if (KEY in tag) return;
  /** @type {any} */ (tag)[KEY] = true;
  const bare = observedAttributes.find((name) => tag.hasAttribute(name));
  if (bare) warn(`${bare} on a script tag is data-${bare}`);
  if (!tag.dataset.agentId) {
    const isMeant = observedAttributes.some((name) => tag.hasAttribute(`data-${name}`));
    if (isMeant) warn("no launcher without data-agent-id");
    return;
  }
  const attributes = said(tag);
  const text = JSON.stringify(attributes);
  // The tag of a page that was drawn anew.
  if (shared.launched.some(({ said }) => said === text)) return;
  // Only what has a name of its own can be put beside the other; which one comes first is the
  // network's choice.
  const isTaken = launchers().some((it) => !it.matches("[id],[class]"));
  const returns = again && copyOf(tag.dataset.agentId);
  if (isTaken && !returns && !tag.matches("[data-id],[data-class]")) {
    const other = "another one, which would lie over it, needs data-id or data-class";
    return warn(`one launcher is there; ${other}`);
  }
  const chat = el("assent-chat", { mode: "launcher", ...attributes });
  const known = { chat, said: text, page: "", since: 0, count: 0 };
  shared.launched.push(known);
  put(known, again);
}

/** @typedef {typeof shared.launched[number]} Launched */

/** @param {Launched} known */
function forget(known) {
  shared.launched = shared.launched.filter((other) => other !== known);
}

const LAUNCHERS = /** @type {"div"} */ ('assent-chat[mode="launcher"]');

const launchers = () => [...document.querySelectorAll(LAUNCHERS)];

/** A page that was kept and is shown again has a copy of its launcher.
 * @param {string | undefined} agent */
const copyOf = (agent) =>
  launchers().find((it) => {
    const isOurs = shared.launched.some(({ chat }) => chat === it);
    return !isOurs && it.getAttribute("agent-id") === agent;
  });

/** Puts a launcher into the page as it is now. One that was only away for a moment goes on.
 * @param {Launched} known @param {boolean} again */
function put(known, again) {
  const now = performance.now();
  // Whoever goes through pages quickly is not a page that takes it away.
  if (now - known.since > 1000 || known.page !== page()) {
    known.since = now;
    known.count = 0;
  }
  if (++known.count > MAX_RETURNS) {
    forget(known);
    return warn("something on this page takes the launcher away again and again; it stays away");
  }
  known.page = page();
  const copy = again && copyOf(JSON.parse(known.said)["agent-id"]);
  copy ? copy.replaceWith(known.chat) : document.body.append(known.chat);
}

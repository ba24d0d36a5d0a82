// @ts-check
// Launchers for script tags.

import { el } from "./dom.js";
import { AssentChatElement } from "./element.js";
import { KEY, shared } from "./shared.js";

/** How often within a second a launcher comes back to a page that takes it away. */
const MAX_RETURNS = 5;

/** What a script tag passes on: what the element reads, and what the page finds and styles it by.
 * Anything else of a tag belongs to other code, and `data-onclick` would become a handler. */
const FORWARDED_ATTRIBUTES = [...AssentChatElement.observedAttributes, "id", "class", "lang", "dir"];

/** @param {string} sentence */
const warn = (sentence) => console.warn(`assent-chat: ${sentence}.`);

/** The address of this page, without the place in it. */
const page = () => location.href.split("#")[0];

/** What a tag passes on. @param {HTMLElement} tag @returns {Record<string, string>} */
function said(tag) {
  const given = FORWARDED_ATTRIBUTES.map((name) => [name, tag.getAttribute(`data-${name}`)]);
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

/** Adds a launcher for each script tag of the loader that names an agent, now and whenever the page is drawn anew: a
 * navigation inside of a page replaces its body, and runs no module a second time.
 * @param {string} loader the address of this script */
export function launchFromTags(loader) {
  const observer = new MutationObserver(() => settle(true));
  /** @param {boolean} again */
  function settle(again) {
    const tags = tagsOf(loader), words = tags.map((tag) => JSON.stringify(said(tag)));
    for (const known of shared.launched.filter(({ chat }) => !chat.isConnected)) {
      const isSame = known.page === page(), isTaken = KEY in known.chat;
      // Another page without the tag has no launcher, and the page itself may take it away.
      if (!isTaken && (isSame || words.includes(known.said))) put(known, again);
      else if (!isSame) forget(known);
    }
    for (const tag of tags) launch(tag, again);
    for (const node of [document, document.documentElement, document.head, document.body]) if (node) observer.observe(node, { childList: true });
  }
  settle(false);
}

/** @param {string} loader */
function tagsOf(loader) {
  // After a redirect the tag has another address than the loader, but the same file name. Its type may be another one:
  // optimisers that load scripts later change it.
  const file = (/** @type {string} */ url) => url.split(/[?#]/)[0].split("/").pop();
  const tags = [...document.querySelectorAll(/** @type {"script"} */ ("script[src]"))].filter((tag) => file(tag.src) === file(loader));
  const exact = tags.filter((tag) => tag.src === loader);
  return exact.length ? exact : tags;
}

/** @param {HTMLScriptElement} tag @param {boolean} again */
function launch(tag, again) {
  if (KEY in tag) return;
  /** @type {any} */ (tag)[KEY] = true;
  const names = AssentChatElement.observedAttributes, bare = names.find((name) => tag.hasAttribute(name));
  if (bare) warn(`${bare} on a script tag is data-${bare}`);
  if (!tag.dataset.agentId) {
    if (names.some((name) => tag.hasAttribute(`data-${name}`))) warn("no launcher without data-agent-id");
    return;
  }
  const attributes = said(tag), text = JSON.stringify(attributes), { agentId } = tag.dataset;
  // The tag of a page that was drawn anew.
  if (shared.launched.some(({ said }) => said === text)) return;
  // Only what has a name of its own can be put beside the other; which one comes first is the network's choice.
  if (launchers().some((it) => !it.matches("[id],[class]")) && !(again && copyOf(agentId)) && !tag.matches("[data-id],[data-class]"))
    return warn("one launcher is there; another one, which would lie over it, needs data-id or data-class");
  const known = { chat: el("assent-chat", { mode: "launcher", ...attributes }), said: text, page: "", since: 0, count: 0 };
  shared.launched.push(known);
  put(known, again);
}

/** @typedef {typeof shared.launched[number]} Launched */

/** @param {Launched} known */
const forget = (known) => { shared.launched = shared.launched.filter((other) => other !== known); };

const launchers = () => [...document.querySelectorAll(/** @type {"div"} */ ('assent-chat[mode="launcher"]'))];

/** A page that was kept and is shown again has a copy of its launcher. @param {string | undefined} agent */
const copyOf = (agent) => launchers().find((it) => it.getAttribute("agent-id") === agent && !shared.launched.some(({ chat }) => chat === it));

/** Puts a launcher into the page as it is now. One that was only away for a moment goes on.
 * @param {Launched} known @param {boolean} again */
function put(known, again) {
  const now = performance.now();
  // Whoever goes through pages quickly is not a page that takes it away.
  if (now - known.since > 1000 || known.page !== page()) { known.since = now; known.count = 0; }
  if (++known.count > MAX_RETURNS) {
    forget(known);
    return warn("something on this page takes the launcher away again and again; it stays away");
  }
  known.page = page();
  const copy = again && copyOf(JSON.parse(known.said)["agent-id"]);
  copy ? copy.replaceWith(known.chat) : document.body.append(known.chat);
}

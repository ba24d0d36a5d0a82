// @ts-check
// The entry of the module that tells a person who is elsewhere that decisions wait: by the title of
// the page, a sound, and notifications of the system, as the attribute `notify` says.

import { leadTo } from "./card.js";
import { isLookedAt, Looking } from "./looking.js";
import { awaitGesture, leaveSound, play } from "./sound.js";
import { canAsk, keep, permission, show } from "./system.js";
import { showNumber } from "./title.js";

/** @import { Chat } from "./card.js" */
/** What the widget says: whether an agent has just asked, the agent's name or "", and for each thread
 * its id, the number of decisions that wait in it, and a text that says this number.
 * @typedef {[isNew: boolean, agent: string, ...threads: (string | number)[]]} News */
/** Calls the widget, if it is there: whether its menu offers to ask for the permission.
 * @typedef {(update: "update", name: "notify", offers: string | null) => void} Call */
/** A thread in which decisions wait. @typedef {{id: string, count: number, text: string}} Waiting */
/** A chat that was told of here.
 * @typedef {{agent: string, threads: Waiting[], call: Call, attribute: string | null, ways: string[],
 *   scope: string, looking: Looking}} Told */

const WAYS = ["title", "sound", "system"];
/** The line of the menu. */
const LINE = ".menu-item.tell-me";

/** @type {Map<Chat, Told>} */
const chats = new Map();

/** False while the page is being left, or is in the back/forward cache. */
let isHere = true;
let isAwaitingGesture = false;

/** Tells what waits in a chat, if that is new, and reads its attribute `notify` anew.
 * @param {Chat} chat @param {Call} call @param {News | []} [news] */
export function tell(chat, call, news) {
  const before = chats.get(chat);
  const it = read(chat, call, before);
  if (news) {
    it.agent = news[1] ?? "";
    it.threads = threads(news);
  }
  if (chat.isConnected) chats.set(chat, it);
  else leave(chat, it);
  const grown = news?.[0] ? it.threads.filter((thread) => hasGrown(thread, before)) : [];
  if (grown.length && it.ways.includes("sound")) void play();
  for (const { id } of grown) void notify(chat, id);
  update();
}

/** @param {News | []} news @returns {Waiting[]} */
function threads([, , ...values]) {
  const threads = [];
  for (let at = 0; at < values.length; at += 3) {
    const [id, count, text] = values.slice(at, at + 3);
    threads.push({ id: String(id), count: Number(count), text: String(text) });
  }
  return threads;
}

/** Reads the attributes of a chat. @param {Chat} chat @param {Call} call @param {Told} [before] @returns {Told} */
function read(chat, call, before) {
  const attribute = chat.getAttribute("notify");
  const words = (attribute ?? WAYS[0]).split(/\s+/).filter(Boolean);
  const ways = words.filter((word) => WAYS.includes(word));
  if (words.length > ways.length && attribute !== before?.attribute) {
    const wrong = words.filter((word) => !ways.includes(word)).join(" ");
    console.warn(`assent-chat: notify="${wrong}" is not one of ${WAYS.join(", ")}; left out.`);
  }
  if (ways.includes("sound") && !isAwaitingGesture) {
    isAwaitingGesture = true;
    awaitGesture();
  }
  if (ways.includes("system")) chat.shadowRoot?.addEventListener("click", askIfChosen);
  const scope = JSON.stringify(["base-url", "agent-id", "user-id"].map((name) => chat.getAttribute(name)));
  const isSame = before?.scope === scope;
  if (!isSame) before?.looking.update(false);
  const looking = isSame ? before.looking : new Looking(scope);
  return { agent: "", threads: [], ...before, call, attribute, ways, scope, looking };
}

/** Forgets a chat that was removed. @param {Chat} chat @param {Told} told */
function leave(chat, { looking }) {
  chats.delete(chat);
  looking.update(false);
  keep(chat, []);
}

/** @param {Waiting} thread @param {Told} [before] */
function hasGrown({ id, count }, before) {
  return count > (before?.threads.find((known) => known.id === id)?.count ?? 0);
}

/** Brings everything that holds while something waits in line with what waits now. */
function update() {
  /** The same thread in several chats counts once. @type {Map<string, number>} */
  const waiting = new Map();
  for (const [chat, { threads, ways, scope, looking, call }] of chats) {
    const isNotified = isHere && ways.includes("system");
    looking.update(isNotified && isLookedAt());
    keep(chat, isNotified ? threads.map(({ id }) => tag(scope, id)) : []);
    call("update", "notify", isNotified && canAsk() ? "" : null);
    if (!ways.includes("title")) continue;
    for (const { id, count } of threads) {
      const key = tag(scope, id);
      waiting.set(key, Math.max(count, waiting.get(key) ?? 0));
    }
  }
  const sum = [...waiting.values()].reduce((sum, count) => sum + count, 0);
  showNumber(isHere && document.hidden ? sum : 0);
}

/** @param {string} scope @param {string} thread */
const tag = (scope, thread) => `assent:${scope}:${thread}`;

/** Shows a notification of the system, if nobody looks.
 * @param {Chat} chat @param {string} thread */
async function notify(chat, thread) {
  const isWanted = () => isHere && chats.get(chat)?.ways.includes("system") && permission() === "granted" && !isLookedAt();
  if (!isWanted() || (await chats.get(chat)?.looking.isElsewhere())) return;
  const it = chats.get(chat);
  // Meanwhile it may have been decided.
  const waits = it?.threads.find(({ id }) => id === thread);
  if (!it || !waits || !isWanted()) return;
  const title = it.agent || chat.shadowRoot?.getElementById("heading")?.textContent?.trim() || "";
  const lang = chat.getAttribute("locale") ?? "";
  show(chat, tag(it.scope, thread), title, { body: waits.text, lang }, () => void leadTo(chat, thread));
}

/** Asks the person for the permission, in a click on the line of the menu.
 * @param {Event} event */
async function askIfChosen({ target }) {
  if (!(/** @type {Element} */ (target).closest(LINE))) return;
  try {
    await Notification.requestPermission();
  } finally {
    update();
  }
}

/** @param {boolean} value */
const setHere = (value) => {
  isHere = value;
  if (!isHere) leaveSound();
  update();
};

document.addEventListener("visibilitychange", update);
for (const type of ["focus", "blur"]) addEventListener(type, update);
// A page that is left gets no number on its way into the history.
addEventListener("pagehide", () => setHere(false));
addEventListener("pageshow", () => setHere(true));
// The person may change it in the settings of the browser.
navigator.permissions?.query({ name: "notifications" }).then((status) => (status.onchange = update), () => {});

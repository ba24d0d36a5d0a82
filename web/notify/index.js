// @ts-check
// The entry of the module that tells a person who is elsewhere that decisions wait: by the title of
// the page, a sound, and notifications of the system, as the attribute `notify` says.

import { leadTo } from "./card.js";
import { isLookedAt, Looking } from "./looking.js";
import { awaitGesture, leaveSound, play } from "./sound.js";
import { canAsk, keep, permission, show } from "./system.js";
import { showNumber } from "./title.js";

/** @import { Chat } from "./card.js" */
/** What waits: the agent's name if it is known, and each thread with its number of decisions and a
 * text that says it. `isNew`: an agent has just asked.
 * @typedef {{agent?: string, threads: [id: string, count: number, text: string][], isNew?: boolean}} News */
/** Calls the widget, if it is there. @typedef {(name: "set_consent", ask: (() => void) | null) => void} Call */

const WAYS = ["title", "sound", "system"];

/** A chat that was told of here.
 * @typedef {{news: News, call: Call, attribute: string | null, ways: string[], scope: string, looking: Looking}} Told */

/** @type {Map<Chat, Told>} */
const chats = new Map();

/** False while the page is being left, or is in the back/forward cache. */
let isHere = true;
let isAwaitingGesture = false;

/** Tells what waits in a chat, and reads its attribute `notify` anew.
 * @param {Chat} chat @param {News} news @param {Call} call */
export function tell(chat, news, call) {
  const before = chats.get(chat);
  const it = read(chat, news, call, before);
  if (chat.isConnected) chats.set(chat, it);
  else leave(chat, it);
  // The same news come once more when the attribute changes.
  const grown = news.isNew && news !== before?.news ? news.threads.filter((thread) => hasGrown(thread, before)) : [];
  if (grown.length && it.ways.includes("sound")) void play();
  for (const [thread] of grown) void notify(chat, thread);
  update();
}

/** @param {Chat} chat @param {News} news @param {Call} call @param {Told} [before] @returns {Told} */
function read(chat, news, call, before) {
  const attribute = chat.getAttribute("notify");
  const scope = JSON.stringify(["base-url", "agent-id", "user-id"].map((name) => chat.getAttribute(name)));
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
  if (before && before.scope !== scope) before.looking.update(false);
  const looking = before?.scope === scope ? before.looking : new Looking(scope);
  return { news, call, attribute, ways, scope, looking };
}

/** Forgets a chat that was removed. @param {Chat} chat @param {Told} told */
function leave(chat, { looking }) {
  chats.delete(chat);
  looking.update(false);
  keep(chat, []);
}

/** @param {News["threads"][0]} thread @param {Told} [before] */
function hasGrown([id, count], before) {
  const known = before?.news.threads.find(([known]) => known === id);
  return count > (known?.[1] ?? 0);
}

/** Brings everything that holds while something waits in line with what waits now. */
function update() {
  /** The same thread in several chats counts once. @type {Map<string, number>} */
  const waiting = new Map();
  for (const [chat, { news, ways, scope, looking, call }] of chats) {
    const isNotified = isHere && ways.includes("system");
    looking.update(isNotified && isLookedAt());
    keep(chat, isNotified ? news.threads.map(([id]) => tag(scope, id)) : []);
    call("set_consent", isNotified && canAsk() ? ask : null);
    if (!ways.includes("title")) continue;
    for (const [id, count] of news.threads) {
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
  const waits = it?.news.threads.find(([id]) => id === thread);
  if (!it || !waits || !isWanted()) return;
  const { news, scope } = it;
  const title = news.agent || chat.shadowRoot?.getElementById("heading")?.textContent?.trim() || "";
  const lang = chat.getAttribute("locale") ?? "";
  show(chat, tag(scope, thread), title, { body: waits[2], lang }, () => void leadTo(chat, thread));
}

/** Asks the person for the permission. Is called by the item of the menu, in its click. */
async function ask() {
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

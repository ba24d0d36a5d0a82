// What a person does, one action at a time, chosen by the seed among what is possible at the moment.
// An action whose button goes away meanwhile is given up: people are late, too.

import { flat } from "./truth.js";
import { Chat, look, lookUntil, moves, paste } from "./view.js";

/** @typedef {import("./random.js").Random} Random */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./view.js").View} View */
/** @typedef {{ chat: Chat, view: View, random: Random, session: Session }} Scene */

/** How often each is chosen, where it is possible. */
const WEIGHTS = { send: 8, stop: 3, switch: 3, new: 1, rename: 1, delete: 0.6, approve: 6, resolve: 4, reload: 1.5, tab: 2, close: 0.7 };
/** What an agent is asked for, each as often as the others. */
const WISHES = ["plain", "plain", "long", "long", "approve one", "approve three", "two batches", "approve twice", "fail", "cut"];
const ENDINGS = ["", "", " 🙂", " – “ä”", " مرحبا", "\nand a second line", " very".repeat(30)];
/** Buttons that answer something the widget says or asks. */
const ANSWERS = [
  "Retry",
  "Try again",
  "Send now",
  "Check again",
  "Dismiss",
  "Send after I decide",
  "Deny and send now",
  "Cancel",
  "Edit",
  "Start a new conversation",
];
/** How long an action waits for what it needs, in milliseconds. */
const TIMEOUT = 2_000;
const quick = { timeout: TIMEOUT };

/** @type {Record<string, { possible: (view: View, session: Session) => boolean, act: (scene: Scene) => Promise<unknown> }>} */
const ACTIONS = {
  send: {
    possible: () => true,
    act: async ({ chat, view, random, session }) => {
      // What could not be sent is still there, and is tried again.
      if (!view.input.trim()) {
        // Not put in place of what is there: another tab's draft may come right now.
        await paste(chat.input, session.text(random.pick(WISHES), random.pick(ENDINGS)), quick);
      }
      session.pressed((await look(chat.page)).input, view.thread);
      if (random.chance(0.7)) await chat.input.press("Enter", quick);
      else await chat.button("Send").click(quick);
      return session.marks(view.input || session.latest).join();
    },
  },
  stop: {
    possible: (view) => view.buttons.includes("Stop"),
    act: ({ chat }) => chat.button("Stop").click(quick),
  },
  switch: {
    possible: (view) => view.threads.some(({ open }) => !open),
    act: ({ chat, view, random }) => chat.thread(random.pick(view.threads.filter(({ open }) => !open)).name).click(quick),
  },
  new: {
    possible: (view) => view.messages.length > 0,
    act: ({ chat }) => chat.newThread.click(quick),
  },
  rename: {
    possible: (view) => view.threads.length > 0,
    act: async ({ chat, view, random, session }) => {
      await choose(chat, random.pick(view.threads).name, "Rename");
      const box = chat.element.getByRole("textbox", { name: "Conversation name" });
      await box.fill(session.name(), quick);
      await box.press(random.chance(0.8) ? "Enter" : "Escape", quick);
    },
  },
  delete: {
    possible: (view) => view.threads.length > 0,
    act: async ({ chat, view, random }) => {
      await choose(chat, random.pick(view.threads).name, "Delete");
      await chat.dialog.getByRole("button", { name: random.chance(0.7) ? "Delete" : "Cancel" }).click(quick);
    },
  },
  approve: {
    possible: (view) => view.buttons.includes("Deny"),
    act: (scene) => decide(scene),
  },
  resolve: {
    possible: (view) => view.buttons.some((name) => ANSWERS.includes(name)),
    act: async ({ chat, view, random, session }) => {
      const name = random.pick(view.buttons.filter((it) => ANSWERS.includes(it)));
      const button = chat.button(name).first();
      const message = chat.part("message").filter({ has: chat.page.getByRole("button", { name, exact: true }) });
      const text = (await message.count()) ? await message.first().innerText(quick) : "";
      if (name === "Deny and send now") session.decided();
      // Whoever takes back what may have arrived, and sends it again, may send it twice.
      if (name === "Dismiss" && /may not have arrived/.test(text)) session.risk(text);
      session.pressed(`${text}\n${view.input}\n${view.queued}`, view.thread);
      await button.click(quick);
      return name;
    },
  },
  reload: {
    possible: () => true,
    act: async ({ chat, session }) => {
      await chat.page.reload();
      await session.ready(chat.page);
    },
  },
  tab: {
    possible: (_, session) => session.pages.length < 2,
    act: ({ session }) => session.open(),
  },
  close: {
    possible: (_, session) => session.pages.length > 1,
    act: async ({ chat, session }) => {
      await chat.page.close();
      session.pages = session.pages.filter((page) => page !== chat.page);
    },
  },
};

/** Opens the menu of a conversation and chooses. @param {Chat} chat @param {string} name @param {string} entry */
async function choose(chat, name, entry) {
  await chat.list.getByRole("button", { name: `Actions for ${name}`, exact: true }).first().click(quick);
  await chat.element.getByRole("menuitem", { name: entry }).click(quick);
}

/** Decides about one of the cards, and sends it. @param {Scene} scene */
async function decide({ chat, view, random, session }) {
  const note = { name: /^Deny (all )?with a note…$/ };
  const cards = chat.part("approval").filter({ has: chat.page.getByRole("button", note) });
  const card = cards.nth(random.below(Math.max(1, await cards.count())));
  const way = random.pick(["Approve", "Approve", "Deny", "each", "note"]);
  if (way === "note") {
    await card.getByRole("button", note).click(quick);
    // The card has no such button any more.
    const field = chat.element.getByRole("textbox", { name: "Note" }).first();
    const text = session.text("not like this");
    await paste(field, text, quick);
    session.pressed(text, view.thread);
    session.decided();
    await chat.button("Deny and send").first().click(quick);
    return;
  }
  const tools = await card.locator("[part=approval-tool]").all();
  const verdict = () => (way === "each" ? random.pick(["Approve", "Deny"]) : way);
  if (tools.length === 1) {
    session.decided();
    await card.getByRole("button", { name: verdict(), exact: true }).click(quick);
    return;
  }
  if (way === "each") {
    for (const tool of tools) await tool.getByRole("button", { name: verdict(), exact: true }).click(quick);
  } else {
    for (const tool of tools) await tool.scrollIntoViewIfNeeded(quick);
    await card.getByRole("button", { name: `${way} all` }).click(quick);
  }
  session.decided();
  await card.getByRole("button", { name: /^Submit/ }).click(quick);
}

/** Does one action, and returns what it was and whether it could be done. @param {Session} session @param {Random} random */
export async function act(session, random) {
  const page = random.pick(session.pages);
  const chat = new Chat(page);
  await page.bringToFront();
  // It may be answered already, by a click that was given up.
  if (await chat.dialog.isVisible()) await chat.dialog.getByRole("button", { name: "Cancel" }).click(quick).catch(() => {});
  const view = await look(page);
  session.saw(view);
  const possible = Object.entries(WEIGHTS).filter(([name]) => ACTIONS[name].possible(view, session));
  const name = random.weighted(Object.fromEntries(possible));
  const tab = session.pages.indexOf(page);
  let done = true;
  /** What is worth telling of it. */
  let note = "";
  try {
    note = String((await ACTIONS[name].act({ chat, view, random, session })) ?? "");
  } catch (error) {
    // Only what needs something on the page may be too late. Scrolling does not wait again for what was replaced.
    if (!/^TimeoutError: |: Element is not attached to the DOM/.test(String(error))) throw error;
    done = false;
  }
  // Some people wait for what comes of it, and some do not.
  if (random.chance(0.6)) {
    const still = session.pages.includes(page) ? page : session.pages[0];
    await lookUntil(still, (it) => !moves(it), TIMEOUT);
  }
  const last = view.messages.at(-1);
  const before = last ? `after ${last.role} ${last.state} “${flat(last.text).slice(-90)}”` : "in an empty conversation";
  return { name, done, tab, note, before };
}

// After a session, with the network healed: what the pages show is what the service stores, and nothing was lost or doubled.

import { spell } from "./proxy.js";
import { Truth, accounted, compare, flat, wire } from "./truth.js";
import { Chat, look, lookUntil, moment, moves } from "./view.js";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./truth.js").Thread} Thread */
/** @typedef {import("./view.js").View} View */

/** How long the widget may take to show what it read, in milliseconds. */
const TIMEOUT = 10_000;
const EARLIER = "Show earlier messages";
const quick = { timeout: 5_000 };

/** What is wrong after a session, as sentences. @param {Session} session @param {{ service: string, key: string }} where */
export async function check(session, where) {
  const checks = new Checks(session, new Truth(where.service, where.key, session.user));
  await checks.heal();
  for (const page of session.pages) await checks.visit(page, true);
  for (const page of session.pages) {
    await page.reload();
    await session.ready(page);
  }
  for (const page of session.pages) await checks.visit(page, false);
  return [...checks.problems, ...(await checks.count()), ...session.complaints];
}

class Checks {
  /** @type {string[]} */
  problems = [];
  /** Where texts can still be sent at last, by their mark. @type {Map<string, string>} */
  #kept = new Map();
  #session;
  #truth;

  /** @param {Session} session @param {Truth} truth */
  constructor(session, truth) {
    this.#session = session;
    this.#truth = truth;
  }

  /** Ends what is bad, and what hangs. */
  async heal() {
    this.#session.proxy.heal();
    for (const page of this.#session.pages) {
      const chat = new Chat(page);
      await page.bringToFront();
      if (await chat.dialog.isVisible()) await chat.dialog.getByRole("button", { name: "Cancel" }).click(quick).catch(() => {});
      await lookUntil(page, (view) => !moves(view), TIMEOUT);
      const retry = chat.list.getByRole("button", { name: "Retry" });
      // It may be read by itself meanwhile.
      if (await retry.isVisible()) await retry.click(quick).catch(() => {});
      await lookUntil(page, (view) => !moves(view), TIMEOUT);
    }
    await this.#session.rest();
  }

  /** Opens every conversation of a page. `live`: the page is as the session left it; otherwise it was loaded anew. @param {Page} page @param {boolean} live */
  async visit(page, live) {
    await page.bringToFront();
    const threads = await this.#truth.threads();
    const place = `tab ${this.#session.pages.indexOf(page) + 1}, ${live ? "before" : "after"} the reload`;
    const chat = new Chat(page);
    const names = threads.map(({ threadName }) => threadName).join(" | ");
    const listed = (/** @type {View} */ view) => view.threads.map(({ name }) => name).join(" | ");
    const isListed = (/** @type {View} */ view) => view.list === "ready" && (live || listed(view) === names);
    const first = await lookUntil(page, (view) => isListed(view) && !moves(view), TIMEOUT);
    if (!isListed(first)) this.problems.push(`${place}: the list is ${first.list}, [${listed(first)}], and is stored as [${names}]`);
    let rows = first.threads.length;
    for (let row = 0; row < rows; row += 1) {
      const now = (await look(page)).threads.length;
      // A list that is read meanwhile is without what was deleted; the rows are other ones then.
      if (now !== rows) [row, rows] = [0, now];
      if (!rows) break;
      await chat.part("thread").nth(row).click(quick);
      const view = await shown(page, (it) => Boolean(it.threads[row]?.open));
      // Before the reload a tab may list what was deleted in the other one.
      const thread = threads.find(({ id }) => id === view.thread);
      if (thread) await this.#transcript(page, thread, place, live);
    }
    await chat.newThread.click(quick);
    if (!live) this.#keep(await shown(page, (view) => !view.thread), `${place}, a new conversation`);
  }

  /** Lets a conversation come to rest, pressing what is left to a person, and compares it. @param {Page} page @param {Thread} thread @param {string} place @param {boolean} live */
  async #transcript(page, thread, place, live) {
    const chat = new Chat(page);
    const end = Date.now() + TIMEOUT;
    const marks = (/** @type {string} */ text) => this.#session.marks(text);
    for (;;) {
      await lookUntil(page, (view) => !moves(view), end - Date.now());
      await this.#session.rest();
      const view = await look(page);
      const again = view.buttons.includes("Check again");
      const earlier = view.buttons.some((name) => name.startsWith(EARLIER));
      const still = moves(view) || again || earlier;
      const wrong = still ? `it does not come to rest: ${describe(view)}\n        last requests: ${this.#session.proxy.seen.slice(-8).map(spell).join(", ")}` : compare(marks, view.messages, await this.#truth.messages(thread.id), live);
      if (!wrong || Date.now() > end) {
        if (wrong) this.problems.push(`${place}, ${thread.threadName}: ${wrong}`);
        if (!live) this.#keep(view, `${place}, ${thread.threadName}`);
        return;
      }
      // A person may be asked to look again, and has to do nothing else.
      const button = earlier ? chat.element.getByRole("button", { name: EARLIER }) : chat.button("Check again").first();
      if (earlier || again) await button.click(quick).catch(() => {});
      else await moment();
    }
  }

  /** Notes the texts that a page still offers to send. @param {View} view @param {string} place */
  #keep(view, place) {
    const unsent = view.messages.filter(({ role, buttons }) => role === "user" && buttons.some((name) => /^(Try again|Send now)$/.test(name)));
    const texts = [view.fields, view.queued, ...unsent.map(({ text }) => text)].join("\n");
    for (const mark of this.#session.marks(texts)) this.#kept.set(mark, place);
  }

  /** What is wrong with the texts and with what went over the wire. */
  async count() {
    const { presses, threads, risky, decisions, proxy } = this.#session;
    const marks = (/** @type {string} */ text) => this.#session.marks(text);
    const ids = (await this.#truth.threads()).map(({ id }) => id);
    const messages = (await Promise.all(ids.map((id) => this.#truth.messages(id)))).flat();
    const stored = messages.filter(({ role }) => role === "user").flatMap(({ content }) => marks(content));
    const gone = (/** @type {string} */ mark) => {
      const posted = proxy.posts.filter(({ body }) => marks(body).includes(mark)).map(({ thread }) => thread);
      return [...(threads.get(mark) ?? []), ...posted].some((id) => id && !ids.includes(id));
    };
    return [
      ...accounted({ marks: presses.keys(), stored, kept: this.#kept, gone, risky }),
      ...wire(marks, proxy.posts, presses, decisions),
    ];
  }
}

/** What a page shows, in short. @param {View} view */
function describe({ list, transcript, messages }) {
  const short = messages.map(({ role, state, cards, text }) => [role, state, ...cards.map((card) => card.state), `“${flat(text).slice(-200)}”`].join(" "));
  return `list ${list}, transcript ${transcript}${short.map((line) => `\n        ${line}`).join("")}`;
}

/** What a page shows once another conversation is there, and at rest. @param {Page} page @param {(view: View) => boolean} there */
async function shown(page, there) {
  await lookUntil(page, (view) => there(view) && !moves(view), TIMEOUT);
  // What was typed comes with the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return look(page);
}

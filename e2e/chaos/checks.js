// After a session, with the network healed: what the pages show is what the service stores, and nothing was lost or doubled.

import { Chat, look, lookUntil, moment, moves } from "./view.js";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Message} Message */
/** @typedef {{ id: string, threadName: string }} Thread */
/** @typedef {{ name: string, status: string }} StoredTool */
/** @typedef {{ role: string, content: string, toolExecutionHumanApprovalRequest?: StoredTool[] | null }} Stored */

/** How long the widget may take to show what it read, in milliseconds. */
const PATIENCE = 6_000;
const EARLIER = "Show earlier messages";
const quick = { timeout: 2_000 };

/** The service, asked without the proxy. */
class Truth {
  /** @param {string} origin @param {string} key @param {string} user */
  constructor(origin, key, user) {
    this.address = `${origin}/api/assistants/threads`;
    this.headers = { authorization: `Bearer ${key}`, "x-service-user-id": user };
  }

  /** @param {string} path @returns {Promise<any>} */
  async #get(path) {
    const response = await fetch(this.address + path, { headers: this.headers });
    if (!response.ok) throw new Error(`The service says ${response.status} to ${path}.`);
    return response.json();
  }

  /** @returns {Promise<Thread[]>} */
  threads() {
    return this.#get("/chaos");
  }

  /** What there is to be shown of a conversation. @param {string} thread @returns {Promise<Stored[]>} */
  async messages(thread) {
    /** @type {Stored[]} */
    const messages = await this.#get(`/${thread}/messages`);
    return messages.filter((it) => it.content.trim() || it.toolExecutionHumanApprovalRequest?.length);
  }
}

/** One text on one line. @param {string} text */
const flat = (text) => text.replace(/\s+/g, " ").trim();

/** The lines of a stored text as they are read on a page: these agents quote, list and mark names, and nothing else. @param {string} text */
const lines = (text) => text.split("\n").map((line) => flat(line.replace(/^(> |- )/, "").replace(/[`*]/g, ""))).filter(Boolean);

/** Tools and what became of them. @param {{ name: string, status: string }[]} tools */
const outcomes = (tools) => tools.map(({ name, status }) => `${name} ${status}`).sort().join(", ");

/** Why a message on the page is not this stored one; empty if it is. @param {Session} session @param {Message} shown @param {Stored} stored @param {boolean} live */
function difference(session, shown, stored, live) {
  if (shown.role !== stored.role) return `a message of ${shown.role} stands where one of ${stored.role} is stored`;
  if (session.marks(shown.text).join() !== session.marks(stored.content).join()) return "another text stands here";
  const tools = outcomes(shown.cards.flatMap((card) => card.tools));
  const storedTools = outcomes(stored.toolExecutionHumanApprovalRequest ?? []);
  if (tools !== storedTools) return `tools are [${tools}] and are stored as [${storedTools}]`;
  // How an answer failed is said in the page's own words until it is read anew.
  if (live && shown.state === "failed") return "";
  let from = 0;
  const text = flat(shown.text);
  for (const line of lines(stored.content)) {
    const at = text.indexOf(line, from);
    if (at < 0) return `“${line.slice(0, 60)}” is missing`;
    from = at + line.length;
  }
  return "";
}

/** What is wrong with a transcript. `live`: it was not read anew, and may hold what failed on the way. @param {Session} session @param {View} view @param {Stored[]} stored @param {boolean} live */
function compare(session, view, stored, live) {
  let next = 0;
  for (const shown of view.messages) {
    const why = next < stored.length ? difference(session, shown, stored[next], live) : "more is shown than is stored";
    if (!why) {
      next += 1;
      continue;
    }
    const isUnsent = shown.role === "user" && shown.state === "failed";
    const failedHere = live && shown.role === "assistant" && ["failed", "interrupted"].includes(shown.state) && !shown.cards.length;
    if (!isUnsent && !failedHere) return `message ${next + 1}: ${why}: ${shown.role} ${shown.state} “${flat(shown.text).slice(0, 160)}”`;
  }
  if (next < stored.length) return `${stored.length - next} stored messages are not shown, from “${flat(stored[next].content).slice(0, 80)}”`;
  return "";
}

/** What a page shows once another conversation is there, and at rest. @param {Page} page @param {(view: View) => boolean} there */
async function shown(page, there) {
  await lookUntil(page, (view) => there(view) && !moves(view), PATIENCE);
  // What was typed comes with the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return look(page);
}

/** Lets a conversation come to rest, pressing what is left to a person, and says what is wrong with it then.
 * @param {Session} session @param {Page} page @param {Truth} truth @param {string} thread @param {boolean} live */
async function transcript(session, page, truth, thread, live) {
  const chat = new Chat(page);
  const end = Date.now() + PATIENCE;
  for (;;) {
    await lookUntil(page, (view) => view.thread === thread && !moves(view), PATIENCE);
    await session.rest();
    const view = await look(page);
    const stored = await truth.messages(thread);
    if (view.buttons.some((name) => name.startsWith(EARLIER))) {
      await chat.element.getByRole("button", { name: EARLIER }).click(quick).catch(() => {});
      if (Date.now() < end) continue;
    }
    const checks = view.buttons.includes("Check again");
    const wrong =
      view.thread !== thread ? `it is not shown, but ${view.thread || "a new one"}`
      : moves(view) ? `it does not come to rest: list ${view.list}, transcript ${view.transcript}, ${view.messages.map(({ role, state, cards }) => [role, state, ...cards.map((card) => card.state)].join(" ")).join("; ")}`
      : compare(session, view, stored, live);
    if (!wrong && !checks) return { wrong: "", view };
    if (Date.now() > end) return { wrong: wrong || "something can still be checked again", view };
    // A person may be asked to look again, and has to do nothing else.
    if (checks) await chat.button("Check again").first().click(quick).catch(() => {});
    else await moment();
  }
}

/** @param {Session} session @param {{ service: string, key: string }} where */
export async function check(session, where) {
  /** @type {string[]} */
  const problems = [];
  const truth = new Truth(where.service, where.key, session.user);
  session.proxy.heal();
  await session.rest();
  for (const [index, page] of session.pages.entries()) {
    const chat = new Chat(page);
    await page.bringToFront();
    if (await chat.dialog.isVisible()) await chat.dialog.getByRole("button", { name: "Cancel" }).click(quick);
    const view = await lookUntil(page, (it) => !moves(it), PATIENCE);
    const row = view.threads.find(({ open }) => open);
    if (!row) continue;
    // Opened again, it is read again.
    await chat.thread(row.name).click(quick);
    const known = (await truth.threads()).some(({ id }) => id === view.thread);
    if (!known) continue;
    const { wrong } = await transcript(session, page, truth, view.thread, true);
    if (wrong) problems.push(`tab ${index + 1}, before the reload, ${row.name}: ${wrong}`);
  }
  const threads = await truth.threads();
  const ids = threads.map(({ id }) => id);
  /** Texts that can still be sent, by mark, with the place. @type {Map<string, string>} */
  const kept = new Map();
  const keep = (/** @type {View} */ view, /** @type {string} */ place) => {
    const unsent = view.messages.filter(({ role, buttons }) => role === "user" && buttons.some((name) => /Retry|Check again/.test(name)));
    const texts = [view.fields, view.held, ...unsent.map(({ text }) => text)].join("\n");
    for (const mark of session.marks(texts)) kept.set(mark, place);
  };
  if (session.forgetful) {
    for (const page of session.pages) {
      const chat = new Chat(page);
      await page.bringToFront();
      keep(await look(page), "before");
      const rows = await chat.part("thread").count();
      for (let row = 0; row < rows; row += 1) {
        await chat.part("thread").nth(row).click(quick);
        const view = await shown(page, (it) => it.threads[row]?.open);
        keep(view, "before");
        if (ids.includes(view.thread)) {
          const { wrong } = await transcript(session, page, truth, view.thread, true);
          if (wrong) problems.push(`before the reload, ${view.thread}: ${wrong}`);
        }
      }
      await chat.newThread.click(quick);
      keep(await shown(page, (view) => !view.thread), "before");
    }
  }
  for (const page of session.pages) await page.reload().then(() => session.ready(page));
  for (const [index, page] of session.pages.entries()) {
    const tab = `tab ${index + 1}, after the reload`;
    const chat = new Chat(page);
    await page.bringToFront();
    const names = threads.map(({ threadName }) => threadName).join(" | ");
    const listed = (/** @type {View} */ view) => view.threads.map(({ name }) => name).join(" | ");
    const first = await lookUntil(page, (view) => view.list === "ready" && listed(view) === names && !moves(view), PATIENCE);
    keep(first, `${tab}, as it opened`);
    if (listed(first) !== names) {
      problems.push(`${tab}: the list is [${listed(first)}] and is stored as [${names}]`);
      continue;
    }
    for (const [row, thread] of threads.entries()) {
      if (index > 0 && thread.id !== first.thread) continue;
      await chat.part("thread").nth(row).click(quick);
      const { wrong, view } = await transcript(session, page, truth, thread.id, false);
      keep(view, `${tab}, ${thread.threadName}`);
      if (wrong) problems.push(`${tab}, ${thread.threadName}: ${wrong}`);
    }
    await chat.newThread.click(quick);
    keep(await shown(page, (view) => !view.thread), `${tab}, a new conversation`);
  }
  const stored = (await Promise.all(threads.map(({ id }) => truth.messages(id)))).flat();
  problems.push(...texts(session, stored, kept, new Set(threads.map(({ id }) => id))), ...wire(session), ...session.complaints);
  return problems;
}

/** Each text is stored once, or can still be sent. @param {Session} session @param {Stored[]} stored @param {Map<string, string>} kept @param {Set<string>} threads */
function texts(session, stored, kept, threads) {
  const problems = [];
  const own = stored.filter(({ role }) => role === "user").flatMap(({ content }) => session.marks(content));
  for (const mark of session.presses.keys()) {
    const times = own.filter((it) => it === mark).length;
    const place = kept.get(mark);
    const wire = session.proxy.posts.filter(({ body }) => session.marks(body).includes(mark)).map(({ thread }) => thread);
    const wereIn = [...(session.threads.get(mark) ?? []), ...wire].filter(Boolean);
    const isDeleted = wereIn.some((id) => !threads.has(id));
    if (session.risky.has(mark)) {
      if (times === 0 && !place && !isDeleted) problems.push(`${mark} is lost`);
      continue;
    }
    if (times > 1) problems.push(`${mark} is stored ${times} times`);
    if (times === 1 && place) problems.push(`${mark} is stored, and offered to be sent again: ${place}`);
    if (times === 0 && !place && !isDeleted) problems.push(`${mark} is lost`);
  }
  return problems;
}

/** What went over the wire: nothing by itself, and no decision twice. @param {Session} session */
function wire(session) {
  const problems = [];
  /** @type {Map<string, { sent: number, taken: number }>} */
  const counts = new Map();
  let answers = 0;
  for (const { body, passed, status } of session.proxy.posts) {
    const items = /** @type {any[]} */ (JSON.parse(body).content ?? []);
    const results = items.flatMap((item) => item.toolApprovalResult ?? []);
    if (results.length) answers += 1;
    const executions = results.map((result) => `decision ${result.toolExecutionId}`);
    for (const what of new Set([...executions, ...session.marks(body)])) {
      const count = counts.get(what) ?? { sent: 0, taken: 0 };
      counts.set(what, { sent: count.sent + 1, taken: count.taken + (passed && status === 200 ? 1 : 0) });
    }
  }
  for (const [what, { sent, taken }] of counts) {
    if (taken > 1) problems.push(`${what} was taken ${taken} times`);
    const presses = session.presses.get(what);
    if (presses !== undefined && sent > presses) problems.push(`${what} was posted ${sent} times, and sent by the person ${presses} times`);
  }
  if (answers > session.decisions) problems.push(`decisions were posted ${answers} times, and sent by the person ${session.decisions} times`);
  return problems;
}

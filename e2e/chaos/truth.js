// What the service stores, asked without the bad network, and how it is compared with what a page shows.

import { titleOf } from "../title.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Message} Message */
/** @typedef {{ id: string, threadName: string }} Thread */
/** @typedef {{ name: string, status: string }} StoredTool */
/** @typedef {{ role: string, content: string, toolExecutionHumanApprovalRequest?: StoredTool[] | null }} Stored */
/** @typedef {(text: string) => string[]} Marks the marks of the texts that are in a text */

/** The service, asked without the proxy. */
export class Truth {
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
export const flat = (text) => text.replace(/\s+/g, " ").trim();

/** The lines of a stored text as they are read on a page: these agents quote, list and mark names, and nothing else. @param {string} text */
const lines = (text) => text.split("\n").map((line) => flat(line.replace(/^(> |- )/, "").replace(/[`*]/g, ""))).filter(Boolean);

/** Tools and what became of them. @param {{ name: string, status: string }[]} tools */
const outcomes = (tools) => tools.map(({ name, status }) => `${name} ${status}`).sort().join(", ");

/** Why a message on the page is not this stored one; empty if it is. @param {Marks} marks @param {Message} shown @param {Stored} stored @param {boolean} live */
function difference(marks, shown, stored, live) {
  if (shown.role !== stored.role) return `a message of ${shown.role} stands where one of ${stored.role} is stored`;
  if (marks(shown.text).join() !== marks(stored.content).join()) return "another text stands here";
  const tools = outcomes(shown.cards.flatMap((card) => card.tools));
  const storedTools = outcomes((stored.toolExecutionHumanApprovalRequest ?? []).map(({ name, status }) => ({ name: titleOf(name), status })));
  if (tools !== storedTools) return `tools are [${tools}] and are stored as [${storedTools}]`;
  // How an answer failed is said in the page's own texts until it is read anew.
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

/** What is wrong with a transcript, empty if nothing is. `live`: it was not read anew, and may hold what failed on the way.
 * @param {Marks} marks @param {Message[]} messages @param {Stored[]} stored @param {boolean} live */
export function compare(marks, messages, stored, live) {
  let next = 0;
  for (const [index, shown] of messages.entries()) {
    const why = next < stored.length ? difference(marks, shown, stored[next], live) : "more is shown than is stored";
    if (!why) {
      next += 1;
      continue;
    }
    const isUnsent = shown.role === "user" && shown.state === "failed";
    const failedHere = live && shown.role === "assistant" && shown.state === "failed" && !shown.cards.length;
    const [expected, ...later] = stored.slice(next);
    // The piece that has its mark may have been lost on the way; what follows must fit then.
    const isPart = failedHere && expected?.role === "assistant" && !expected.toolExecutionHumanApprovalRequest?.length
      && marks(shown.text).every((mark) => marks(expected.content).includes(mark));
    if (isPart && !compare(marks, messages.slice(index + 1), later, live)) return "";
    if (!isUnsent && !failedHere) return `message ${next + 1}: ${why}: ${shown.role} ${shown.state} “${flat(shown.text).slice(0, 160)}”`;
  }
  if (next < stored.length) return `${stored.length - next} stored messages are not shown, from “${flat(stored[next].content).slice(0, 80)}”`;
  return "";
}

/** @typedef {{ key?: string, body: string, passed: boolean, status: number }} Posted */

/** The posts, those with the same key as one: it was taken if any of them was. @param {Posted[]} posts @param {string[]} problems */
function joined(posts, problems) {
  /** @type {Map<string, Posted>} */
  const keyed = new Map();
  /** @type {Posted[]} */
  const all = [];
  for (const post of posts) {
    const { key = "", body, passed, status } = post;
    const first = keyed.get(key);
    if (!first) {
      const one = { ...post };
      if (key) keyed.set(key, one);
      all.push(one);
    } else if (first.body !== body) problems.push(`the key ${key} is of two posts`);
    else if (passed && status === 200) Object.assign(first, { passed, status });
  }
  return all;
}

/** What is wrong with what went over the wire: nothing is sent by itself without a key, and no decision is taken twice.
 * @param {Marks} marks @param {Posted[]} posts @param {Map<string, number>} presses how often the person sent each text @param {number} decisions how often the person sent decisions */
export function wire(marks, posts, presses, decisions) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, { sent: number, taken: number }>} */
  const counts = new Map();
  let answers = 0;
  for (const { body, passed, status } of joined(posts, problems)) {
    /** @type {any[]} */
    const items = JSON.parse(body).content ?? [];
    const results = items.flatMap((item) => item.toolApprovalResult ?? []);
    if (results.length) answers += 1;
    const executions = results.map((result) => `decision ${result.toolExecutionId}`);
    for (const what of new Set([...executions, ...marks(body)])) {
      const count = counts.get(what) ?? { sent: 0, taken: 0 };
      counts.set(what, { sent: count.sent + 1, taken: count.taken + (passed && status === 200 ? 1 : 0) });
    }
  }
  for (const [what, { sent, taken }] of counts) {
    if (what.startsWith("decision") && taken > 1) problems.push(`${what} was taken ${taken} times`);
    const pressed = presses.get(what);
    if (pressed !== undefined && sent > pressed) problems.push(`${what} was posted ${sent} times, and sent by the person ${pressed} times`);
  }
  if (answers > decisions) problems.push(`decisions were posted ${answers} times, and sent by the person ${decisions} times`);
  return problems;
}

/**
 * What is wrong with the texts of a session: each is stored once, or can still be sent.
 * @param {{ marks: Iterable<string>, stored: string[], kept: Map<string, string>, gone: (mark: string) => boolean, risky: Set<string> }} texts
 *   `stored`: marks as often as they are stored; `kept`: where a text can still be sent; `gone`: true if its thread was deleted;
 *   `risky`: texts that the person took back while it was not known whether they had arrived, and that may be there twice
 */
export function accounted({ marks, stored, kept, gone, risky }) {
  const problems = [];
  for (const mark of marks) {
    const times = stored.filter((it) => it === mark).length;
    const place = kept.get(mark);
    if (times === 0 && !place && !gone(mark)) problems.push(`${mark} is lost`);
    if (risky.has(mark)) continue;
    if (times > 1) problems.push(`${mark} is stored ${times} times`);
    if (times === 1 && place) problems.push(`${mark} is stored, and offered to be sent again: ${place}`);
  }
  return problems;
}

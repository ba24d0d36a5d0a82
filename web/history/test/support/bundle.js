// @ts-check
// The bundle as it is shipped, with a database in memory.

import "fake-indexeddb/auto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** The window, as far as the module knows one. */
const page = new EventTarget();
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  dispatchEvent: page.dispatchEvent.bind(page),
});

const folder = mkdtempSync(join(tmpdir(), "assent-history-"));
const bundle = join(folder, "assent_history.mjs");
execFileSync("npm", ["run", "--silent", "build", "--", "history/index.js", `--outfile=${bundle}`], { cwd: new URL("../../..", import.meta.url), stdio: "inherit" });
after(() => rmSync(folder, { recursive: true }));

/** @type {{take(id: object, message: any[]): void, forgetEverything(): Promise<void>}} */
export const { take, forgetEverything } = await import(bundle);

/** The module as another page has it. @type {{forgetEverything(): Promise<void>}} */
export const elsewhere = await import(`${bundle}?elsewhere`);

/** A widget: it sends messages to the module, and its events come as promises. */
export class Widget {
  #id = {};
  /** @type {any[]} */
  #events = [];
  #wake = () => {};

  constructor(scope = "assent:s|a|u:", kind = "local") {
    this.send("open", scope, kind, "1.2.3", (/** @type {any[]} */ event) => {
      this.#events.push(event);
      this.#wake();
    });
  }

  /** @param {string} name @param {any[]} values */
  send(name, ...values) {
    take(this.#id, [name, ...values]);
  }

  /** Returns the next event. @returns {Promise<any[]>} */
  async next() {
    while (!this.#events.length) await new Promise((resolve) => (this.#wake = () => resolve(null)));
    return this.#events.shift();
  }

  /** A stream from its post to its end. @param {{thread?: string, question?: string | null, frames: string[], began?: number, how?: string}} stream */
  listen({ thread = "t1", question = "hi", frames, began = Date.now(), how = "closed" }) {
    const stream = ++this.last;
    this.send("begin", stream, began, thread, body(question));
    frames.forEach((frame, at) => this.send("frames", stream, began + at + 1, frame));
    this.send("end", stream, began + 100, how);
  }

  last = 0;

  close() {
    this.send("close");
  }
}

/** What is posted: a message, or the answer to a batch. @param {string | null} question */
export const body = (question) =>
  JSON.stringify({ content: [question === null ? { type: "tool_approval_result", toolApprovalResult: [{}] } : { type: "text", text: question }] });

/** @param {string} type @param {string} content @param {string} [agent] */
export const event = (type, content, agent) => JSON.stringify({ type, eventMessage: { content, agent: agent && { id: agent } } });

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

/** @type {{take(message: any[]): void}} */
export const { take } = await import(bundle);

/** A widget: what it sends goes to the module, and what it hears comes as promises. */
export class Widget {
  #own = {};
  /** @type {any[]} */
  #heard = [];
  #wake = () => {};

  constructor(scope = "assent:s|a|u:", kind = "local") {
    this.tell("open", scope, kind, "1.2.3", (/** @type {any[]} */ said) => {
      this.#heard.push(said);
      this.#wake();
    });
  }

  /** @param {string} verb @param {any[]} values */
  tell(verb, ...values) {
    take([this.#own, verb, ...values]);
  }

  /** The next that it hears. @returns {Promise<any[]>} */
  async next() {
    while (!this.#heard.length) await new Promise((resolve) => (this.#wake = () => resolve(null)));
    return this.#heard.shift();
  }

  /** A stream from its post to its end. @param {{thread?: string, question?: string | null, frames: string[], began?: number, how?: string}} stream */
  listen({ thread = "t1", question = "hi", frames, began = Date.now(), how = "closed" }) {
    const stream = ++this.last;
    this.tell("begin", stream, began, thread, body(question));
    frames.forEach((frame, at) => this.tell("frames", stream, began + at + 1, frame));
    this.tell("end", stream, began + 100, how);
  }

  last = 0;

  close() {
    this.tell("close");
  }
}

/** What is posted: a message, or the answer to a batch. @param {string | null} question */
export const body = (question) =>
  JSON.stringify({ content: [question === null ? { type: "tool_approval_result", toolApprovalResult: [{}] } : { type: "text", text: question }] });

/** @param {string} type @param {string} content @param {string} [agent] */
export const event = (type, content, agent) => JSON.stringify({ type, eventMessage: { content, agent: agent && { id: agent } } });

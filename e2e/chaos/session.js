// One person in one browser, for one session: the pages, the texts that were sent, and what the pages complained about.

import { randomUUID } from "node:crypto";
import { API_KEY, PAGE_ORIGIN } from "../servers/addresses.js";
import { FaultProxy } from "./proxy.js";
import { lookUntil } from "./view.js";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./random.js").Random} Random */

/** What browsers and the widget say of a bad network, and of a key in a page. */
const EXPECTED = [
  /everybody who opens this page can read its api-key/,
  /Failed to load resource/,
  // A first request that failed.
  /assent-chat: http/,
  /Access to fetch at .* has been blocked by CORS policy/,
  // Firefox reports it as an error.
  /Cross-Origin Request Blocked/,
];
/** The widget waits between readings of what became of a post; here a fifth of that, so that a session takes seconds. */
const QUICKER = 5;
const START = 15_000;

export class Session {
  /** The tabs, at most two. @type {Page[]} */
  pages = [];
  /** Uncaught errors and complaints. @type {string[]} */
  complaints = [];
  /** How often something was pressed that may send a text, by its mark. @type {Map<string, number>} */
  presses = new Map();
  /** In which conversations a text was, by its mark. @type {Map<string, Set<string>>} */
  threads = new Map();
  /** Texts that were taken back while it was not known whether they had arrived, by their mark. @type {Set<string>} */
  risky = new Set();
  /** How often decisions were sent. */
  decisions = 0;
  /** The last text that was made. */
  latest = "";
  user = `chaos-${randomUUID()}`;
  #context;
  #names = 0;
  #texts = 0;

  /**
   * @param {import("@playwright/test").Browser} browser
   * @param {number} seed
   * @param {FaultProxy} proxy
   */
  constructor(browser, seed, proxy) {
    this.seed = seed;
    this.proxy = proxy;
    this.#context = browser.newContext({ viewport: { width: 1100, height: 800 } });
  }

  async start() {
    const context = await this.#context;
    const complain = (/** @type {string} */ kind, /** @type {string} */ text) => {
      if (!EXPECTED.some((pattern) => pattern.test(text))) this.complaints.push(`${kind}: ${text}`);
    };
    context.on("weberror", (error) => complain("uncaught", String(error.error())));
    context.on("console", (message) => {
      const text = message.text();
      const speaks = ["error", "warning", "assert"].includes(message.type());
      if (speaks) complain("console", text);
    });
    await context.addInitScript((quicker) => {
      // The types of Node and of the page differ in what a timer is.
      const page = /** @type {any} */ (window);
      const original = page.setTimeout;
      page.setTimeout = (/** @type {unknown} */ call, wait = 0, /** @type {unknown[]} */ ...rest) =>
        original.call(window, call, wait >= 500 ? wait / quicker : wait, ...rest);
    }, QUICKER);
    await this.open();
  }

  /** One more tab. */
  async open() {
    const page = await (await this.#context).newPage();
    const query = new URLSearchParams({ "base-url": this.proxy.origin, "user-id": this.user, "agent-id": "chaos", "api-key": API_KEY });
    await page.goto(`${PAGE_ORIGIN}/pages/inline.html?${query}`);
    this.pages.push(page);
    await this.ready(page);
  }

  /** @param {Page} page */
  async ready(page) {
    // The loader's box is there before.
    await page.locator("assent-chat .app [part~=input]").waitFor({ timeout: START });
  }

  /** A text that no other is: its mark says whose and which it is. @param {string} wish @param {string} ending */
  text(wish, ending = "") {
    this.#texts += 1;
    this.latest = `t${this.seed}x${this.#texts} ${wish}${ending}`;
    return this.latest;
  }

  /** Another name for a conversation. */
  name() {
    this.#names += 1;
    return `Name ${this.seed}.${this.#names}`;
  }

  /** Notes that these texts may be sent once more. @param {string} text @param {string} thread where that was pressed */
  pressed(text, thread) {
    for (const mark of this.marks(text)) this.presses.set(mark, (this.presses.get(mark) ?? 0) + 1);
    this.#places(text, thread);
  }

  /** Notes which texts are in which conversation. @param {import("./view.js").View} view */
  saw({ messages, fields, queued, thread }) {
    const own = messages.filter(({ role }) => role === "user").map(({ text }) => text);
    this.#places([fields, queued, ...own].join("\n"), thread);
  }

  /** @param {string} text @param {string} thread */
  #places(text, thread) {
    for (const mark of this.marks(text)) this.threads.set(mark, (this.threads.get(mark) ?? new Set()).add(thread));
  }

  /** Notes that the person took these texts back, which may have arrived. @param {string} text */
  risk(text) {
    for (const mark of this.marks(text)) this.risky.add(mark);
  }

  /** Notes that decisions may be sent once more. */
  decided() {
    this.decisions += 1;
  }

  /** The marks in a text, each once. @param {string} text */
  marks(text) {
    return [...new Set(text.match(new RegExp(`t${this.seed}x\\d+`, "g")) ?? [])];
  }

  /** Waits until the service has nothing more to say. */
  async rest() {
    await lookUntil(this.pages[0], () => this.proxy.active === 0, 10_000);
    if (this.proxy.active) throw new Error("The service did not come to rest.");
  }

  async stop() {
    await (await this.#context).close();
  }
}

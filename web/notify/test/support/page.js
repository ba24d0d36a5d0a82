// @ts-check
// The bundle as it is shipped, in a page that does what the test says.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

const folder = mkdtempSync(join(tmpdir(), "assent-notify-"));
const bundle = join(folder, "assent_notify.mjs");
execFileSync("npm", ["run", "--silent", "build", "--", "notify/index.js", `--outfile=${bundle}`], { cwd: new URL("../../..", import.meta.url), stdio: ["ignore", "ignore", "inherit"] });
after(() => rmSync(folder, { recursive: true }));

/** A text node, as far as titles need one. */
class Text {
  /** @type {Title | null} */
  parent = null;

  constructor(data = "") {
    this.data = data;
  }

  get isConnected() {
    return !!this.parent;
  }

  remove() {
    if (this.parent) this.parent.nodes = this.parent.nodes.filter((it) => it !== this);
    this.parent = null;
  }
}

/** The element `<title>`. */
class Title {
  /** @type {Text[]} */
  nodes = [];

  constructor(text = "") {
    this.text = text;
  }

  get text() {
    return this.nodes.map((it) => it.data).join("");
  }

  /** As the page sets it: nothing of what was there stays. */
  set text(text) {
    for (const node of this.nodes) node.parent = null;
    this.nodes = [];
    this.prepend(new Text(text));
  }

  prepend(/** @type {Text} */ node) {
    node.parent = this;
    this.nodes.unshift(node);
  }

  normalize() {
    const [first, ...others] = this.nodes;
    first.data = this.text;
    for (const other of others) other.remove();
  }
}

/** Locks of one browser, which several pages share. */
export class Locks {
  /** @type {{name: string, mode: string}[]} */
  held = [];

  /** @param {string} name @param {any} options @param {(lock: object | null) => unknown} granted */
  async request(name, { mode = "exclusive" }, granted) {
    const isFree = this.held.every((it) => it.name !== name || (it.mode === "shared" && mode === "shared"));
    if (!isFree) return void (await granted(null));
    const lock = { name, mode };
    this.held.push(lock);
    try {
      await granted(lock);
    } finally {
      this.held.splice(this.held.indexOf(lock), 1);
    }
  }

  async query() {
    return { held: [...this.held] };
  }
}

let count = 0;

/** A page with a module of its own. It is the one that the module sees while `enter` holds. */
export class Page {
  title = /** @type {Title | null} */ (new Title("The shop"));
  isHidden = false;
  hasFocus = true;
  hasGesture = false;
  permission = "default";
  /** Chromium on Android. */
  refusesNotifications = false;
  /** What requestPermission leads to. */
  answer = "granted";
  sounds = 0;
  now = 100_000;
  /** @type {any[]} */
  notifications = [];
  /** @type {string[]} */
  warnings = [];
  /** @type {{tell(chat: any, call: Function, news?: any): void}} */
  module = /** @type {any} */ (null);
  #window = new EventTarget();
  #document = new EventTarget();

  /** @param {Locks | null} [locks] */
  static async open(locks = new Locks()) {
    const page = new Page();
    page.locks = locks;
    page.enter();
    page.module = await import(`${bundle}?${++count}`);
    return page;
  }

  /** @type {Locks | null} */
  locks = null;

  /** Lets what runs from now on be in this page. */
  enter() {
    const page = this;
    const set = (/** @type {Record<string, any>} */ values) => {
      for (const [name, value] of Object.entries(values)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    };
    const document = Object.assign(this.#document, {
      head: { querySelector: () => page.title },
      createTextNode: (/** @type {string} */ text) => new Text(text),
      hasFocus: () => page.hasFocus,
    });
    Object.defineProperty(document, "hidden", { get: () => page.isHidden, configurable: true });
    class Notification {
      static get permission() {
        return page.permission;
      }
      static async requestPermission() {
        page.permission = page.answer;
      }
      constructor(/** @type {string} */ title, options = {}) {
        if (page.refusesNotifications) throw new TypeError("Illegal constructor");
        Object.assign(this, { title, body: "", isOpen: true }, options);
        if (page.permission === "granted") page.notifications.push(this);
      }
      close() {
        /** @type {any} */ (this).isOpen = false;
        /** @type {any} */ (this).onclose?.();
      }
    }
    const parameter = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
    class Node {
      gain = parameter;
      connect = (/** @type {object} */ node) => node;
      start() {
        page.sounds += 0.5;
      }
      stop() {}
    }
    set({
      document,
      window: { focus() {} },
      isSecureContext: true,
      navigator: { locks: this.locks ?? undefined, userActivation: { get hasBeenActive() { return page.hasGesture; } } },
      performance: { now: () => page.now },
      addEventListener: this.#window.addEventListener.bind(this.#window),
      removeEventListener: this.#window.removeEventListener.bind(this.#window),
      Notification,
      AudioContext: class { currentTime = 0; destination = {}; async resume() {} async suspend() {} },
      OscillatorNode: Node,
      GainNode: Node,
    });
    console.warn = (text) => void page.warnings.push(text);
  }

  /** @param {string} type */
  happens(type) {
    this.enter();
    (type === "visibilitychange" ? this.#document : this.#window).dispatchEvent(new Event(type));
  }

  hide(isHidden = true) {
    this.isHidden = isHidden;
    this.hasFocus = !isHidden;
    this.happens("visibilitychange");
  }

  /** Notifications that are on the screen. */
  get open() {
    return this.notifications.filter((it) => it.isOpen);
  }
}

/** A chat in a page. */
export class Chat {
  isConnected = true;
  /** @type {Record<string, string | null>} */
  attributes = { "agent-id": "agent" };
  /** Whether the menu has the line that asks. */
  isOffered = false;
  /** @type {Set<(event: any) => unknown>} */
  #clicked = new Set();
  shadowRoot = {
    getElementById: () => ({ textContent: "Assistant" }),
    addEventListener: (/** @type {string} */ type, /** @type {(event: any) => unknown} */ listener) => type === "click" && this.#clicked.add(listener),
  };

  /** @param {Page} page @param {string} [notify] */
  constructor(page, notify) {
    this.page = page;
    if (notify !== undefined) this.attributes.notify = notify;
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  /** Clicks on an element with these classes. @param {string} classes */
  click(classes) {
    this.page.enter();
    const target = { closest: (/** @type {string} */ selector) => (selector === classes ? target : null) };
    return Promise.all([...this.#clicked].map((listener) => listener({ target })));
  }

  /** Tells what waits, by thread. @param {Record<string, number>} waiting */
  tells(waiting, { isNew = false, agent = "Anna" } = {}) {
    this.say([isNew, agent, ...Object.entries(waiting).flatMap(([id, count]) => [id, count, `${count} wait`])]);
  }

  /** @param {any} [news] */
  say(news) {
    this.page.enter();
    const call = (/** @type {string[]} */ ...call) => {
      if (call[0] === "update" && call[1] === "notify") this.isOffered = call[2] !== null;
    };
    this.page.module.tell(this, call, news);
  }

  /** Changes the attribute, as the loader says it. @param {string | null} value */
  set(value) {
    this.attributes.notify = value;
    this.say();
  }

  asks(/** @type {Record<string, number>} */ waiting) {
    this.tells(waiting, { isNew: true });
  }
}

/** Lets everything happen that waits for no time. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

// @ts-check
// The element as the page sees it: its properties, methods and attributes.

import { IDENTITY, LIVE } from "../attributes.js";
import { forgetEverything } from "../load.js";
import { Base } from "../realm.js";
import { KEY } from "../shared.js";
import { check, isOpen, OBSERVED } from "./attributes.js";
import { emit } from "./events.js";
import { createLifecycle, problem } from "./lifecycle.js";
import { checked, give, NAMES } from "./properties.js";

/** @import { Given } from "./properties.js" */

/** Methods that the widget carries out, when it is there. */
const ASKED = ["newThread", "openThread", "renameThread", "deleteThread", "send", "forget"];

const forgetAll = () =>
  forgetEverything().catch((error) => {
    throw problem("not-loaded", error);
  });

export class AssentChatElement extends Base {
  static observedAttributes = OBSERVED;

  /** Resolves when the chat can be used. */
  ready = /** @type {Promise<void>} */ (/** @type {unknown} */ (undefined));
  /** @type {Given} */
  #given = {};
  #lifecycle = createLifecycle(this, this.#given);
  #panel = this.#lifecycle.panel;

  constructor() {
    super();
    // Set before this file arrived, it would hide the accessor.
    for (const name of NAMES) {
      const early = /** @type {any} */ (this)[name];
      if (Reflect.deleteProperty(this, name) && early) this.#take(name, early);
    }
  }

  static {
    const members = /** @type {Record<string, any>} */ (this.prototype);
    for (const name of NAMES) {
      Object.defineProperty(members, name, {
        /** @this {AssentChatElement} */
        get() {
          return this.#given[name] ?? null;
        },
        /** @this {AssentChatElement} */
        set(value) {
          this.#take(name, value);
        },
      });
    }
    for (const name of ASKED) {
      /** @this {AssentChatElement} @param {any[]} values */
      members[name] = function (...values) {
        if (name === "forget" && values[0]?.everything) return forgetAll();
        return this.#lifecycle.ask(name, values);
      };
    }
  }

  /** @param {string} name @param {any} value */
  #take(name, value) {
    const { call } = this.#lifecycle;
    this.#given[name] = checked(name, value);
    if (name === "strings") return this.#lifecycle.redraw();
    this.#panel.redraw();
    give(this.#given, call);
  }

  /** What holds at this moment; a copy. */
  get state() {
    const known = { threadId: null, streaming: false, unread: 0, pendingApprovals: 0 };
    const snapshot = this.#lifecycle.call("snapshot");
    const { phase } = this.#lifecycle;
    return { phase, ...known, ...snapshot, online: navigator.onLine };
  }

  /** Ends the answer that is being written, where the service offers that; otherwise, and the
   * second time, stops listening to it. */
  stop() {
    this.#lifecycle.call("stop");
  }

  /** Shows the panel of launcher mode; takes the focus only while a click or key of the user is
   * being handled. */
  #open = () => {
    if (navigator.userActivation?.isActive) this.#panel.openForUser();
    else this.setAttribute("open", "");
  };

  // Frameworks set the property where an element has one of an attribute's name: it must not hide
  // the method.
  get open() {
    return this.#open;
  }
  set open(/** @type {any} */ shown) {
    if ([false, "false", null, undefined].includes(shown)) this.close();
    else this.setAttribute("open", "");
  }

  /** Hides the panel of launcher mode; a focus inside it returns to the launcher. */
  close() {
    this.removeAttribute("open");
  }

  toggle() {
    this[isOpen(this) ? "close" : "open"]();
  }

  /** Takes it out of the page for good: a launcher of a script tag does not come back. */
  remove() {
    /** @type {any} */ (this)[KEY] = true;
    super.remove();
  }

  connectedCallback() {
    delete (/** @type {any} */ (this)[KEY]);
    this.#panel.style();
    this.#panel.measure();
    document.addEventListener("visibilitychange", this.#panel.watch);
    this.#panel.layout();
    this.#lifecycle.speak();
    this.#lifecycle.begin();
  }

  disconnectedCallback() {
    this.#panel.composer.release();
    // An element that was only moved is connected again by then, and keeps its instance.
    queueMicrotask(() => {
      if (this.isConnected) return;
      document.removeEventListener("visibilitychange", this.#panel.watch);
      this.#lifecycle.end();
    });
  }

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    if (before === value) return;
    if (value !== null) check(name, value);
    if (!this.isConnected) return;
    const panel = this.#panel;
    const wasHidden = panel.isHidden;
    if (["open", "mode", "locale"].includes(name)) panel.layout();
    if (name === "open" && wasHidden !== panel.isHidden) {
      emit(this, wasHidden ? "open" : "close", null);
    }
    if (name === "open" || name === "mode") this.#lifecycle.begin();
    if (name === "notify") this.#lifecycle.tell();
    if (name === "locale") this.#lifecycle.speak();
    // What one person typed is not for the next one.
    if (name === "user-id" && before !== null) panel.composer.clear();
    // An element that is upgraded gets its attributes first: nothing has begun.
    if (IDENTITY.includes(name) && panel.isUsed) this.#lifecycle.restart();
    if (LIVE.includes(name)) {
      panel.redraw();
      this.#lifecycle.call("update", name, value);
    }
  }
}

// @ts-check
// The element: its attributes, its frame, and the running application inside.

import { CHOICES, FLAGS, IDENTITY, LIVE } from "./attributes.js";
import { direction } from "./direction.js";
import { el, icon } from "./dom.js";
import { EarlyFrame } from "./early_frame.js";
import { frameSheet } from "./frame.js";
import { lettersSheet, measureLetters } from "./letters.js";
import { checked, OBJECTS } from "./given.js";
import { keyboardSheet } from "./keyboard.js";
import { handleKey } from "./keys.js";
import { forgetEverything, load, loadRest, stopAll } from "./load.js";
import { takenName } from "./names.js";
import { KEY, shared } from "./shared.js";
import { dress } from "./sheets.js";
import { TEXTS } from "./texts.js";

/** @import { ErrorCode } from "./assent.js" */
/** @import { Glue } from "./load.js" */
/** @typedef {keyof typeof TEXTS} Key */

/** Methods that the application carries out, when it is there. */
const ASKED = ["newThread", "openThread", "renameThread", "deleteThread", "send", "forget"];

/** How many actions wait for approval or answers are unread, and a text that says it. */
const NOTHING = { count: 0, text: "" };

/** @param {ErrorCode} code @param {string} message */
const problem = (code, message) => Object.assign(new Error(message), { code, recoverable: true });

// Where there is no DOM (rendering on a server), importing this file does nothing.
const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (class {});

export class AssentChatElement extends Base {
  static observedAttributes = [...Object.keys(CHOICES), ...FLAGS, ...IDENTITY, ...LIVE];

  #shadow = this.attachShadow({ mode: "open" });
  #badge = el("span", { class: "badge", part: "badge", "aria-hidden": "true" });
  #launcher = el("button", { class: "launcher", part: "launcher", type: "button", "aria-controls": "panel" }, icon(""), this.#badge);
  #pending = NOTHING;
  // The application's own live regions are hidden with the panel.
  #said = el("span", { class: "waiting", "aria-live": "assertive" });
  #panel = el("section", { id: "panel", class: "panel", part: "panel", "aria-labelledby": "heading" });
  #root = el("div", { class: "root", part: "root" }, this.#launcher, this.#said, this.#panel);
  /** The running instance: the module's exports and the handle in it. @type {{glue: Glue, handle: number} | undefined} */
  #app;
  /** @type {IntersectionObserver | undefined} */ #observer;
  /** Unique for each start, undefined when ended: a late download sees that it is no longer wanted. */
  /** @type {symbol | undefined} */ #run;
  /** @type {Record<keyof typeof OBJECTS, any>} */
  #given = { ...OBJECTS };
  /** What stands in the panel instead of the application. @type {[key: Key, role?: "alert" | "status", action?: Key] | null} */
  #notice = null;
  #early = new EarlyFrame(() => {
    if (this.#notice?.[1] !== "status") return;
    this.#early.composer.isSent = true;
    this.#showWait();
  });
  /** What methods asked for before the application was there. @type {((glue: Glue, handle: number) => void)[]} */
  #queue = [];
  /** How to reject each promise that is not settled. @type {Set<(error: Error) => void>} */
  #open = new Set();
  /** Why the application is not there, once it should be: `failed` or `stopped`. */
  #trouble = "";
  #isOpen = () => ![null, "false"].includes(this.getAttribute("open"));
  #mode = () => CHOICES.mode.find((mode) => mode === this.getAttribute("mode")) ?? "inline";
  #sheets = /** @type {CSSStyleSheet[]} */ ([]); #restarting = false; #wantsFocus = false; #askedFrom = /** @type {Element | null} */ (null); #usable = () => {};
  ready = this.#promise();

  constructor() {
    super();
    this.#shadow.append(this.#root);
    for (const type of ["pointerenter", "focus"]) this.#launcher.addEventListener(type, () => void load().catch(() => {}));
    this.#launcher.addEventListener("click", () => (this.#isOpen() ? this.close() : this.#openForUser()));
    for (const type of ["keydown", "keypress", "keyup"]) this.#root.addEventListener(type, (event) => handleKey(event, this.#mode() === "launcher" && this.#isOpen() && (() => this.close())));
    // Set before this file arrived, it would hide the accessor.
    for (const name of /** @type {(keyof typeof OBJECTS)[]} */ (Object.keys(OBJECTS))) {
      const early = /** @type {any} */ (this)[name];
      if (Reflect.deleteProperty(this, name) && early) this.#take(name, early);
    }
  }

  static {
    const members = /** @type {Record<string, any>} */ (this.prototype);
    for (const name of /** @type {(keyof typeof OBJECTS)[]} */ (Object.keys(OBJECTS)))
      Object.defineProperty(members, name, {
        /** @this {AssentChatElement} */ get() { return this.#given[name]; },
        /** @this {AssentChatElement} */ set(value) { this.#take(name, value); },
      });
    for (const name of ASKED) members[name] = /** @this {AssentChatElement} @param {unknown[]} values */ function (...values) { return this.#ask(name, values); };
  }

  /** What holds at this moment; a copy. */
  get state() {
    const known = { threadId: null, streaming: false, unread: 0, pendingApprovals: 0 };
    this.#call((glue, handle) => Object.assign(known, glue.snapshot(handle)));
    return { phase: this.#app ? "ready" : this.#trouble || (this.#run ? "loading" : "idle"), ...known, online: navigator.onLine };
  }

  /** Ends the answer that is being written, where the service offers that; otherwise, and the second time, stops listening to it. */
  stop() { this.#call((glue, handle) => glue.stop(handle)); }

  /** @param {string} name @param {any[]} values @returns {Promise<void>} */
  #ask(name, values) {
    if (name === "forget" && values[0]?.everything) return forgetEverything().catch((/** @type {any} */ error) => { throw problem("not-loaded", error); });
    this.#renew();
    return new Promise((resolve, reject) => {
      if (!this.isConnected || this.#trouble) return reject(problem("unavailable", "The chat is not running."));
      this.#open.add(reject);
      this.#queue.push((glue, handle) => glue.ask(handle, name, values,
        () => { this.#open.delete(reject); resolve(); }, (error) => { this.#open.delete(reject); reject(error); }));
      this.#app ? this.#carryOut() : this.#begin();
    });
  }

  #carryOut() { for (const asked of this.#queue.splice(0)) this.#call(asked); }

  /** Resolves when the chat can be used, and rejects with whatever else was asked for. */
  #promise() {
    const ready = /** @type {Promise<void>} */ (new Promise((resolve, reject) => { this.#usable = resolve; this.#open.add(reject); }));
    ready.catch(() => {}); // Few pages wait for it.
    return ready;
  }

  /** Nothing that was asked for is done any more. */
  #rejectAll() {
    for (const reject of this.#open) reject(problem("unavailable", "The chat is not running."));
    this.#open.clear(); this.#queue = [];
  }

  /** @param {keyof typeof OBJECTS} name @param {any} value */
  #take(name, value) {
    this.#given[name] = checked(name, value);
    this.#redraw();
    if (name !== "strings") return this.#call(this.#give);
    this.#layout();
    this.#call((glue, handle) => glue.set_texts(handle, this.#given.strings));
  }

  /** @param {Key} key */
  #text(key) { const own = this.#given.strings?.[key]; return typeof own === "string" ? own : TEXTS[key]; }

  /** A text that an attribute of this name goes before. @param {"heading" | "placeholder"} name */
  #own(name) { const own = this.getAttribute(name); return own?.trim() ? own : this.#text(name); }

  #give = (/** @type {Glue} */ glue, /** @type {number} */ handle) => {
    glue.set_uploader(handle, this.#given.uploader);
    glue.set_suggestions(handle, this.#given.suggestions ?? []);
    glue.set_policies(handle, this.#given.linkPolicy, this.#given.imagePolicy);
    glue.set_access(handle, this.#given.tokenProvider, this.#given.requestHeaders);
  };

  /** Shows the panel of launcher mode; takes the focus only while a click or key of the user is being handled. */
  #show = () => { navigator.userActivation?.isActive ? this.#openForUser() : this.setAttribute("open", ""); };

  // Frameworks set the property where an element has one of an attribute's name: it must not hide the method.
  get open() { return this.#show; } set open(/** @type {any} */ shown) { [false, "false", null, undefined].includes(shown) ? this.close() : this.setAttribute("open", ""); }

  /** Hides the panel of launcher mode; a focus inside it returns to the launcher. */
  close() { this.removeAttribute("open"); }
  toggle() { this[this.#isOpen() ? "close" : "open"](); }

  /** Styles it in the document that it is in now. */
  #dress() { this.#sheets = dress(this.#shadow, [frameSheet, lettersSheet, keyboardSheet, this.#app?.glue.sheet()].filter((it) => !!it), this.#sheets); }

  /** Takes it out of the page for good: a launcher of a script tag does not come back. */
  remove() { /** @type {any} */ (this)[KEY] = true; super.remove(); }

  connectedCallback() { delete /** @type {any} */ (this)[KEY]; this.#dress(); measureLetters(this.#said); document.addEventListener("visibilitychange", this.#watch); this.#layout(); this.#begin(); }
  // An element that was only moved is connected again by then, and keeps its instance.
  disconnectedCallback() { this.#early.composer.release(); queueMicrotask(() => { if (!this.isConnected) { document.removeEventListener("visibilitychange", this.#watch); this.#end(); } }); }

  /** @param {string} name @param {string | null} before @param {string | null} value */
  attributeChangedCallback(name, before, value) {
    if (before === value) return;
    const choices = CHOICES[name] ?? [value];
    if (value !== null && !choices.includes(value)) console.warn(`assent-chat: ${name}="${value}" is not one of ${choices.join(", ")}; using ${choices[0]}.`);
    if (!this.isConnected) return;
    if (name === "open" || name === "mode") {
      const hidden = this.#panel.hidden;
      this.#layout();
      if (name === "open" && hidden !== this.#panel.hidden) this.#emit(null, hidden ? "open" : "close");
      this.#begin();
    }
    if (name === "locale") this.#layout();
    // What one person typed is not for the next one.
    if (name === "user-id" && before !== null) this.#early.composer.clear();
    // An element that is upgraded gets its attributes first: nothing has begun.
    if (IDENTITY.includes(name) && this.#notice) this.#restart();
    if (LIVE.includes(name)) { this.#redraw(); this.#call((glue, handle) => glue.update(handle, name, value)); }
  }

  #layout(pending = this.#pending) {
    const launcher = this.#mode() === "launcher", open = this.#isOpen();
    const inside = this.#panel.contains(this.#shadow.activeElement);
    this.#root.dataset.mode = this.#mode();
    this.#root.toggleAttribute("data-open", launcher && open);
    this.#launcher.hidden = !launcher;
    const locale = this.getAttribute("locale") ?? "";
    if ((this.#root.dir = direction(locale))) this.#root.lang = locale;
    else this.#root.removeAttribute("lang");
    this.#launcher.querySelector("path")?.setAttribute("d", open ? "M6 6l12 12M18 6L6 18" : "M12 4.5A8.5 6.8 0 0 0 6.7 16.6q-.1 1.6-1.3 2.8 2.6-.1 4.2-1.6A8.5 6.8 0 1 0 12 4.5z");
    this.#launcher.setAttribute("aria-expanded", String(open));
    this.#panel.hidden = launcher && !open;
    this.#panel.setAttribute("role", launcher ? "dialog" : "region");
    this.#pending = pending;
    this.#badge.hidden = !pending.count || !this.#panel.hidden;
    this.#badge.textContent = String(pending.count);
    this.#launcher.setAttribute("aria-label", this.#text(open ? "closeChat" : "openChat") + (this.#badge.hidden ? "" : `, ${pending.text}`));
    this.#watch();
    if (inside && this.#panel.hidden) this.#launcher.focus({ preventScroll: true });
  }

  #watch = () => this.#call((glue, handle) => glue.watch(handle, !this.#panel.hidden && !document.hidden));

  #openForUser() { this.#wantsFocus = true; this.#askedFrom = document.activeElement; this.setAttribute("open", ""); this.#focus(); }

  #focus() {
    // Until the application is drawn, its box is not there.
    const { composer } = this.#early, isEarly = composer.form.isConnected && !composer.form.hidden;
    if (!this.#wantsFocus || !(this.#app || isEarly)) return;
    this.#wantsFocus = false;
    // Whoever went on to something else while the chat was loading keeps the focus there.
    const active = document.activeElement;
    if (this.matches(":focus-within") || !active || active === document.body || active === this.#askedFrom)
      isEarly ? composer.focus() : this.#call((glue, handle) => glue.focus(handle));
  }

  /** Starts the application if the panel is shown; an inline one when it comes into view. */
  #begin() {
    if (this.#run || (this.#panel.hidden && !this.#queue.length)) return;
    this.#observer?.disconnect();
    if (this.#mode() !== "inline" || this.#queue.length) return void this.#start();
    this.#showWait();
    this.#observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.#start());
    this.#observer.observe(this);
  }

  async #start() {
    this.#observer?.disconnect();
    const run = (this.#run = Symbol());
    this.#trouble = "";
    if (!this.getAttribute("agent-id")) {
      console.error("assent-chat: the attribute agent-id is missing.");
      return this.#giveUp("failed", "not-set-up", "notSetUp");
    }
    const taken = takenName();
    if (taken) {
      console.error(`assent-chat: not started. The page uses the name ${taken} for something of its own.`);
      return this.#giveUp("failed", "name-taken", "nameTaken");
    }
    this.#showWait();
    try {
      let glue;
      // Meanwhile the module may have stopped, and an input method may have begun.
      do glue = await load(); while (await this.#early.composer.settled());
      if (run === this.#run) this.#mount(glue);
    } catch (error) {
      if (run === this.#run) this.#fail(error);
    }
  }

  /** @param {Glue} glue */
  async #mount(glue) {
    const options = { ...Object.fromEntries([...IDENTITY, ...LIVE].map((name) => [name, this.getAttribute(name)])), strings: this.#given.strings };
    shared.live.add(this.#stop);
    try {
      loadRest(glue).then(() => this.#dress());
      const handle = glue.start(options, this.#hear);
      this.#app = { glue, handle }; this.#give(glue, handle);
      await null; // Its first requests are sent now, and are on their way while it is drawn.
      if (!this.#app) return;
      // Beside the frame, until what was typed there has been taken over.
      glue.mount(handle, this.#panel.appendChild(el("div", { class: "app" })));
      this.#dress();
      this.#watch();
      this.#usable();
      this.#dispatch(null, "ready");
      this.#carryOut();
      this.#early.takeOver(this.#call, (text) => this.#ask("send", [text]));
      this.#focus();
    } catch (error) {
      stopAll(error);
    }
  }

  #end() {
    const isOver = this.#app || this.#trouble || !this.isConnected;
    this.#run = undefined; this.#notice = null; this.#trouble = "";
    this.#observer?.disconnect(); shared.live.delete(this.#stop);
    this.#call((glue, handle) => glue.unmount(handle));
    if (isOver) { this.#rejectAll(); this.ready = this.#promise(); }
    // Whoever is typing goes on while it starts over.
    if (this.#app || !this.isConnected) this.#panel.replaceChildren();
    if (!this.isConnected) this.#early.composer.isSent = false;
    this.#app = undefined;
    this.#layout(NOTHING);
  }

  /** Several attributes changed in one task start over once. */
  #restart() {
    if (!this.#restarting) queueMicrotask(this.#renew);
    this.#restarting = true;
  }

  /** What is asked for after a change is meant for the new agent, user or service. */
  #renew = () => {
    if (!this.#restarting) return;
    this.#restarting = false; this.#end();
    if (this.isConnected) this.#begin();
  };

  #call = (/** @type {(glue: Glue, handle: number) => void} */ use) => {
    try {
      if (this.#app) use(this.#app.glue, this.#app.handle);
    } catch (error) { stopAll(error); }
  };

  /** What the application says; true where an answer may be posted. */
  #hear = (/** @type {string} */ type, /** @type {any} */ detail) => {
    if (type === "fatal") stopAll(detail);
    else if (type === "pending") this.#layout(detail);
    else if (type === "asked") this.#said.textContent = this.#panel.hidden ? detail : "";
    else if (type === "events") queueMicrotask(() => detail(this));
    else if (!type.startsWith("before-")) this.#emit(detail, type);
    else return this.#allows(detail, type);
  };

  /** A listener that throws has not agreed: the browser reports it before the dispatch ends. @param {unknown} detail @param {string} type */
  #allows(detail, type) {
    let threw = false; const note = () => void (threw = true);
    addEventListener("error", note, true);
    const agreed = this.#dispatch(detail, type, true);
    removeEventListener("error", note, true);
    return agreed && !threw;
  }

  /** After the running handler, because a listener may call back. */
  #emit = (/** @type {unknown} */ detail, /** @type {string} */ type) => queueMicrotask(() => this.#dispatch(detail, type));

  #dispatch = (/** @type {unknown} */ detail, /** @type {string} */ type, cancelable = false) => this.dispatchEvent(new CustomEvent(`assent:${type}`, { detail, bubbles: true, composed: true, cancelable }));

  /** `action`: a button that starts over. @param {[key: Key, role?: "alert" | "status", action?: Key]} notice */
  #showNotice(...notice) {
    const [key, role = "alert", action] = (this.#notice = notice);
    const { element, composer } = this.#early;
    const buttons = action ? [el("button", { type: "button" }, this.#text(action))] : [];
    buttons[0]?.addEventListener("click", () => { this.#wantsFocus = true; this.#restart(); this.#focus(); });
    this.#early.say(this.#own("heading"), this.#own("placeholder"), role, this.#text(key), buttons);
    composer.name(this.#text("message"), this.#text("send"));
    // Where nothing can be sent, there is nothing to write either; but what was written stays.
    const hides = role === "alert" && !composer.text && !(action && this.#trouble === "failed");
    if (hides && composer.isFocused) this.#launcher.focus({ preventScroll: true });
    composer.form.hidden = hides;
    element.dataset.threads = this.getAttribute("threads") ?? "";
    element.toggleAttribute("data-attach", !!this.#given.uploader);
    if (element.parentNode !== this.#panel) this.#panel.replaceChildren(element);
    // An application that stopped before it took over.
    element.nextSibling?.remove();
    this.#focus();
  }

  #showWait() { this.#showNotice(this.#early.composer.isSent ? "sending" : "loading", "status"); }

  /** Something changed that is shown while the application is not there. */
  #redraw() { if (!this.#app && this.#notice) this.#showNotice(...this.#notice); }

  /** @param {string} trouble @param {ErrorCode} code @param {Key} key @param {Key} [action] */
  #giveUp(trouble, code, key, action) {
    this.#trouble = trouble;
    this.#early.composer.isSent = false;
    this.#rejectAll();
    this.#showNotice(key, "alert", action);
    this.#emit({ code, message: this.#text(key), recoverable: !!action }, "error");
  }

  /** @param {unknown} error */
  #fail(error) {
    const { origin } = new URL(import.meta.url);
    console.error(`assent-chat: not loaded. ${error}. Are all files of dist/ there? A Content-Security-Policy must allow script-src ${origin} 'wasm-unsafe-eval'; connect-src ${origin}.`, error);
    if (!globalThis.WebAssembly || /Content Security Policy|CSP|unsafe-eval/i.test(String(error))) this.#giveUp("failed", "not-allowed", "notAllowed");
    else this.#giveUp("failed", "not-loaded", "notLoaded", "tryAgain");
  }

  /** @param {unknown} error */
  #stop = (error) => {
    console.error("assent-chat: stopped.", error);
    shared.live.delete(this.#stop);
    this.#app = undefined;
    this.#layout(NOTHING);
    this.#giveUp("stopped", "stopped-working", "stoppedWorking", "reloadChat");
  };
}

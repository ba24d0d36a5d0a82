// @ts-check
// Assent's loader: defines <assent-chat>, draws launcher and frame at once, and fetches the application on intent.
// Inside the panel is the application; everything around it is here. No build step.

const VERSION = "0.1.0";
const GLUE = "./assent_widget.js";
const WASM = "./assent_widget_bg.wasm";
const READER = "./assent_reader.js";
const MATH = "./assent_math.js";
const HIGHLIGHT = "./assent_highlight.js";

/** What the WebAssembly module exports. No export throws for bad values: one that throws has trapped.
 * @typedef {{default(source: {module_or_path: URL}): Promise<unknown>,
 *   mount(app: Element, options: Record<string, string | null>, emit: (type: string, detail: any) => unknown): number,
 *   update(handle: number, name: string, value: string | null): void, set_uploader(handle: number, uploader: Function | null): void,
 *   set_policies(handle: number, link: Function | null, image: Function | null): void, focus(handle: number): void,
 *   unmount(handle: number): void, read_with(reader: object, assets: Record<string, () => Promise<Function>>): void}} Glue */

const KEY = Symbol.for("assent");
/** What all copies of one version share on a page. `attempt` counts failures.
 * @type {{loading: Promise<Glue> | null, reading: Promise<void> | null, attempt: number, live: Set<(error: unknown) => void>}} */
const shared = ((/** @type {any} */ (globalThis)[KEY] ??= {})[VERSION] ??= { loading: null, reading: null, attempt: 0, live: new Set() });

/** Attributes with a closed set of values, the default first. @type {Record<string, string[]>} */
const CHOICES = { mode: ["inline", "launcher", "fullscreen"], theme: ["auto", "light", "dark"] };
// Who talks to whom: a change starts over. The running application follows the others.
const IDENTITY = ["base-url", "agent-id", "user-id", "user-id-header", "api-key", "credentials"];
const LIVE = ["thread-id", "threads", "activity", "heading", "placeholder", "greeting", "dialect", "scroll"];
/** Properties that take a function of the page, and what holds without one. */
const WITHOUT = { uploader: "no files can be attached", linkPolicy: "the default rule holds", imagePolicy: "no images are loaded unasked" };

/** How many actions wait for approval, and a text that says it. */
const NOTHING = { count: 0, text: "" };
// The fallbacks repeat style/tokens.css, which arrives with the application.
const FRAME = `
:host { all: initial; display: block; block-size: 560px; color-scheme: light dark; }
:host([theme="light"]) { color-scheme: light; } :host([theme="dark"]) { color-scheme: dark; }
:host([mode="launcher"]), :host([mode="fullscreen"]) { display: contents; } :host([hidden]), .root [hidden] { display: none; }
.root {
  --accent: var(--assent-color-accent, light-dark(#3b5bdb, #8ea2ff)); --on-accent: var(--assent-color-on-accent, light-dark(#ffffff, #10142b));
  --text: var(--assent-color-text, light-dark(#1b1d22, #eceef2)); --line: var(--assent-color-line, light-dark(#e2e5ea, #32353d));
  --surface: var(--assent-color-surface, light-dark(#ffffff, #17181c)); --launcher: var(--assent-launcher-size, 56px); --bottom: calc(20px + env(safe-area-inset-bottom, 0px));
  all: initial; color-scheme: inherit; visibility: inherit; color: var(--text); display: block; block-size: 100%; position: relative; isolation: isolate; -webkit-text-size-adjust: 100%;
  font: 400 var(--assent-font-size, 15px)/1.5 var(--assent-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
}
.root, .root * { box-sizing: border-box; } .panel { border: 1px solid var(--line); border-radius: var(--assent-radius, 16px); background: var(--surface); block-size: 100%; overflow: clip; }
.panel, .app, .frame { display: flex; flex-direction: column; } .app, .frame { flex: 1; min-block-size: 0; }
[data-mode]:not([data-mode="inline"]) { position: fixed; inset: 0 auto auto 0; inline-size: 0; block-size: 0; z-index: var(--assent-z-index, 2147483000); }
[data-mode="fullscreen"] .panel { position: fixed; inset: 0; block-size: auto; border: 0; border-radius: 0; }
[data-mode="launcher"] .panel { position: fixed; inset-block-end: calc(var(--launcher) + 16px + var(--bottom)); inset-inline-end: 20px; overscroll-behavior: contain;
  inline-size: min(var(--assent-panel-width, 400px), 100vw - 40px); block-size: min(var(--assent-panel-height, 640px), 100dvh - 112px);
  box-shadow: var(--assent-shadow, 0 12px 40px light-dark(rgb(20 24 40 / 0.18), rgb(0 0 0 / 0.6))); }
.launcher, .frame button { all: unset; background: var(--accent); color: var(--on-accent); cursor: pointer; }
.launcher { position: fixed; inset-block-end: var(--bottom); inset-inline-end: 20px; z-index: 1; display: grid; place-items: center;
  inline-size: var(--launcher); block-size: var(--launcher); border-radius: 50%; -webkit-tap-highlight-color: transparent;
  box-shadow: 0 6px 20px light-dark(rgb(20 24 40 / 0.24), rgb(0 0 0 / 0.5)); }
.launcher:focus-visible, .frame button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; } .launcher svg { inline-size: 26px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
[data-open] .launcher svg:first-of-type, :not([data-open]) > .launcher svg:last-of-type { display: none; }
.badge { position: absolute; inset-block-start: -4px; inset-inline-end: -4px; min-inline-size: 22px; padding-inline: 6px; border-radius: 11px; text-align: center; line-height: 22px; font-weight: 700; font-size: 12px; background: var(--assent-color-bad, light-dark(#b42318, #ff9c91)); color: var(--assent-color-on-bad, light-dark(#ffffff, #2b0906)); box-shadow: 0 0 0 2px var(--surface); }
.waiting { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.frame h2 { margin: 0; padding-inline: 16px 64px; font-size: 16px; font-weight: 600; line-height: 56px; border-block-end: 1px solid var(--line); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .frame div { flex: 1; display: grid; place-content: center; place-items: center; gap: 16px; padding: 24px; text-align: center; }
.frame p { margin: 0; max-inline-size: 40ch; } .frame button { padding: 8px 16px; border-radius: 10px; font-weight: 600; } .frame [role="status"] { color: var(--assent-color-muted, light-dark(#5d6370, #a3a9b6)); }
.frame span { block-size: 48px; margin: 12px; border-radius: 12px; background: var(--assent-color-sunken, light-dark(#f5f6f8, #1f2126)); }
@media (max-width: 480px) {
  [data-mode="launcher"] .panel { inset: 0; inline-size: auto; block-size: 100dvh; border: 0; border-radius: 0; padding-block: env(safe-area-inset-top, 0px) env(safe-area-inset-bottom, 0px); }
  [data-open] .launcher { inset-block: calc(6px + env(safe-area-inset-top, 0px)) auto; inset-inline-end: 6px; inline-size: 44px; block-size: 44px; background: none; color: var(--text); box-shadow: none; }
  [data-open] .launcher:focus-visible { outline-offset: -3px; } [data-open] .launcher svg { inline-size: 22px; } }
@media (prefers-reduced-motion: no-preference) { .launcher { transition: scale 0.15s; } .launcher:hover { scale: 1.05; } .launcher:active { scale: 0.95; }
  [data-mode="launcher"] .panel { animation: rise 0.18s ease-out; } @keyframes rise { from { opacity: 0; translate: 0 12px; } } }
@media (forced-colors: active) { .launcher, .panel, .badge, .frame button { border: 1px solid; } } @media print { [data-mode="launcher"] { display: none; } }
`;

/** Imports a file; after a failure under another address, because browsers remember failed imports. @param {string} file */
function fresh(file) {
  const url = new URL(file, import.meta.url);
  if (shared.attempt) url.searchParams.set("attempt", String(shared.attempt));
  return import(url.href);
}

/** Fetches and starts the module, once per page and version. A failure is forgotten, so that it can be retried. */
function load() {
  const start = (/** @type {Glue} */ glue) => glue.default({ module_or_path: new URL(WASM, import.meta.url) }).then(() => glue);
  return (shared.loading ??= fresh(GLUE).then(start).catch((error) => { forget(); throw error; }));
}

/** Fetches what few answers need, once; after a failure anew. @param {string} file @param {(module: any) => Function | Promise<Function>} use */
function asset(file, use) {
  let got = /** @type {Promise<Function> | null} */ (null);
  return () => (got ??= fresh(file).then(use).catch((error) => { got = null; shared.attempt++; throw error; }));
}

const assets = { math: asset(MATH, (math) => math.default().then(() => math.mathml)), highlight: asset(HIGHLIGHT, ({ highlight }) => highlight) };

/** Fetches the renderer of answers while the person can type already. Without it they are plain text. @param {Glue} glue */
function read(glue) {
  shared.reading ??= fresh(READER)
    .then((reader) => reader.default().then(() => { glue.read_with(reader, assets); reader.warm_up(); }))
    .catch((error) => {
      // A page that is being left ends its downloads, and has no time left to complain.
      setTimeout(() => console.warn("assent-chat: answers are shown as plain text.", error), 100);
      Object.assign(shared, { reading: null, attempt: shared.attempt + 1 });
    });
}

const forget = () => Object.assign(shared, { loading: null, reading: null, attempt: shared.attempt + 1 });

/** After a panic nobody knows the state of the module's memory. @param {unknown} error */
function stopAll(error) {
  if (shared.live.size) forget();
  for (const stop of shared.live) stop(error);
}

/** @type {<T extends keyof HTMLElementTagNameMap>(tag: T, attributes: Record<string, string>, ...children: (Node | string)[]) => HTMLElementTagNameMap[T]} */
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  element.append(...children);
  return element;
}

/** @param {string} shape the `d` of an SVG path on a 24 × 24 grid */
function icon(shape) {
  const [svg, path] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
  svg.setAttribute("viewBox", "0 0 24 24"); svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", shape);
  svg.append(path);
  return svg;
}

// Where there is no DOM (rendering on a server), importing this file does nothing.
const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (class {});

class AssentChatElement extends Base {
  static observedAttributes = [...Object.keys(CHOICES), "open", ...IDENTITY, ...LIVE];

  #shadow = this.attachShadow({ mode: "open", delegatesFocus: false });
  #badge = el("span", { class: "badge", part: "badge", "aria-hidden": "true" });
  #launcher = el("button", { class: "launcher", part: "launcher", type: "button", "aria-controls": "panel", "aria-describedby": "waiting" },
    icon("M12 4.5c-4.7 0-8.5 3-8.5 6.8 0 2.2 1.3 4.1 3.2 5.4-.1 1-.5 2-1.3 2.8 1.6-.1 3-.6 4.2-1.5.8.1 1.6.2 2.4.2 4.7 0 8.5-3.1 8.5-6.9S16.7 4.5 12 4.5z"),
    icon("M6 6l12 12M18 6L6 18"), this.#badge);
  #waiting = el("span", { id: "waiting", hidden: "" }); #pending = NOTHING;
  // The application's own live regions are hidden with the panel.
  #said = el("span", { class: "waiting", "aria-live": "assertive" });
  #panel = el("section", { id: "panel", class: "panel", part: "panel", "aria-labelledby": "heading" });
  #root = el("div", { class: "root", part: "root" }, this.#launcher, this.#waiting, this.#said, this.#panel);
  /** The running instance: the module's exports and the handle in it. @type {{glue: Glue, handle: number} | undefined} */
  #app;
  #observer = /** @type {IntersectionObserver | undefined} */ (undefined);
  /** Unique for each start, undefined when ended: a late download sees that it is no longer wanted. */
  #run = /** @type {symbol | undefined} */ (undefined);
  /** @type {Pick<import("./assent.js").AssentChatElement, keyof typeof WITHOUT>} */
  #given = { uploader: null, linkPolicy: null, imagePolicy: null };
  #isOpen = () => (this.getAttribute("open") ?? "false") !== "false";
  #mode = () => CHOICES.mode.find((mode) => mode === this.getAttribute("mode")) ?? "inline";
  #restarting = false; #wantsFocus = false; #usable = () => {};
  /** Resolves when the chat can be used; pending until something makes it load. @type {Promise<void>} */
  ready = new Promise((resolve) => (this.#usable = resolve));

  constructor() {
    super();
    this.#shadow.adoptedStyleSheets = [frameSheet];
    this.#shadow.append(this.#root);
    for (const type of ["pointerenter", "focus", "touchstart"]) this.#launcher.addEventListener(type, () => void load().catch(() => {}), { passive: true });
    this.#launcher.addEventListener("click", () => (this.#isOpen() ? this.close() : this.#openForUser()));
    for (const type of ["keydown", "keypress", "keyup"]) this.#root.addEventListener(type, this.#key);
    // Set before this file arrived, it would hide the accessor.
    for (const name of /** @type {(keyof typeof WITHOUT)[]} */ (Object.keys(WITHOUT))) {
      const early = Object.getOwnPropertyDescriptor(this, name);
      if (early && Reflect.deleteProperty(this, name)) this[name] = early.value;
    }
  }

  get uploader() { return this.#given.uploader; } set uploader(uploader) { this.#take("uploader", uploader); }
  get linkPolicy() { return this.#given.linkPolicy; } set linkPolicy(policy) { this.#take("linkPolicy", policy); }
  get imagePolicy() { return this.#given.imagePolicy; } set imagePolicy(policy) { this.#take("imagePolicy", policy); }

  /** @param {keyof typeof WITHOUT} name @param {any} value */
  #take(name, value) {
    this.#given[name] = typeof value === "function" ? value : null;
    if (value && !this.#given[name]) console.warn(`assent-chat: ${name} is not a function; ${WITHOUT[name]}.`);
    this.#call(this.#give);
  }

  #give = (/** @type {Glue} */ glue, /** @type {number} */ handle) => {
    glue.set_uploader(handle, this.#given.uploader);
    glue.set_policies(handle, this.#given.linkPolicy, this.#given.imagePolicy);
  };

  /** Shows the panel of launcher mode; takes the focus only while a click or key of the user is being handled. */
  open() { navigator.userActivation?.isActive ? this.#openForUser() : this.setAttribute("open", ""); }

  /** Hides the panel of launcher mode; a focus inside it returns to the launcher. */
  close() { this.removeAttribute("open"); }
  toggle() { this[this.#isOpen() ? "close" : "open"](); }

  connectedCallback() { this.#layout(); this.#begin(); }
  // An element that was only moved is connected again by then, and keeps its instance.
  disconnectedCallback() { queueMicrotask(() => this.isConnected || this.#end()); }

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
    if (IDENTITY.includes(name)) this.#restart();
    if (LIVE.includes(name)) this.#call((glue, handle) => glue.update(handle, name, value));
  }

  #layout(pending = this.#pending) {
    const launcher = this.#mode() === "launcher", open = this.#isOpen();
    const inside = this.#panel.contains(this.#shadow.activeElement);
    this.#root.dataset.mode = this.#mode();
    this.#root.toggleAttribute("data-open", launcher && open);
    this.#launcher.hidden = !launcher;
    this.#launcher.setAttribute("aria-label", open ? "Close chat" : "Open chat");
    this.#launcher.setAttribute("aria-expanded", String(open));
    this.#panel.hidden = launcher && !open;
    this.#panel.setAttribute("role", launcher ? "dialog" : "region");
    this.#pending = pending;
    this.#badge.hidden = !pending.count || !this.#panel.hidden;
    this.#badge.textContent = String(pending.count);
    this.#waiting.textContent = this.#badge.hidden ? "" : pending.text;
    if (inside && this.#panel.hidden) this.#launcher.focus({ preventScroll: true });
  }

  #openForUser() { this.#wantsFocus = true; this.setAttribute("open", ""); this.#focus(); }

  #focus() {
    if (!this.#wantsFocus || !this.#app) return;
    this.#wantsFocus = false;
    // Whoever went on to something else while the chat was loading keeps the focus there.
    const active = document.activeElement;
    if (this.matches(":focus-within") || !active || active === document.body) this.#call((glue, handle) => glue.focus(handle));
  }

  /** Starts the application if the panel is shown; an inline one when it comes into view. */
  #begin() {
    if (this.#run || this.#panel.hidden) return;
    this.#observer?.disconnect();
    if (this.#mode() !== "inline") return void this.#start();
    this.#showNotice("Loading…", "status");
    this.#observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.#start());
    this.#observer.observe(this);
  }

  async #start() {
    this.#observer?.disconnect();
    const run = (this.#run = Symbol());
    if (!this.getAttribute("agent-id")) {
      console.error('assent-chat: the attribute agent-id is missing. Add agent-id="…", the id of the agent to talk to.');
      return this.#showNotice("This chat is not set up yet: its attribute agent-id is missing.");
    }
    this.#showNotice("Loading…", "status");
    try {
      const glue = await load();
      if (run === this.#run) this.#mount(glue);
    } catch (error) {
      if (run === this.#run) this.#fail(error);
    }
  }

  /** @param {Glue} glue */
  #mount(glue) {
    const app = el("div", { class: "app" });
    const options = Object.fromEntries([...IDENTITY, ...LIVE].map((name) => [name, this.getAttribute(name)]));
    this.#panel.replaceChildren(app);
    shared.live.add(this.#stop);
    try {
      read(glue);
      const handle = glue.mount(app, options, this.#hear);
      this.#app = { glue, handle };
      this.#give(glue, handle);
      this.#usable();
      this.#emit(null, "ready");
      this.#focus();
    } catch (error) {
      stopAll(error);
    }
  }

  #end() {
    this.#run = undefined;
    this.#observer?.disconnect();
    shared.live.delete(this.#stop);
    this.#call((glue, handle) => glue.unmount(handle));
    this.#app = undefined;
    this.#panel.replaceChildren();
    this.#layout(NOTHING);
  }

  /** Several attributes changed in one task start over once. */
  #restart() {
    if (!this.#restarting) queueMicrotask(() => {
      this.#restarting = false;
      this.#end();
      if (this.isConnected) this.#begin();
    });
    this.#restarting = true;
  }

  /** @param {(glue: Glue, handle: number) => void} use */
  #call(use) {
    try {
      if (this.#app) use(this.#app.glue, this.#app.handle);
    } catch (error) { stopAll(error); }
  }

  /** What the application says; true where an answer may be posted. */
  #hear = (/** @type {string} */ type, /** @type {any} */ detail) => {
    if (type === "fatal") stopAll(detail);
    else if (type === "pending") this.#layout(detail);
    else if (type === "asked") this.#said.textContent = this.#panel.hidden ? detail : "";
    else if (type !== "before-approval") this.#emit(detail, type);
    else return this.#allows(detail);
  };

  /** A listener that throws has not agreed: the browser reports it before the dispatch ends. @param {unknown} detail */
  #allows(detail) {
    let threw = false; const note = () => void (threw = true);
    addEventListener("error", note, true);
    const agreed = this.dispatchEvent(new CustomEvent("assent:before-approval", { detail, bubbles: true, composed: true, cancelable: true }));
    removeEventListener("error", note, true);
    return agreed && !threw;
  }

  /** After the running handler, because a listener may call back. */
  #emit = (/** @type {unknown} */ detail, /** @type {string} */ type) => {
    const event = new CustomEvent(`assent:${type}`, { detail, bubbles: true, composed: true });
    queueMicrotask(() => this.dispatchEvent(event));
  };

  #key = (/** @type {any} */ event) => {
    const escape = event.type === "keydown" && event.key === "Escape" && !event.isComposing && event.keyCode !== 229;
    if (escape && !event.defaultPrevented && this.#mode() === "launcher" && this.#isOpen()) {
      event.preventDefault();
      this.close();
    }
    // The page sees a plain element: its one-key shortcuts would fire while somebody types.
    const typing = event.target.matches("input, textarea") && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (typing && event.key !== "Tab" && (event.key !== "Escape" || event.defaultPrevented)) event.stopPropagation();
  };

  /** @param {string} text @param {"alert" | "status"} role @param {string} [action] name of a button that starts over */
  #showNotice(text, role = "alert", action) {
    const body = el("div", { role, ...(role === "alert" && { part: "error" }) }, el("p", {}, text));
    if (action) {
      const button = el("button", { type: "button" }, action);
      button.addEventListener("click", () => { this.#wantsFocus = true; this.#restart(); });
      body.append(button);
    }
    const heading = el("h2", { id: "heading" }, this.getAttribute("heading") || "Assistant");
    this.#panel.replaceChildren(el("div", { class: "frame" }, heading, body, ...(role === "status" ? [el("span", {})] : [])));
  }

  /** @param {unknown} error */
  #fail(error) {
    const { origin } = new URL(import.meta.url);
    console.error(`assent-chat: not loaded. A Content-Security-Policy must allow script-src ${origin} 'wasm-unsafe-eval'; connect-src ${origin}.`, error);
    if (!globalThis.WebAssembly || /Content Security Policy|CSP|unsafe-eval/i.test(String(error))) this.#showNotice("The chat cannot run here, because this page does not allow WebAssembly.");
    else this.#showNotice("The chat could not be loaded. Check your connection and try again.", "alert", "Try again");
  }

  /** @param {unknown} error */
  #stop = (error) => {
    console.error("assent-chat: stopped.", error);
    shared.live.delete(this.#stop);
    this.#app = undefined;
    this.#layout(NOTHING);
    this.#showNotice("The chat stopped because of an unexpected problem.", "alert", "Reload chat");
  };
}

/** Makes one launcher for each script tag of this file that names an agent. */
function launchFromTags() {
  const tags = [...document.querySelectorAll(/** @type {"script"} */ ('script[type="module"][src][data-agent-id]'))];
  // After a redirect the tag's address is not this module's, but the file name still is.
  const file = (/** @type {string} */ url) => new URL(url).pathname.split("/").pop();
  const exact = tags.filter((tag) => tag.src === import.meta.url);
  for (const tag of exact.length ? exact : tags.filter((tag) => file(tag.src) === file(import.meta.url))) {
    if (KEY in tag) continue; else Object.assign(tag, { [KEY]: true });
    const chat = el("assent-chat", { mode: "launcher" });
    for (const { name, value } of tag.attributes) if (name.startsWith("data-")) chat.setAttribute(name.slice(5), value);
    document.body.append(chat);
  }
}

const frameSheet = globalThis.CSSStyleSheet && new CSSStyleSheet();
frameSheet?.replaceSync(FRAME);
if (globalThis.customElements) {
  if (!customElements.get("assent-chat")) customElements.define("assent-chat", AssentChatElement);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", launchFromTags);
  else launchFromTags();
}

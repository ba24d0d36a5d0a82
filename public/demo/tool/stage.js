// @ts-check
// A page of its own in a frame, with one chat on it: whatever the chat covers there, the page
// around it stays usable.

const PAGE = new URL("../stage.html", import.meta.url).href;

/**
 * What the console of the page in the frame was told.
 * @typedef {{level: "warn" | "error", text: string}} Said
 */

export class Stage {
  /** @type {HTMLElement | null} */
  #chat = null;
  /** @type {ReadonlyMap<string, string>} */
  #attributes = new Map();
  #styles = "";
  /** @type {CSSStyleSheet | null} */
  #sheet = null;
  #frame;
  #made;
  #hear;

  /**
   * @param {HTMLIFrameElement} frame
   * @param {{made?: (chat: HTMLElement) => void, hear?: (said: Said) => void}} listeners
   */
  constructor(frame, { made = () => {}, hear = () => {} } = {}) {
    this.#frame = frame;
    this.#made = made;
    this.#hear = hear;
    frame.addEventListener("load", () => this.#fill());
  }

  /** Loads the page of the frame, also again: the chat on it is a new one. */
  open() {
    this.#chat = null;
    // Not a step back in the history of the page around it.
    this.#frame.contentWindow?.location.replace(PAGE);
  }

  /**
   * The attributes of the chat, all of them; a running one follows.
   * @param {ReadonlyMap<string, string>} attributes
   */
  set(attributes) {
    this.#attributes = attributes;
    const chat = this.#chat;
    if (!chat) return;
    for (const name of chat.getAttributeNames()) if (!attributes.has(name)) chat.removeAttribute(name);
    for (const [name, value] of attributes) if (chat.getAttribute(name) !== value) chat.setAttribute(name, value);
  }

  /** The style sheet of the page in the frame, beside its own one. @param {string} css */
  style(css) {
    this.#styles = css;
    this.#sheet?.replaceSync(css);
  }

  #fill() {
    const page = this.#frame.contentDocument;
    // The frame is empty at first.
    if (!page || page.URL === "about:blank") return;
    const window = /** @type {typeof globalThis} */ (/** @type {unknown} */ (this.#frame.contentWindow));
    this.#listen(window.console);
    this.#sheet = new window.CSSStyleSheet();
    this.#sheet.replaceSync(this.#styles);
    page.adoptedStyleSheets = [this.#sheet];
    this.#chat = page.createElement("assent-chat");
    this.set(this.#attributes);
    page.body.append(this.#chat);
    this.#made(this.#chat);
  }

  /** @param {Console} console */
  #listen(console) {
    for (const level of /** @type {const} */ (["warn", "error"])) {
      const say = console[level];
      console[level] = (...words) => {
        say.apply(console, words);
        this.#hear({ level, text: words.map(String).join(" ") });
      };
    }
  }
}

// @ts-check
// The message box until the application is there: what is typed waits in it.

import { el, icon } from "./dom.js";

/**
 * Puts a text into the application's box, behind the draft that it has.
 * @param {HTMLTextAreaElement} input @param {string} draft @param {string} text
 */
export function append(input, draft, text) {
  if (input.value !== draft) input.value = draft;
  // Whoever writes in front of it goes on there.
  if (draft.trim()) input.setRangeText(`\n${text}`, draft.length, draft.length, "preserve");
  else input.setRangeText(text, 0, draft.length, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A form with the parts, names and places of the application's. */
export class EarlyComposer {
  #input = el("textarea", { part: "input", rows: "1", dir: "auto", translate: "no", enterkeyhint: "send", autocomplete: "off" });
  // Where `field-sizing` is unknown, what is typed stands behind the box once more, so that it grows
  // with its text without measuring. Elsewhere that would be one more layout for the first letter.
  #grow = el("div", { class: "grow" }, this.#input);
  #send = el("button", { part: "send", type: "button", disabled: "" }, icon("M12 19V5M6 11l6-6 6 6"));
  form = el("form", { part: "composer" }, el("div", { class: "box" }, this.#grow, this.#send));
  /** An input method composes, or ended a moment ago. */
  #composes = false;
  /** @type {any} */ #timer;
  #settle = () => {};

  /** @param {() => void} enter is called for an Enter that sends */
  constructor(enter) {
    const input = this.#input;
    this.#mirror();
    input.addEventListener("input", this.#mirror);
    input.addEventListener("compositionstart", () => {
      clearTimeout(this.#timer);
      this.#composes = true;
    });
    // The key that ends a composition may come after its end.
    for (const type of ["compositionend", "blur"]) input.addEventListener(type, () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.release);
    });
    input.addEventListener("keydown", (event) => {
      // Safari ends the composition before the key that ended it arrives, with key code 229.
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      if (this.text.trim()) enter();
    });
  }

  #mirror = () => { this.#grow.dataset.text = `${this.#input.value}\u200b`; };

  get text() { return this.#input.value; }

  /** The text was sent, and waits for the application. Until then it cannot be changed. */
  get isSent() { return this.#input.readOnly; }
  set isSent(/** @type {boolean} */ isSent) {
    this.#input.readOnly = isSent;
    if (isSent) this.#input.setAttribute("aria-busy", "true");
    else this.#input.removeAttribute("aria-busy");
  }

  get isFocused() { return /** @type {ShadowRoot} */ (this.form.getRootNode()).activeElement === this.#input; }

  clear() { this.#input.value = ""; this.isSent = false; this.#mirror(); }

  focus() { this.#input.focus({ preventScroll: true }); }

  set placeholder(/** @type {string} */ text) { this.#input.placeholder = text; }

  /** @param {string} name @param {string} send */
  name(name, send) {
    this.#input.setAttribute("aria-label", name);
    this.#send.setAttribute("aria-label", (this.#send.title = send));
  }

  /** Waits while an input method composes, whose text would be lost with the box. True if one did. */
  async settled() {
    const composed = this.#composes;
    while (this.#composes) await new Promise((resolve) => (this.#settle = () => resolve(null)));
    return composed;
  }

  /** Nothing is composed any more. */
  release = () => {
    this.#composes = false;
    this.#settle();
  };

  /**
   * Moves what was typed, the selection and the focus into the application's box, at once: what is typed next is typed there.
   * @param {HTMLTextAreaElement} input @param {string} draft of the application
   */
  moveInto(input, draft) {
    const { value, selectionStart, selectionEnd, selectionDirection } = this.#input;
    if (this.isFocused) input.focus({ preventScroll: true });
    if (value && !this.isSent) {
      append(input, draft, value);
      const before = input.value.length - value.length;
      input.setSelectionRange(before + selectionStart, before + selectionEnd, selectionDirection);
      // The application does the same a moment later. It could not be scrolled until then.
      const grow = /** @type {HTMLElement} */ (input.parentElement);
      grow.dataset.text = `${input.value}\u200b`;
      grow.scrollTop = before ? grow.scrollHeight : this.#grow.scrollTop;
    }
    this.clear();
  }
}

// @ts-check
// What stands in the panel until the application is there: heading, note and message box, the first and the last in place.

import { el } from "./dom.js";
import { append, EarlyComposer } from "./early_composer.js";

/** @import { Glue } from "./load.js" */

export class EarlyFrame {
  #heading = el("h2", { id: "heading" });
  #note = el("div", { role: "status" });
  /** @type {EarlyComposer} */
  composer;
  /** @type {HTMLElement} */
  element;

  /** @param {() => void} enter is called for an Enter that sends */
  constructor(enter) {
    this.composer = new EarlyComposer(enter);
    const page = el("div", {}, el("div", {}, this.#note, this.composer.form));
    this.element = el("div", { class: "frame" }, el("header", {}, this.#heading), page);
  }

  /**
   * Writes the texts once the box has been drawn: without their letters it takes text sooner.
   * @param {string} heading @param {string} placeholder @param {"alert" | "status"} role @param {string} text @param {Node[]} action
   */
  async say(heading, placeholder, role, text, action) {
    await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame);
    this.#heading.textContent = heading;
    this.composer.placeholder = placeholder;
    // What is read out is a new alert, or another text in the same status.
    if (role === "alert" || role !== this.#note.getAttribute("role")) {
      const note = el("div", { role, ...(role === "alert" && { part: "error" }) });
      this.#note.replaceWith(note);
      this.#note = note;
    }
    if (text !== this.#note.textContent) this.#note.replaceChildren(el("p", {}, text), ...action);
  }

  /**
   * Brings what was typed into the application, which stands beside the frame, and takes the frame away.
   * `call` does something with the application, and `send` sends a text.
   * @param {(use: (glue: Glue, handle: number) => void) => void} call @param {(text: string) => Promise<void>} send
   */
  takeOver(call, send) {
    const { composer, element: { parentElement: panel } } = this, { text } = composer;
    /** @param {(input: HTMLTextAreaElement, draft: string) => void} put */
    const use = (put) => call((glue, handle) => {
      const input = /** @type {HTMLTextAreaElement | null | undefined} */ (panel?.querySelector('.app [part="input"]'));
      if (input) put(input, glue.draft(handle));
    });
    // What cannot be sent now stays in the box. Any other failure is shown with the message.
    if (composer.isSent) send(text).catch(({ code }) => {
      if (["busy", "undecided"].includes(code)) use((input, draft) => append(input, draft, text));
    });
    use((input, draft) => {
      composer.moveInto(input, draft);
      this.element.remove();
    });
  }
}

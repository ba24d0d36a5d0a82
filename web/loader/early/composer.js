// @ts-check
// The message box until the application is there: what is typed waits in it.

import { el, icon } from "../dom.js";

const ARROW = "M12 19V5M6 11l6-6 6 6";

/** @typedef {ReturnType<typeof createComposer>} Composer */

/** Creates a form with the parts, names and places of the application's.
 * @param {() => void} enter is called for an Enter that sends */
export function createComposer(enter) {
  const input = el("textarea", {
    part: "input",
    rows: "1",
    dir: "auto",
    translate: "no",
    enterkeyhint: "send",
    autocomplete: "off",
  });
  // Where `field-sizing` is unknown, what is typed stands behind the box once more, so that it
  // grows with its text without measuring. Elsewhere that would be one more layout for the first
  // letter.
  const grow = el("div", { class: "grow" }, input);
  const button = el("button", { part: "send", type: "button", disabled: "" }, icon(ARROW));
  const form = el("form", { part: "composer" }, el("div", { class: "box" }, grow, button));
  /** An input method composes, or ended a moment ago. */
  let composes = false;
  /** @type {any} */
  let timer;
  let settle = () => {};

  function mirror() {
    grow.dataset.text = `${input.value}\u200b`;
  }

  /** Nothing is composed any more. */
  function release() {
    composes = false;
    settle();
  }

  mirror();
  input.addEventListener("input", mirror);
  input.addEventListener("compositionstart", () => {
    clearTimeout(timer);
    composes = true;
  });
  // The key that ends a composition may come after its end.
  for (const type of ["compositionend", "blur"]) {
    input.addEventListener(type, () => {
      clearTimeout(timer);
      timer = setTimeout(release);
    });
  }
  input.addEventListener("keydown", (event) => {
    // Safari ends the composition before the key that ended it arrives, with key code 229.
    const isComposing = event.isComposing || event.keyCode === 229;
    if (event.key !== "Enter" || event.shiftKey || isComposing) return;
    event.preventDefault();
    if (input.value.trim()) enter();
  });

  return {
    form,
    input,
    release,

    get text() {
      return input.value;
    },

    /** The text was sent, and waits for the application. Until then it cannot be changed. */
    get isSent() {
      return input.readOnly;
    },
    set isSent(isSent) {
      input.readOnly = isSent;
      if (isSent) input.setAttribute("aria-busy", "true");
      else input.removeAttribute("aria-busy");
    },

    get isFocused() {
      return /** @type {ShadowRoot} */ (form.getRootNode()).activeElement === input;
    },

    clear() {
      input.value = "";
      this.isSent = false;
      mirror();
    },

    focus: () => input.focus({ preventScroll: true }),

    set placeholder(/** @type {string} */ text) {
      input.placeholder = text;
    },

    /** @param {string} name @param {string} send */
    name(name, send) {
      input.setAttribute("aria-label", name);
      button.title = send;
      button.setAttribute("aria-label", send);
    },

    /** Waits while an input method composes, whose text would be lost with the box. True if one
     * did. */
    async settled() {
      const composed = composes;
      while (composes) await new Promise((resolve) => (settle = () => resolve(null)));
      return composed;
    },
  };
}

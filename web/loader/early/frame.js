// @ts-check
// What stands in the panel until the application is there: heading, note and message box, the first
// and the last in place.

import { el } from "../dom.js";
import { createComposer } from "./composer.js";

/** @typedef {ReturnType<typeof createFrame>} EarlyFrame */

const nextFrame = () => new Promise(requestAnimationFrame);

/** Creates the frame. @param {() => void} enter is called for an Enter that sends */
export function createFrame(enter) {
  const composer = createComposer(enter);
  const title = el("h2", { id: "heading" });
  let note = el("div", { role: "status" });
  const page = el("div", {}, el("div", {}, note, composer.form));
  const element = el("div", { class: "frame" }, el("header", {}, title), page);
  return {
    composer,
    element,

    /**
     * Writes the texts once the box has been drawn: without their letters it takes text sooner.
     * @param {string} heading @param {string} placeholder
     * @param {"alert" | "status"} role @param {string} text @param {Node[]} action
     */
    async say(heading, placeholder, role, text, action) {
      await nextFrame();
      await nextFrame();
      title.textContent = heading;
      composer.placeholder = placeholder;
      // What is read out is a new alert, or another text in the same status.
      if (role === "alert" || role !== note.getAttribute("role")) {
        const former = note;
        note = el("div", { role, ...(role === "alert" && { part: "error" }) });
        former.replaceWith(note);
      }
      if (text !== note.textContent) note.replaceChildren(el("p", {}, text), ...action);
    },
  };
}

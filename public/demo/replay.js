// @ts-check
// Plays a diagnostic log in the real widget, with the log in the place of a service.

import { answersOf, serve } from "./replay/service.js";
import { byId, el } from "./tool/dom.js";

const BASE = "/replay";
const form = byId("replay", HTMLFormElement);
const log = byId("log", HTMLTextAreaElement);
const speed = byId("speed", HTMLSelectElement);
const step = byId("step", HTMLButtonElement);
const said = byId("said", HTMLElement);
const stage = byId("stage", HTMLElement);
let end = () => {};

/**
 * Waits as long as it took then, at the speed that is chosen now; or for the button.
 * @param {number} after
 */
function pause(after) {
  const times = Number(speed.value);
  if (times) return new Promise((/** @type {(nothing: void) => void} */ go) => setTimeout(go, Math.max(after, 0) / times));
  step.disabled = false;
  return new Promise((/** @type {(nothing: void) => void} */ go) => {
    const next = () => {
      step.disabled = true;
      go();
    };
    step.addEventListener("click", next, { once: true });
  });
}

/** @param {SubmitEvent} event */
async function play(event) {
  event.preventDefault();
  end();
  try {
    const answers = answersOf(log.value);
    end = serve(BASE, answers, pause);
    const chat = el("assent-chat", { "base-url": BASE, "agent-id": "replay", "user-id": "replay", storage: "none", threads: "hidden", activity: "full", class: "stage" });
    stage.replaceChildren(chat);
    said.textContent = "Playing";
    for (const { question } of answers) {
      // What was posted as the answer to a request for approval is answered here once a person
      // decides.
      if (question !== null) await chat.send(question || "(files)").catch(() => {});
    }
    said.textContent = "Played";
  } catch {
    said.textContent = "This is no diagnostic log.";
  }
}

form.addEventListener("submit", (event) => void play(event));

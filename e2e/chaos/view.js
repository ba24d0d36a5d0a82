// What a page shows, read through the parts, roles and states that are public.

import { readFileSync } from "node:fs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {{ name: string, status: string }} Tool */
/** @typedef {{ state: string, tools: Tool[] }} Card */
/** @typedef {{ role: string, state: string, text: string, buttons: string[], cards: Card[] }} Message */
/**
 * @typedef {object} View
 * @property {string} list state of the list of conversations
 * @property {{ name: string, open: boolean }[]} threads
 * @property {string} thread id of the conversation that is shown, empty for a new one
 * @property {string} transcript its state
 * @property {Message[]} messages
 * @property {string} input what is typed
 * @property {string} fields what is typed anywhere
 * @property {string} queued what is said above the box
 * @property {string[]} buttons the names of all that can be pressed
 */

/** @param {Page} page @returns {Promise<View>} */
export function look(page) {
  return page.evaluate(() => {
    const element = /** @type {any} */ (document.querySelector("assent-chat"));
    /** @type {ShadowRoot} */
    const root = element.shadowRoot;
    /** @param {ParentNode} within @param {string} selector */
    const all = (within, selector) => /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);
    /** @param {Element | null} it */
    const state = (it) => it?.getAttribute("data-state") ?? "";
    /** @param {ParentNode} within */
    const buttons = (within) =>
      all(within, "button:enabled")
        .filter((it) => it.checkVisibility())
        .map((it) => it.getAttribute("aria-label") ?? it.innerText.trim());
    const fields = /** @type {HTMLTextAreaElement[]} */ (all(root, "textarea, input[type=text]"));
    const input = /** @type {HTMLTextAreaElement | null} */ (root.querySelector("[part~=input]"));
    const form = root.querySelector("[part~=composer]");
    return {
      list: state(root.querySelector("[part~=thread-list]")),
      threads: all(root, "[part~=thread]").map((row) => ({
        name: row.getAttribute("aria-label") ?? "",
        open: row.getAttribute("aria-current") === "true",
      })),
      thread: element.state?.threadId ?? "",
      transcript: state(root.querySelector("[part~=transcript]")),
      messages: all(root, "[part~=message]").map((message) => ({
        role: message.getAttribute("data-role") ?? "",
        state: state(message),
        text: message.innerText,
        buttons: buttons(message),
        cards: all(message, "[part~=approval]").map((card) => ({
          state: state(card),
          tools: all(card, "[part~=approval-tool]").map((tool) => ({
            name: tool.getAttribute("aria-label") ?? "",
            status: state(tool),
          })),
        })),
      })),
      input: input?.value ?? "",
      fields: fields.map((field) => field.value).join("\n"),
      queued: all(form?.parentElement ?? root, ".held").map((it) => it.innerText).join("\n"),
      buttons: buttons(root),
    };
  });
}

const TEXTS = readFileSync(new URL("../../crates/i18n/locales/en.toml", import.meta.url), "utf8");
/** What the widget says while it looks up by itself what became of something. */
const LOOKING = ["lookingItUp", "unreadChecking", "checking", "checkingAnswer"].map((name) => TEXTS.split(`\n${name} = "`)[1].split('"')[0]);

/** True while something is under way that ends by itself. @param {View} view */
export function moves(view) {
  return (
    view.transcript === "loading" ||
    view.list === "loading" ||
    view.messages.some(
      ({ state, text, cards, buttons }) =>
        state === "sending" ||
        state === "streaming" ||
        LOOKING.some((said) => text.includes(said)) ||
        // What became of it is not known, and a person has to look again.
        (!buttons.includes("Check again") && cards.some((card) => card.state === "submitting")),
    )
  );
}

/** Until the next look; frames do not come where a tab is hidden. */
export const moment = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Looks until it is as it should be, or the time is over; returns the last look. @param {Page} page @param {(view: View) => boolean} test @param {number} limit milliseconds */
export async function lookUntil(page, test, limit) {
  const end = Date.now() + limit;
  for (;;) {
    const view = await look(page);
    if (test(view) || Date.now() > end) return view;
    await moment();
  }
}

/**
 * Puts a text where the cursor of a box is, as pasting does.
 * Firefox is driven by WebDriver BiDi, in which Playwright's `insertText` and `fill` press a key for each character:
 * a line break would be Enter, which sends, and the keys behind it would go wherever the focus is then.
 * @param {import("@playwright/test").Locator} box @param {string} text @param {{ timeout: number }} options
 */
export async function paste(box, text, options) {
  await box.focus(options);
  const put = (/** @type {any} */ it, /** @type {string} */ piece) => {
    it.setRangeText(piece, it.selectionStart, it.selectionEnd, "end");
    it.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertFromPaste" }));
  };
  await box.evaluate(put, text, options);
}

/** The chat's parts on a page. */
export class Chat {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.element = page.locator("assent-chat");
    this.input = this.element.getByRole("textbox", { name: "Message", exact: true });
    this.list = this.element.getByRole("navigation", { name: "Conversations" });
    this.dialog = this.element.getByRole("alertdialog");
  }

  /** @param {string} name */
  part(name) {
    return this.element.locator(`[part~="${name}"]`);
  }

  /** @param {string} name */
  button(name) {
    return this.element.getByRole("button", { name, exact: true });
  }

  /** @param {string} name */
  thread(name) {
    return this.list.getByRole("button", { name, exact: true }).and(this.part("thread")).first();
  }

  get newThread() {
    return this.part("thread-new");
  }
}

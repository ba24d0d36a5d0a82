// @ts-check
// The JavaScript of the boundary to the page, in one file: the events `assent:event`, and what was
// typed into the loader's message box.
// The events are made here and not in Rust or by the loader because an answer has thousands of them.
// The text is moved here and not by the loader because nobody needs that before the widget.

/** @import { EarlyFrame } from "../../web/loader/early/frame.js" */

const TO_THE_PAGE = { bubbles: true, composed: true };

/** An event of the service. What it says is read when a listener looks: often nobody does. */
class Received extends CustomEvent {
  #threadId;
  #text;
  /** @type {{ threadId: string, event: unknown } | undefined} */
  #detail;

  /** @param {string} threadId @param {string} text the event as it came, in JSON */
  constructor(threadId, text) {
    super("assent:event", TO_THE_PAGE);
    this.#threadId = threadId;
    this.#text = text;
  }

  get detail() {
    return (this.#detail ??= { threadId: this.#threadId, event: JSON.parse(this.#text) });
  }
}

/** Returns a function that dispatches events at an element; they came together, with U+001E between them. @param {string} threadId @param {string} texts */
export const eventDispatcher = (threadId, texts) => (/** @type {EventTarget} */ element) => {
  for (const text of texts.split("\u001e")) element.dispatchEvent(new Received(threadId, text));
};

/** Puts a text into the widget's box, behind the draft that it has.
 * @param {HTMLTextAreaElement} input @param {string} draft @param {string} text */
function append(input, draft, text) {
  if (input.value !== draft) input.value = draft;
  // Whoever writes in front of it goes on there.
  if (draft.trim()) input.setRangeText(`\n${text}`, draft.length, draft.length, "preserve");
  else input.setRangeText(text, 0, draft.length, "end");
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Moves what was typed, the selection and the focus into the widget's box, at once: what is typed
 * next is typed there.
 * @param {EarlyFrame["composer"]} composer
 * @param {HTMLTextAreaElement} input @param {string} draft of the widget */
function move(composer, input, draft) {
  const { value, selectionStart, selectionEnd, selectionDirection, parentElement } = composer.input;
  if (composer.isFocused) input.focus({ preventScroll: true });
  if (value && !composer.isSent) {
    append(input, draft, value);
    const before = input.value.length - value.length;
    const [start, end] = [before + selectionStart, before + selectionEnd];
    input.setSelectionRange(start, end, selectionDirection);
    // The widget does the same a moment later. It could not be scrolled until then.
    const grow = /** @type {HTMLElement} */ (input.parentElement);
    grow.dataset.text = `${input.value}\u200b`;
    grow.scrollTop = before ? grow.scrollHeight : (parentElement?.scrollTop ?? 0);
  }
  composer.clear();
}

/** Brings what was typed into the widget, which stands beside the loader's frame, and takes the
 * frame away. `selector` finds the widget's box, `draft` returns its draft, and `send` sends a text.
 * @param {EarlyFrame} frame @param {string} selector @param {() => string | undefined} draft
 * @param {(text: string) => Promise<void>} send */
export function takeOver({ composer, element }, selector, draft, send) {
  const { text } = composer;
  const panel = element.parentElement;
  /** @param {(input: HTMLTextAreaElement, draft: string) => void} put */
  const use = (put) => {
    /** @type {HTMLTextAreaElement | null | undefined} */
    const input = panel?.querySelector(selector);
    const before = draft();
    if (input && before !== undefined) put(input, before);
  };
  // What cannot be sent now stays in the box. Any other failure is shown with the message.
  if (composer.isSent) {
    send(text).catch(({ code }) => {
      if (["busy", "undecided"].includes(code)) use((input, before) => append(input, before, text));
    });
  }
  use((input, before) => {
    move(composer, input, before);
    element.remove();
  });
  // There is no box where what waits is shown alone.
  if (!panel?.querySelector(selector)) element.remove();
}

/** The `detail` of `assent:grant` of a request that was answered with a grant.
 * @param {string} threadId @param {string} request its JSON text */
export function grantDetail(threadId, request) {
  const { toolExecutionBatchId: batchId, toolExecutionId: executionId, toolId, grant } = JSON.parse(request);
  return { threadId, batchId, executionId, toolId, grant };
}

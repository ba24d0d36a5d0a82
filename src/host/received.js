// @ts-check
// The events `assent:event`. They are made here and not in Rust or by the loader because an answer has thousands of them.

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

// @ts-check
// The way from a notification to the card that is to be decided.

/** The element, as far as it is used here.
 * @typedef {HTMLElement & {open(): void, openThread(id: string): Promise<void>}} Chat */

/** Time in milliseconds after which a card that is not there yet is not waited for. */
const TIMEOUT = 5_000;

/** Shows the thread, and moves the focus to its first card that waits.
 * @param {Chat} chat @param {string} thread */
export async function leadTo(chat, thread) {
  window.focus();
  if (chat.getAttribute("mode") === "launcher") chat.open();
  else chat.scrollIntoView({ block: "nearest" });
  try {
    await chat.openThread(thread);
  } catch {
    // It was deleted meanwhile, which the chat says.
    return;
  }
  const root = /** @type {ShadowRoot} */ (chat.shadowRoot);
  // Right after rows were drawn, the widget gives the focus back to what had it.
  const soon = () => setTimeout(() => focusCard(root) && drawn.disconnect());
  const drawn = new MutationObserver(soon);
  drawn.observe(root, { subtree: true, childList: true, attributes: true });
  soon();
  setTimeout(() => drawn.disconnect(), TIMEOUT);
}

/** Moves the focus as Alt and the arrow up do in the message box; false while there is no card. The
 * page does not see that key.
 * @param {ShadowRoot} root */
function focusCard(root) {
  const composer = root.querySelector(".app [part=composer]");
  const key = { key: "ArrowUp", altKey: true, bubbles: true, cancelable: true };
  return composer?.dispatchEvent(new KeyboardEvent("keydown", key)) === false;
}

// @ts-check
// Whoever is typing goes on while the chat is drawn anew.

const BOX = 'textarea[part~="input"]';

/** Chats that are watched. @type {WeakSet<Element>} */
const watched = new WeakSet();
/** Chats in which an input method composes. @type {WeakSet<Element>} */
const composing = new WeakSet();

/** Notes from now on whether an input method composes in a chat. @param {Element} chat */
export function watch(chat) {
  if (watched.has(chat)) return;
  watched.add(chat);
  chat.addEventListener("compositionstart", () => composing.add(chat));
  chat.addEventListener("compositionend", () => composing.delete(chat));
}

/** Draws a chat anew, and leaves the focus in its message box if it was there: the box is another one
 * then, in which a text that is being composed would be lost.
 * @param {Element} chat @param {() => void} redraw */
export function keepFocus(chat, redraw) {
  if (composing.has(chat)) {
    // The key that ends a composition may come after its end.
    const later = () => setTimeout(() => keepFocus(chat, redraw));
    return chat.addEventListener("compositionend", later, { once: true });
  }
  const before = chat.shadowRoot?.activeElement;
  redraw();
  if (!before?.matches(BOX)) return;
  const { selectionStart, selectionEnd } = /** @type {HTMLTextAreaElement} */ (before);
  // The widget draws in a microtask.
  setTimeout(() => {
    /** @type {HTMLTextAreaElement | null | undefined} */
    const box = chat.shadowRoot?.querySelector(BOX);
    if (!box || box === before || chat.shadowRoot?.activeElement) return;
    box.focus({ preventScroll: true });
    box.setSelectionRange(selectionStart, selectionEnd);
  });
}

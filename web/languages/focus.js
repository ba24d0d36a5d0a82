// @ts-check
// The focus of whoever is typing while the chat is drawn anew.

const BOX = 'textarea[part~="input"]';

/** Draws a chat anew, and leaves the focus in its message box if it was there: the box is another one
 * then.
 * @param {Element} chat @param {() => void} redraw */
export function keepFocus(chat, redraw) {
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

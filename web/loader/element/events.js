// @ts-check
// The events of the element for the page.

/** Dispatches an event; false if a listener prevented what it announces.
 * @param {Element} chat @param {string} type @param {unknown} detail */
export function dispatch(chat, type, detail, cancelable = false) {
  const options = { detail, bubbles: true, composed: true, cancelable };
  return chat.dispatchEvent(new CustomEvent(`assent:${type}`, options));
}

/** Dispatches an event after the running handler, because a listener may call back.
 * @param {Element} chat @param {string} type @param {unknown} detail */
export const emit = (chat, type, detail) => queueMicrotask(() => dispatch(chat, type, detail));

/** Asks the listeners. One that throws has not agreed: the browser reports it before the dispatch
 * ends.
 * @param {Element} chat @param {string} type @param {unknown} detail */
export function allows(chat, type, detail) {
  let threw = false;
  const note = () => {
    threw = true;
  };
  addEventListener("error", note, true);
  const agreed = dispatch(chat, type, detail, true);
  removeEventListener("error", note, true);
  return agreed && !threw;
}

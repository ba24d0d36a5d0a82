// @ts-check
// Keys that are pressed inside of the chat.

/** Closes an open panel by Escape, and keeps what is typed from the page, which sees a plain
 * element: its one-key shortcuts would fire while somebody types.
 * @param {any} event @param {(() => void) | false} close */
export function handleKey(event, close) {
  const { type, key } = event;
  const isEscape = key === "Escape";
  const isComposing = event.isComposing || event.keyCode === 229;
  if (type === "keydown" && isEscape && !isComposing && !event.defaultPrevented && close) {
    event.preventDefault();
    close();
  }
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  const isTyped = key !== "Tab" && (!isEscape || event.defaultPrevented);
  if (isTyped && !hasModifier && event.target.matches("input, textarea")) event.stopPropagation();
}

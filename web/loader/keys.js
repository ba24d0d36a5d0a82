// @ts-check
// Keys that are pressed inside of the chat.

/** Closes an open panel by Escape, and keeps what is typed from the page, which sees a plain element: its one-key
 * shortcuts would fire while somebody types. @param {any} event @param {(() => void) | false} close */
export function handleKey(event, close) {
  const escape = event.type === "keydown" && event.key === "Escape" && !event.isComposing && event.keyCode !== 229;
  if (escape && !event.defaultPrevented && close) {
    event.preventDefault();
    close();
  }
  const typing = event.target.matches("input, textarea") && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (typing && event.key !== "Tab" && (event.key !== "Escape" || event.defaultPrevented)) event.stopPropagation();
}

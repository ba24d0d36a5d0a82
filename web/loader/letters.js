// @ts-check
// The size of letters that a person chose in the browser's settings. `rem` does not tell it: that is the page's own.

/** Has that size as `--medium`, of which all sizes of text are parts. */
export const lettersSheet = globalThis.CSSStyleSheet && new CSSStyleSheet();

/** @param {Element} probe with `font-size: medium` */
export function measureLetters(probe) {
  let size = "";
  // A page may have taken the name for something of its own: the chat starts with the usual size all the same.
  try { size = getComputedStyle(probe).fontSize; } catch {}
  lettersSheet?.replaceSync(size && size !== "16px" ? `:host { --medium: ${size}; }` : "");
}

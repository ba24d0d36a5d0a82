// @ts-check
// The size of letters that a person chose in the browser's settings. `rem` does not tell it: that is the page's own.

/** Has that size as `--medium`, of which all sizes of text are parts. */
export const lettersSheet = globalThis.CSSStyleSheet && new CSSStyleSheet();

/** @param {Element} probe with `font-size: medium` */
export function measureLetters(probe) {
  const size = getComputedStyle(probe).fontSize;
  lettersSheet?.replaceSync(size && size !== "16px" ? `:host { --medium: ${size}; }` : "");
}

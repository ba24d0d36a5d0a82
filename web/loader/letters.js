// @ts-check
// The size of letters that a person chose in the browser's settings. `rem` does not tell it: that
// is the page's own.

import { newSheet } from "./realm.js";

/** Has that size as `--medium`, of which all sizes of text are parts. */
export const lettersSheet = newSheet();

/** @param {Element} probe with `font-size: medium` */
export function measureLetters(probe) {
  let size = "";
  try {
    size = getComputedStyle(probe).fontSize;
  } catch {
    // A page may have taken the name: the chat starts with the usual size all the same.
  }
  const isUsual = !size || size === "16px";
  lettersSheet?.replaceSync(isUsual ? "" : `:host { --medium: ${size}; }`);
}

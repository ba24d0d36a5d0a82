// @ts-check
// The keyboard of a phone: in most browsers it lies over the window, and what is fixed to the
// window's end lies below it.

import { newSheet, viewport } from "./realm.js";

/** Has what the keyboard covers of the window, for all panels that are fixed to it. */
export const keyboardSheet = newSheet();

function measure() {
  const { height = innerHeight, offsetTop = 0, scale = 1 } = viewport ?? {};
  const below = Math.round(innerHeight - height - offsetTop);
  // A page that is magnified shows a part of the window, too, and covers nothing.
  const isCovered = Math.abs(scale - 1) < 0.01 && below > 0;
  const lengths = `--below: ${below}px; --above: ${Math.round(offsetTop)}px;`;
  keyboardSheet.replaceSync(isCovered ? `.root.root { ${lengths} }` : "");
}

for (const type of ["resize", "scroll"]) viewport?.addEventListener(type, measure);

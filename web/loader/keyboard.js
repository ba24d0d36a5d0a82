// @ts-check
// The keyboard of a phone: in most browsers it lies over the window, and what is fixed to the window's end lies below it.

/** Has what the keyboard covers of the window, for all panels that are fixed to it. */
export const keyboardSheet = globalThis.CSSStyleSheet && new CSSStyleSheet();

const view = globalThis.visualViewport;

function measure() {
  // A page that is magnified shows a part of the window, too, and covers nothing.
  const { height = innerHeight, offsetTop = 0, scale = 1 } = view ?? {};
  const covered = Math.abs(scale - 1) < 0.01 ? Math.round(innerHeight - height - offsetTop) : 0;
  const [below, above] = covered > 0 ? [covered, Math.round(offsetTop)] : [0, 0];
  keyboardSheet.replaceSync(below ? `.root.root { --below: ${below}px; --above: ${above}px; }` : "");
}

for (const type of ["resize", "scroll"]) view?.addEventListener(type, measure);

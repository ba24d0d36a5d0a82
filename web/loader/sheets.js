// @ts-check
// The style sheets of a shadow root, also in another document: a window of the page's own, or a
// frame.

/** Puts sheets of ours into a root, before those of the page. A sheet belongs to the document that
 * it was made in, and another one gets a copy; a root that changes its document loses all of its
 * sheets.
 * @param {ShadowRoot} root @param {CSSStyleSheet[]} sheets
 * @param {CSSStyleSheet[]} former those that were put there before
 * @returns {CSSStyleSheet[]} those that are there now */
export function dress(root, sheets, former) {
  const view = root.ownerDocument.defaultView;
  const own = view === window || !view ? sheets : sheets.map((sheet) => copyFor(view, sheet));
  const ours = [...former, ...sheets];
  const others = root.adoptedStyleSheets.filter((sheet) => !ours.includes(sheet));
  root.adoptedStyleSheets = [...own, ...others];
  return own;
}

/** @param {any} view @param {CSSStyleSheet} sheet @returns {CSSStyleSheet} */
function copyFor(view, sheet) {
  const copy = new view.CSSStyleSheet();
  copy.replaceSync([...sheet.cssRules].map((rule) => rule.cssText).join("\n"));
  return copy;
}

// @ts-check
// A button that copies the text of an element, and says whether it did.

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} source its text is copied as it is shown
 * @param {HTMLElement} status a live region
 */
export function copies(button, source, status) {
  button.addEventListener("click", async () => {
    status.textContent = "";
    try {
      // Without TLS there is no clipboard.
      await navigator.clipboard.writeText(source.textContent);
      status.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(source);
      status.textContent = "Not copied: this browser does not allow it. The text is selected.";
    }
  });
}

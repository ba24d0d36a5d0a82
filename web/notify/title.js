// @ts-check
// The number of waiting decisions before the title of the page.
//
// It is a text node of its own, so that nothing of the page's is written over: a page that sets its
// title removes the number with the old one, and a framework that keeps the text node of its title
// goes on to write into that.

/** What stands before the page's title. @type {Text | null} */
let mark = null;
let written = "";

/** Shows this number before the title, or none for 0. A page without a title has nothing that a
 * number could stand before.
 * @param {number} count */
export function showNumber(count) {
  const text = count ? `(${count}) ` : "";
  if (text === written && mark?.isConnected && mark.data === text) return;
  takeBack();
  const title = text && document.head?.querySelector("title");
  if (!title) return;
  written = text;
  mark = document.createTextNode(text);
  title.prepend(mark);
}

/** Leaves the title as the page wrote it. */
function takeBack() {
  // A page that joins adjacent nodes (`normalize`) has its own title in this one now.
  if (mark?.data === written) mark.remove();
  else if (mark?.data.startsWith(written)) mark.data = mark.data.slice(written.length);
  mark = null;
  written = "";
}

// @ts-check
// The content of a post.

/** One posted item: its kind as in the specification, and its text, its file, or one decided
 * request as JSON.
 * @typedef {[kind: string, value: string]} Item */

const DECIDED = "tool_approval_result";

/** Returns the items of a post's body, in either spelling.
 * @param {string} body @returns {Item[]} */
export function items(body) {
  return JSON.parse(body).content.flatMap((/** @type {Record<string, any>} */ item) => {
    const results = item.toolApprovalResult ?? item.tool_approval_results;
    if (results) return results.map((/** @type {object} */ result) => [DECIDED, JSON.stringify(result)]);
    return [[item.type === "image_url" ? "image" : item.type, item.text ?? item.fileId ?? item.imageId ?? item.url]];
  });
}

/** Returns the text of a message; `null` for the answer to a batch. @param {Item[]} items */
export function question(items) {
  if (items.some(([kind]) => kind === DECIDED)) return null;
  return items.filter(([kind]) => kind === "text").map(([, text]) => text).join("");
}

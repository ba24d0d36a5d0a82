// @ts-check
// What a page needs for the chat that was put together.

/**
 * @typedef {object} Piece a part of the markup
 * @property {string} text
 * @property {"tag" | "name" | "value"} [kind] what it is for the eye
 */

/** What stands first, because no chat can do without it. */
const FIRST = ["agent-id", "base-url"];

/**
 * @param {string} script the address of the loader
 * @param {ReadonlyMap<string, string>} attributes
 * @returns {Piece[]}
 */
export function snippet(script, attributes) {
  const source = /** @type {[string, string]} */ (["src", script]);
  const place = (/** @type {string} */ name) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const ordered = [...attributes].sort(([one], [other]) => place(one) - place(other));
  // The script tag makes the launcher by itself, but only for an agent.
  if (attributes.get("mode") === "launcher" && attributes.get("agent-id")) {
    const data = ordered.filter(([name]) => name !== "mode").map(([name, value]) => /** @type {[string, string]} */ ([`data-${name}`, value]));
    return element("script", [["type", "module"], source, ...data]);
  }
  return [...element("script", [["type", "module"], source, ["async", ""], ["fetchpriority", "high"]]), { text: "\n\n" }, ...element("assent-chat", ordered)];
}

/**
 * One element, on as many lines as are pleasant to read.
 * @param {string} tag
 * @param {[string, string][]} attributes
 * @returns {Piece[]}
 */
function element(tag, attributes) {
  const one = attributes.reduce((length, [name, value]) => length + name.length + value.length + 4, 2 * tag.length + 5);
  // A script is called first by its type and its address, whatever their length.
  const together = tag === "script" ? 2 : 1;
  const gap = one <= 76 ? " " : `\n${" ".repeat(tag.length + 2)}`;
  return [
    { text: "<" }, { text: tag, kind: "tag" },
    ...attributes.flatMap(([name, value], index) => [{ text: index < together ? " " : gap }, ...attribute(name, value)]),
    { text: "></" }, { text: tag, kind: "tag" }, { text: ">" },
  ];
}

/** @param {string} name @param {string} value @returns {Piece[]} */
function attribute(name, value) {
  if (["open", "data-open", "async"].includes(name)) return [{ text: name, kind: "name" }];
  const escaped = value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return [{ text: name, kind: "name" }, { text: '="' }, { text: escaped, kind: "value" }, { text: '"' }];
}

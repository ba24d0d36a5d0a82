// The text of Markdown for people who hear it, without its marks.

// Each rule with what takes its place, in their order. None of them goes over a line twice.
const RULES = [
  [/^ {0,3}(`{3,}|~{3,}).*$/gm, ""],
  [/^[ \t]*(?=[-|:*_=])[-|:*_= \t]{3,}$/gm, ""],
  [/^(?:[ \t]*(?:#{1,6}|>|[-*+])(?=[ \t]|$))+[ \t]*(?:\[[ xX]\] )?/gm, ""],
  [/^[ \t]*\[\^[^\]\n]*\]:[ \t]*/gm, ""],
  [/\[\^[^\]\n]*\]/g, ""],
  [/!?\[([^\][\n]*)\](?:\([^()\n]*\)|\[[^\]\n]*\])/g, "$1"],
  [/^[ \t]*\||\|[ \t]*$/gm, ""],
  [/[ \t]*\|[ \t]*/g, ", "],
  [/(?<!\\)\*{1,3}(?=\S)([^*\n]*[^*\s\\])\*{1,3}/g, "$1"],
  [/(?<![\p{L}\p{N}])_{1,3}(?=\S)([^_\n]*[^_\s])_{1,3}(?![\p{L}\p{N}])/gu, "$1"],
  [/~~|`+/g, ""],
  [/\\(?=[!-/:-@[-`{-~])/g, ""],
];

/** @param {string} markdown @returns {string} */
export function plainText(markdown) {
  return RULES.reduce((text, [mark, instead]) => text.replace(mark, instead), markdown).replace(/\s*\n\s*/g, "\n").trim();
}

// Markdown as assistants write it, the same on every run: no clock, no randomness, no network.

const WORDS = (
  "the a of to and in is for with on that by as it from this are be an or at which can was not have has will each when " +
  "order payment service request result account customer value report change window system review answer question table " +
  "storage message network process record update version number region schedule contract approval history signal balance"
).split(" ");
const LANGUAGES = ["rust", "javascript", "python", "json"];
const LINES = [
  "let total = items.iter().map(|item| item.price).sum();",
  "  if (!response.ok) throw new Error(`${response.status}`);",
  "def settle(account, amount=0, *, reason=None):",
  "    return {\"id\": 42, \"state\": \"open\", \"tags\": [\"a\", \"b\"]}",
  "// The outcome is known, or it is looked up.",
  "",
];
/** In the order in which they follow each other in every section. */
const BLOCKS = ["heading", "paragraph", "list", "paragraph", "code", "paragraph", "table", "quote", "numbered"];

/** A generator of numbers in `0..limit` (Park and Miller). */
function numbers(seed) {
  let state = (seed * 7919 + 17) % 2147483647;
  return (limit) => {
    state = (state * 48271) % 2147483647;
    return state % limit;
  };
}

/** A Markdown text of exactly `length` characters, all of ASCII. */
export function markdown(length, seed = 1) {
  const next = numbers(seed);
  let text = "";
  for (let index = 0; ; index += 1) {
    const block = `${BLOCK[BLOCKS[index % BLOCKS.length]](next)}\n\n`;
    // What is left is filled with one paragraph, so that nothing is cut in two.
    if (text.length + block.length > length) return (text + sentence(next, length)).slice(0, length);
    text += block;
  }
}

const BLOCK = {
  heading: (next) => `${"#".repeat(2 + next(3))} ${words(next, 3 + next(4))}`,
  paragraph: (next) => Array.from({ length: 2 + next(4) }, () => rich(next)).join(" "),
  list: (next) => items(next, () => (next(4) ? "- " : "  - ")).replace(/^ +/, ""),
  numbered: (next) => items(next, (index) => `${index + 1}. `),
  quote: (next) => `> ${rich(next)}\n> ${rich(next)}`,
  code: (next) => `\`\`\`${LANGUAGES[next(LANGUAGES.length)]}\n${Array.from({ length: 4 + next(10) }, () => LINES[next(LINES.length)]).join("\n")}\n\`\`\``,
  table: (next) => {
    const row = (cell) => `| ${Array.from({ length: 4 }, cell).join(" | ")} |`;
    const rows = Array.from({ length: 3 + next(5) }, () => row(() => words(next, 1 + next(3))));
    return [row(() => words(next, 1)), row(() => "---"), ...rows].join("\n");
  },
};

const items = (next, mark) => Array.from({ length: 3 + next(4) }, (_, index) => mark(index) + rich(next)).join("\n");
const words = (next, count) => Array.from({ length: count }, () => WORDS[next(WORDS.length)]).join(" ");

/** A sentence with something in it that is not plain. */
function rich(next) {
  const inner = words(next, 1 + next(3));
  const marked = [`**${inner}**`, `*${inner}*`, `\`${inner}\``, `[${inner}](https://example.com/${next(100)})`, inner][next(5)];
  return `${words(next, 3 + next(7))} ${marked} ${words(next, 3 + next(7))}.`;
}

function sentence(next, length) {
  let text = "";
  while (text.length < length) text += `${words(next, 12)}. `;
  return text;
}

/** The text in pieces of 4 to 12 characters, as a model's tokens arrive. */
export function chunks(text, seed = 1) {
  const next = numbers(seed);
  const pieces = [];
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + 4 + next(9));
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}

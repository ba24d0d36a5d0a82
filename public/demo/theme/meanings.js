// @ts-check
// What the tokens are used for, in a few words, by group; a token that is missing here is shown
// without words.

/** @typedef {{title: string, begins: string[], meanings: Record<string, string>}} Group */

/** @type {Group[]} */
export const GROUPS = [
  {
    title: "Colours",
    begins: ["color-"],
    meanings: {
      "color-accent": "Launcher, main buttons, links, focus",
      "color-on-accent": "Text on the accent",
      "color-surface": "Background",
      "color-sunken": "List of conversations, code, what is pointed at",
      "color-raised": "Message box, menus, dialogs, plain buttons",
      "color-text": "Text",
      "color-muted": "Times, hints, icons",
      "color-line": "Dividing lines",
      "color-control": "Borders of controls",
      "color-own": "The user's messages, the open conversation",
      "color-on-own": "Text on them",
      "color-good": "Approved, done",
      "color-bad": "Denied, failed, deletion",
      "color-on-bad": "Text on that",
      "color-bad-surface": "Background of errors",
      "color-ask": "Icon and hint of a request for approval",
      "color-ask-surface": "Background of a request",
      "color-ask-line": "Border of a request",
      "color-scrim": "What lies behind dialogs",
    },
  },
  {
    title: "Shape",
    begins: ["radius", "space", "shadow"],
    meanings: {
      radius: "Panel, messages, cards, dialogs",
      "radius-control": "Buttons, boxes",
      "radius-small": "Small things",
      space: "Space around messages and the message box",
      shadow: "Panel, dialogs",
      "shadow-small": "Menus, small floating buttons",
    },
  },
  {
    title: "Type",
    begins: ["font", "line-height"],
    meanings: { font: "Text", "font-mono": "Code", "font-size": "Text", "font-size-xs": "Small print", "font-size-s": "Hints, actions", "font-size-l": "Titles", "font-size-xl": "Greeting", "line-height": "Text" },
  },
  {
    title: "Sizes and layers",
    begins: [""],
    meanings: {
      measure: "Widest line of messages",
      "list-width": "List of conversations",
      "launcher-size": "Launcher",
      "panel-width": "Panel of launcher mode",
      "panel-height": "Panel of launcher mode",
      "z-index": "Launcher and panel among the page's layers",
    },
  },
  {
    title: "Colours of code",
    begins: ["code-"],
    meanings: {
      "code-keyword": "Keywords",
      "code-string": "Texts",
      "code-number": "Numbers and fixed values",
      "code-comment": "Comments",
      "code-name": "Functions, attributes and other names",
      "code-type": "Types",
      "code-operator": "Operators",
      "code-meta": "What is about the code",
      "code-inserted": "Differences: new lines",
      "code-deleted": "Differences: lines that went",
    },
  },
];

/**
 * The place of a token in the list above: the group with the longest beginning that fits.
 * @param {string} name
 */
export function groupOf(name) {
  const short = name.replace("--assent-", "");
  const fit = (/** @type {Group} */ { begins }) => Math.max(...begins.map((begin) => (short.startsWith(begin) ? begin.length : -1)));
  const group = GROUPS.reduce((best, group) => (fit(group) > fit(best) ? group : best));
  return { group, meaning: group.meanings[short] ?? "" };
}

// @ts-check
// The attributes of the element, as a person picks them.

/**
 * @typedef {object} Attribute
 * @property {string} name
 * @property {string} hint what it does
 * @property {string[]} [values] a closed set, the default first
 * @property {boolean} [flag] present or absent
 * @property {string[]} [suggestions] texts to choose from
 * @property {string} [unset] what holds without it
 * @property {boolean} [words] a text that is shown: the chat follows every letter
 */

/** @type {{title: string, attributes: Attribute[]}[]} */
export const GROUPS = [
  {
    title: "Layout and look",
    attributes: [
      { name: "mode", values: ["inline", "launcher", "fullscreen"], hint: "A part of the page, a button with a panel, or the whole window." },
      { name: "open", flag: true, hint: "The panel of launcher mode is shown." },
      { name: "theme", values: ["auto", "light", "dark"], hint: "Colours; auto follows the system." },
      { name: "threads", values: ["auto", "side", "hidden"], hint: "The list of conversations." },
    ],
  },
  {
    title: "Behaviour",
    attributes: [
      { name: "activity", values: ["brief", "full", "off"], hint: "What the agent does on its way: one line that opens, all steps, or nothing." },
      { name: "scroll", values: ["answer-top", "bottom", "none"], hint: "What an answer does to the scroll position." },
      { name: "dialect", values: ["declared", "guide"], hint: "How approvals and images are spelled for the service." },
      { name: "thread-id", suggestions: ["new"], unset: "the one used last", hint: "The conversation that is shown." },
    ],
  },
  {
    title: "Words",
    attributes: [
      { name: "locale", suggestions: ["en", "de", "pt-BR", "ar"], unset: "language of the page", hint: "Language of times, numbers and the page's own texts; right-to-left follows it." },
      { name: "heading", words: true, unset: "Assistant", hint: "The heading of the chat." },
      { name: "placeholder", words: true, unset: "Write a message…", hint: "Text of the empty message box." },
      { name: "greeting", words: true, unset: "How can I help?", hint: "Text of an empty conversation." },
    ],
  },
  {
    title: "Who talks to whom",
    attributes: [
      { name: "agent-id", suggestions: ["demo", "travel", "echo"], unset: "required", hint: "The service of this page has demo, travel and echo." },
      { name: "base-url", unset: "the origin of the page", hint: "Where the service is. Another origin has to allow this page." },
      { name: "user-id", unset: "made up once per browser", hint: "Value of the user header." },
      { name: "user-id-header", unset: "X-Service-User-Id", hint: "Name of the user header." },
      { name: "api-key", unset: "none", hint: "For development only. It stays on this page: it is kept neither in the address nor in the browser." },
      { name: "credentials", values: ["same-origin", "include", "omit"], hint: "Whether cookies go with requests." },
      { name: "storage", values: ["local", "session", "none"], hint: "Where the user that was made up, the last conversation and requests for approval are kept." },
    ],
  },
];

/** The one that is never written down. */
export const KEY = "api-key";

/** What the page begins with: a launcher that talks to the service that was started together with this page. */
export const FIRST = new Map([["agent-id", "demo"], [KEY, "dev-key"], ["mode", "launcher"], ["open", ""]]);

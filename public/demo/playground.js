// @ts-check
// The playground: attributes become a snippet and a live chat. What is set is kept in the address,
// the key nowhere.

import { GROUPS } from "./playground/attributes.js";
import { field } from "./playground/field.js";
import { FIRST, KEY } from "./playground/first.js";
import { snippet } from "./playground/snippet.js";
import { readAddress, writeAddress } from "./tool/address.js";
import { copies } from "./tool/copy.js";
import { byId, el } from "./tool/dom.js";
import { Stage } from "./tool/stage.js";

const form = byId("attributes", HTMLFormElement);
const code = byId("snippet", HTMLElement);
const copied = byId("copied", HTMLElement);
const note = byId("note", HTMLElement);
const log = byId("console", HTMLElement);
const nothingSaid = byId("nothing-said", HTMLElement);
const reset = byId("reset", HTMLButtonElement);
const frame = byId("stage", HTMLIFrameElement);

/** The attributes as they are picked, in the order of the form. @returns {Map<string, string>} */
const picked = () => new Map(fields.flatMap(({ name, get }) => {
  const value = get();
  return value === null ? [] : [/** @type {[string, string]} */ ([name, value])];
}));

function follow() {
  const attributes = picked();
  stage.set(attributes);
  code.replaceChildren(...snippet(script(), attributes).map(({ text, kind }) => (kind ? el("span", { class: kind }, text) : text)));
  copied.textContent = "";
  note.textContent = attributes.has(KEY)
    ? "The snippet holds a key that everybody who opens the page can read. For development only: in production a server of yours adds it."
    : "Nothing in it is secret. On a page of another origin it also needs base-url, and a service that allows that origin.";
  const shared = new Map(attributes);
  shared.delete(KEY);
  // Without an agent the address still says that somebody chose so.
  if (!shared.has("agent-id")) shared.set("agent-id", "");
  const isFirst = shared.size === FIRST.size - 1 && [...shared].every(([name, value]) => FIRST.get(name) === value);
  writeAddress(isFirst ? [] : shared);
}

const fields = GROUPS.flatMap(({ title, attributes }, index) => {
  const own = attributes.map((attribute) => field(attribute, follow));
  form.append(el("details", { class: "group", ...(index === 0 && { open: "" }) }, el("summary", {}, title), ...own.map(({ row }) => row)));
  return own;
});

/** @param {ReadonlyMap<string, string>} attributes */
function show(attributes) {
  for (const { name, set } of fields) set(attributes.get(name) ?? null);
  follow();
}

/**
 * What the address says, without a key that somebody wrote there; the first values where it says
 * nothing.
 */
function fromAddress() {
  const said = readAddress();
  said.delete(KEY);
  if (!said.size) return FIRST;
  const attributes = new Map([...said].filter(([name, value]) => value || name === "open"));
  const key = picked().get(KEY) ?? FIRST.get(KEY);
  return key ? attributes.set(KEY, key) : attributes;
}

/** @param {import("./tool/stage.js").Said} said */
function hear({ level, text }) {
  nothingSaid.hidden = true;
  log.append(el("p", { class: level }, el("strong", {}, level === "warn" ? "Warning" : "Error"), " ", text));
  log.scrollTop = log.scrollHeight;
}

/** A launcher is opened and closed on its own page, too. @param {HTMLElement} chat */
function made(chat) {
  const open = fields.find(({ name }) => name === "open");
  for (const type of ["assent:open", "assent:close"]) {
    chat.addEventListener(type, () => {
      open?.set(chat.getAttribute("open"));
      follow();
    });
  }
}

const stage = new Stage(frame, { made, hear });
/** The loader as this page has it; pages of other origins need its whole address. */
const script = () => new URL("../assent.js", import.meta.url).href;

form.addEventListener("submit", (event) => event.preventDefault());
reset.addEventListener("click", () => {
  log.replaceChildren();
  nothingSaid.hidden = false;
  show(FIRST);
  // A new page: the application says each warning once.
  stage.open();
});
for (const width of form.ownerDocument.querySelectorAll('input[name="width"]')) {
  width.addEventListener("change", () => (frame.dataset.width = /** @type {HTMLInputElement} */ (width).value));
}
copies(byId("copy", HTMLButtonElement), code, copied);
addEventListener("hashchange", () => show(fromAddress()));
show(fromAddress());
stage.open();

// @ts-check
// The theming page: tokens become CSS, which the two live chats follow. What is changed is kept in
// the address.

import { contrast, ENOUGH, PAIRS, spelled } from "./theme/contrast.js";
import { field } from "./theme/field.js";
import { GROUPS, groupOf } from "./theme/meanings.js";
import { SAMPLE, sample } from "./theme/sample.js";
import { css, readTokens, split, takes } from "./theme/tokens.js";
import { readAddress, writeAddress } from "./tool/address.js";
import { copies } from "./tool/copy.js";
import { byId, el } from "./tool/dom.js";
import { Stage } from "./tool/stage.js";

const SCHEMES = /** @type {const} */ (["light", "dark"]);

const form = byId("tokens", HTMLFormElement);
const code = byId("css", HTMLElement);
const copy = byId("copy", HTMLButtonElement);
const copied = byId("copied", HTMLElement);
const nothing = byId("nothing", HTMLElement);
const reset = byId("reset", HTMLButtonElement);
const verdict = byId("verdict", HTMLElement);
const warnings = byId("warnings", HTMLElement);
const ratios = byId("ratios", HTMLElement);

const stages = SCHEMES.map((scheme) => ({ scheme, stage: new Stage(byId(scheme, HTMLIFrameElement)) }));
let mode = "inline";
let thread = "";

function place() {
  for (const { scheme, stage } of stages) {
    const attributes = new Map([...SAMPLE, ["theme", scheme], ["mode", mode], ["heading", scheme === "light" ? "Light" : "Dark"]]);
    if (mode === "launcher") attributes.set("open", "");
    if (thread) attributes.set("thread-id", thread);
    stage.set(attributes);
  }
}

for (const choice of document.querySelectorAll('input[name="mode"]')) {
  choice.addEventListener("change", () => {
    mode = /** @type {HTMLInputElement} */ (choice).value;
    byId("light", HTMLIFrameElement).closest(".windows")?.setAttribute("data-mode", mode);
    place();
  });
}

const tokens = await readTokens();
const fields = tokens.map((token) => ({ ...groupOf(token.name), token })).map(({ group, meaning, token }) => ({ group, ...field(token, meaning, follow) }));
// On a narrow page they stand between the chats and what comes out, and the first group is long.
const isWide = matchMedia("(min-width: 901px)").matches;
GROUPS.forEach((group, index) => {
  const rows = fields.filter((field) => field.group === group).map(({ row }) => row);
  form.append(el("details", { class: "group", ...(index === 0 && isWide && { open: "" }) }, el("summary", {}, group.title), ...rows));
});

/** What is not the default. @returns {Map<string, string>} */
const changes = () => new Map(fields.flatMap(({ token, get }) => {
  const value = get();
  return value === null ? [] : [/** @type {[string, string]} */ ([token.name, value])];
}));

function follow() {
  const values = changes();
  const sheet = css(values);
  for (const { stage } of stages) stage.style(sheet);
  code.textContent = sheet;
  code.parentElement?.toggleAttribute("hidden", !sheet);
  nothing.hidden = !!sheet;
  copy.disabled = !sheet;
  copied.textContent = "";
  writeAddress(values);
  judge(values);
}

/** @param {ReadonlyMap<string, string>} values */
function judge(values) {
  /** The colour of a token in a scheme. @param {string} name @param {number} scheme */
  const color = (name, scheme) => {
    const value = values.get(name) ?? tokens.find((token) => token.name === name)?.value ?? "";
    return (split(value) ?? [value, value])[scheme];
  };
  const judged = PAIRS.map(([text, background]) => ({
    text, background,
    found: SCHEMES.map((scheme, index) => ({ scheme, ratio: contrast(color(text, index), color(background, index), color("--assent-color-surface", index)) })),
  }));
  const low = judged.flatMap(({ text, background, found }) =>
    found.flatMap(({ scheme, ratio }) => (ratio !== null && ratio < ENOUGH ? [{ text, background, scheme, ratio }] : [])));
  const isUnknown = judged.some(({ found }) => found.some(({ ratio }) => ratio === null));
  const said = low.length === 0 ? `All pairs that are known reach ${ENOUGH} : 1, in light and in dark.`
    : `${low.length} ${low.length === 1 ? "pair is" : "pairs are"} below ${ENOUGH} : 1 and hard to read.`;
  const sentence = isUnknown ? said : said.replace(" that are known", "");
  // The same sentence again would be announced at every key.
  if (verdict.textContent !== sentence) verdict.textContent = sentence;
  verdict.classList.toggle("bad", low.length > 0);
  warnings.replaceChildren(...low.map(({ text, background, scheme, ratio }) =>
    el("li", {}, el("code", {}, text), " on ", el("code", {}, background), ` in ${scheme}: `, el("strong", {}, `${spelled(ratio)} : 1`))));
  warnings.hidden = low.length === 0;
  ratios.replaceChildren(...judged.map(({ text, background, found }) => el("tr", {},
    el("th", { scope: "row" }, short(text), el("span", {}, ` on ${short(background)}`)),
    ...found.map(({ ratio }) => ratio === null ? el("td", {}, "not known") : el("td", ratio < ENOUGH ? { class: "bad" } : {}, spelled(ratio), ratio < ENOUGH ? " too low" : "")))));
}

/** @param {string} name */
const short = (name) => name.replace(/^--assent-(color-)?/, "");

/** Takes what the address says, as far as there are such tokens with such values. */
function take() {
  const said = readAddress();
  for (const { token, set } of fields) {
    const value = said.get(token.name);
    const isGood = value !== undefined && (split(value) ?? [value]).every((part) => takes(token, part));
    set(isGood ? value : null);
  }
  follow();
}

form.addEventListener("submit", (event) => event.preventDefault());
reset.addEventListener("click", () => {
  for (const { set } of fields) set(null);
  follow();
});
copies(copy, code, copied);
addEventListener("hashchange", take);
take();
place();
for (const { stage } of stages) stage.open();

sample().then((id) => { thread = id; place(); }, () => {
  byId("sample", HTMLElement).textContent = "The service does not answer, so there is no conversation to look at. Colours and sizes follow all the same.";
});

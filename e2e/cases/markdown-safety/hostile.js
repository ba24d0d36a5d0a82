// The hostile inputs that the parser's tests hold, and what must be true of the page that shows them.
// How the files are written is said beside them.

import { readFileSync } from "node:fs";
import { expect, PAGE_ORIGIN } from "../../fixtures.js";

const FOLDER = new URL("../../../crates/markdown/tests/hostile/", import.meta.url);

/** The groups of the corpus. */
export const GROUPS = ["html", "links", "lookalikes", "images", "notes", "math", "characters", "shapes"];

/** The inputs of one group as `{name, text}`; repetitions are cut at `most` characters. */
export function hostile(group, most = Infinity) {
  const file = readFileSync(new URL(`${group}.txt`, FOLDER), "utf8");
  return `\n${file}`.split("\n%% ").slice(1).map((part) => {
    const end = part.indexOf("\n");
    const text = part.slice(end + 1).replace(/\n$/, "");
    const unescaped = text.replace(/\\u\{([0-9a-f]+)\}/gi, (_, number) => String.fromCodePoint(parseInt(number, 16)));
    const times = (unit, count) => Math.min(Number(count), Math.ceil(most / unit.length));
    return { name: `${group}: ${part.slice(0, end)}`, text: unescaped.replace(/«([^»]*)»×(\d+)/gu, (_, unit, count) => unit.repeat(times(unit, count))) };
  });
}

/** Listens for everything that no answer may do, from before the page is opened. */
export async function watch(page) {
  const events = [];
  const context = page.context();
  page.on("dialog", (dialog) => {
    events.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("page", (other) => events.push(`window: ${other.url()}`));
  context.on("request", (request) => events.push(`request: ${request.url()}`));
  await page.addInitScript(() => {
    for (const name of ["alert", "confirm", "prompt", "open"]) window[name] = () => (window.hostileRan = name);
  });
  return events;
}

/** What of the events is neither the widget's own file nor the service's. */
export function deeds(events, service) {
  const own = [`${PAGE_ORIGIN}/dist/`, `${PAGE_ORIGIN}/pages/`, `${PAGE_ORIGIN}/favicon.ico`, `${service}/api/assistants/threads`];
  return events.filter((event) => !own.some((start) => event.startsWith(`request: ${start}`)));
}

/** Elements and attributes inside of answers that have no place there; `sources` are the texts of the messages. */
export function strangers(page, sources) {
  return page.evaluate((sources) => {
    const HTML = new Set(
      "a blockquote br button code del details div dd dl dt em h3 h4 h5 h6 hr input li ol p pre s section span strong summary sub sup table tbody td th thead tr ul".split(" "),
    );
    const SVG = new Set("svg g path rect circle line polyline polygon".split(" "));
    const MATH = new Set(
      "math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd menclose".split(" "),
    );
    const KNOWN = { "http://www.w3.org/1999/xhtml": HTML, "http://www.w3.org/2000/svg": SVG, "http://www.w3.org/1998/Math/MathML": MATH };
    const NEVER = /^(on.*|style|src|srcset|srcdoc|action|formaction|form|ping|download|background|slot|exportparts|contenteditable|autofocus|is|http-equiv|popover|popovertarget)$/;
    const SCHEMES = ["http:", "https:", "mailto:", "tel:"];
    const found = new Set();
    if (window.hostileRan) found.add(`script ran: ${window.hostileRan}`);
    const root = document.querySelector("assent-chat").shadowRoot;
    if (!root.querySelector(".answer")) found.add("no answer to look at");
    for (const element of root.querySelectorAll(".answer *")) {
      const name = element.localName;
      if (!KNOWN[element.namespaceURI]?.has(name)) found.add(`<${name}> of ${element.namespaceURI}`);
      if (name === "input" && element.type !== "checkbox") found.add(`<input type=${element.type}>`);
      if (element.shadowRoot) found.add(`a shadow root in <${name}>`);
      for (const { name: attribute, value } of element.attributes) {
        const shown = `${name}[${attribute}="${value.slice(0, 80)}"]`;
        if (NEVER.test(attribute.toLowerCase())) found.add(shown);
        if (["id", "name"].includes(attribute) && sources.some((source) => source.includes(value))) found.add(shown);
        if (!/href$/i.test(attribute)) continue;
        const inside = name === "a" && value.startsWith("#") && !sources.some((source) => source.includes(value));
        const outside = name === "a" && attribute === "href" && SCHEMES.includes(element.protocol);
        if (!inside && !outside) found.add(shown);
        if (outside && (element.target !== "_blank" || !["noopener", "noreferrer", "nofollow"].every((word) => element.relList.contains(word)))) {
          found.add(`${shown} target="${element.target}" rel="${element.rel}"`);
        }
      }
    }
    return [...found];
  }, sources);
}

/** The chat can still be used. */
export async function expectUsable(chat) {
  await expect(chat.input).toBeInViewport();
  await expect(chat.input).toBeEnabled();
  await chat.input.fill("Still here.");
  await expect(chat.send).toBeEnabled();
  await chat.input.fill("");
}

// The texts of languages as dist/ has them.

import { readdirSync, readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { DIST } from "../../servers/files.js";

/** Letters with accents in the place of plain ones, which have the heights of other languages. */
const ACCENTS = { A: "Å", E: "É", I: "Î", O: "Ö", U: "Û", C: "Ç", N: "Ñ", Y: "Ý", a: "å", e: "é", i: "î", o: "ö", u: "û", c: "ç", n: "ñ", y: "ý" };

const FOLDER = `${DIST}locales/`;

/** The texts of a language by key. */
export function textsOf(tag) {
  const file = readdirSync(FOLDER).find((name) => name === `${tag}.json` || /^-[0-9a-f]{8}\.json$/.test(name.slice(tag.length)) && name.startsWith(tag));
  return JSON.parse(readFileSync(FOLDER + file, "utf8"));
}

/** Requests for files of languages from now on: the module, and the texts by their tags. */
export function watchFetched(page) {
  const fetched = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const [, name] = pathname.match(/\/(?:assent_(languages)|locales\/(?:.+?))-[0-9a-f]{8}\.js(?:on)?$/) ?? [];
    if (name) fetched.push("module");
    else if (pathname.includes("/locales/")) fetched.push(pathname.match(/\/locales\/(.+)-[0-9a-f]{8}\.json$/)[1]);
  });
  return fetched;
}

/** English as a language that is longer by 40 %: with accents, and in brackets, so that an end that is cut is seen. Every word is longer, and none is another. */
export function pseudo() {
  const grow = (text) => {
    let owed = 0;
    const longer = (letters) =>
      [...letters].map((letter) => {
        owed += 0.4;
        const more = /[aeiou]/i.test(letter) && owed >= 1 ? Math.floor(owed) : 0;
        owed -= more;
        return (ACCENTS[letter] ?? letter).repeat(1 + more);
      }).join("");
    return `[${text.split(/(\{\w+\})/).map((part) => (part.startsWith("{") ? part : longer(part))).join("")}]`;
  };
  return Object.fromEntries(Object.entries(textsOf("en")).map(([key, text]) => [key, grow(text)]));
}

/** Has a chat speak a language from now on, or the texts that are given instead of those of the language; returns its texts. */
export async function inLanguage(chat, tag, texts = textsOf(tag)) {
  await chat.page.route(/\/locales\//, (route) => route.fulfill({ json: texts, headers: { "access-control-allow-origin": "*" } }));
  await speak(chat, tag);
  await expect(chat.part("root")).toHaveAttribute("lang", tag);
  await expect(chat.element.locator("textarea[part=input], [part=error], .approvals").first()).toBeAttached();
  await expect.poll(() => chat.element.evaluate((element) => element.shadowRoot.querySelector("#heading")?.textContent)).toContain(texts.heading);
  return texts;
}

export const speak = (chat, locale) => chat.element.evaluate((element, locale) => element.setAttribute("locale", locale), locale);

// The texts of languages as dist/ has them.

import { readdirSync, readFileSync } from "node:fs";
import { DIST } from "../../servers/files.js";

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

export const speak = (chat, locale) => chat.element.evaluate((element, locale) => element.setAttribute("locale", locale), locale);

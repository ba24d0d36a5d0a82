// @ts-check
// The texts that the language of a page has.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose } from "../choose.js";
import { TAGS } from "../tags.js";

/** @param {Record<string, string | undefined>} expected */
const check = (expected) => {
  const chosen = Object.keys(expected).map((locale) => [locale, choose(locale)]);
  assert.deepEqual(Object.fromEntries(chosen), expected);
};

test("every language has its own texts, in whatever case it is written", () => {
  for (const tag of TAGS) {
    check({ [tag]: tag, [tag.toLowerCase()]: tag, [tag.toUpperCase()]: tag });
  }
});

test("a region has the texts of its language", () => {
  check({ "de-AT": "de", "de-CH-1996": "de", "fr-CA": "fr", "es-419": "es", "ar-EG": "ar", "nl-BE": "nl" });
  check({ pt: "pt-BR", "pt-PT": "pt-BR", "pt-AO": "pt-BR" });
});

test("Chinese follows the script that its region writes", () => {
  check({ zh: "zh-Hans", "zh-CN": "zh-Hans", "zh-SG": "zh-Hans", "zh-Hans-HK": "zh-Hans" });
  check({ "zh-TW": "zh-Hant", "zh-HK": "zh-Hant", "zh-MO": "zh-Hant", "zh-Hant-CN": "zh-Hant" });
});

test("the former tag of Hebrew is one, too", () => {
  check({ he: "he", iw: "he", "iw-IL": "he" });
});

test("extensions of a tag change nothing", () => {
  check({ "ar-u-nu-latn": "ar", "de-DE-u-co-phonebk": "de", "fr-x-formal": "fr" });
});

test("a language in another script than that of the texts has none", () => {
  check({ "hi-Latn": undefined, "uk-Latn": undefined, "pl-Cyrl": undefined });
});

test("English and languages without texts have none", () => {
  check({ en: undefined, "en-GB": undefined, sv: undefined, "sr-Latn": undefined, und: undefined });
});

test("what is no tag of a language has none", () => {
  check({ "": undefined, "not a language": undefined, de_AT: undefined, "*": undefined, "../../de": undefined });
});

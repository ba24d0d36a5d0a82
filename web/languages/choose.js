// @ts-check
// Which texts a language has.

import { TAGS } from "./tags.js";

/** Returns the language and script of a tag, as far as the tag says them or Unicode's table of likely
 * ones does: "pt Latn" for `pt-PT`, "zh Hant" for `zh-HK`, "he Hebr" for `iw`.
 * @param {string} tag */
function writing(tag) {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language} ${script}`;
  } catch {
    return "";
  }
}

/** Returns the tag of the texts for a language: those in the same language and script, of whatever
 * region; undefined where there are none.
 * @param {string} locale */
export function choose(locale) {
  const wanted = writing(locale);
  return wanted ? TAGS.find((tag) => writing(tag) === wanted) : undefined;
}

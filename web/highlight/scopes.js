// @ts-check
// The library's scopes, of which there are dozens, in the ten that the page has colours for.

/** @type {Record<string, string>} */
const SCOPES = {
  keyword: "keyword",
  literal: "keyword",
  "variable.language": "keyword",
  "selector-tag": "keyword",
  string: "string",
  regexp: "string",
  "char.escape": "string",
  symbol: "string",
  code: "string",
  formula: "string",
  link: "string",
  number: "number",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  title: "name",
  name: "name",
  section: "name",
  attr: "name",
  attribute: "name",
  property: "name",
  "selector-attr": "name",
  "selector-class": "name",
  "selector-id": "name",
  "selector-pseudo": "name",
  "title.class": "type",
  type: "type",
  built_in: "type",
  class: "type",
  operator: "operator",
  bullet: "operator",
  meta: "meta",
  addition: "inserted",
  deletion: "deleted",
};

/** Plain, whatever they stand in: code inside a string, and another language inside a page. */
const PLAIN = new Set(["subst"]);

/** The page's scope for one of the library, which may have parts: `title.function.invoke` is a `title`.
 * What has no colour of its own takes the one around it.
 * @param {string} name @param {string | null} around @returns {string | null} */
export function scopeOf(name, around) {
  for (let part = name; part; part = part.slice(0, Math.max(part.lastIndexOf("."), 0))) {
    if (PLAIN.has(part)) return null;
    if (Object.hasOwn(SCOPES, part)) return SCOPES[part];
  }
  return around;
}

/** The scopes that tokens have. */
export const scopes = [...new Set(Object.values(SCOPES))];

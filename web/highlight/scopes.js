// @ts-check
// Mapping of the library's scopes, of which there are dozens, to the ten that have a colour.

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

/** Scopes that are plain, whatever is around them: code inside a string, another language inside a
 * page. */
const PLAIN = new Set(["subst"]);

/** Returns our scope for one of the library, which may have parts: `title.function.invoke` is a
 * `title`. One without a colour of its own takes the scope around it.
 * @param {string} name @param {string | null} around @returns {string | null} */
export function scopeOf(name, around) {
  for (let part = name; part; part = part.slice(0, Math.max(part.lastIndexOf("."), 0))) {
    if (PLAIN.has(part)) return null;
    if (Object.hasOwn(SCOPES, part)) return SCOPES[part];
  }
  return around;
}

/** The scopes of tokens. */
export const scopes = [...new Set(Object.values(SCOPES))];

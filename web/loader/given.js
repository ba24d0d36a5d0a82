// @ts-check
// What the page gives the element by its properties: functions, and texts.

/** Properties that take a function of the page, or texts, and what holds without. */
export const OBJECTS = { tokenProvider: null, requestHeaders: null, uploader: null, linkPolicy: null, imagePolicy: null, suggestions: null, strings: null };

/** Returns a copy of a property's value, so that what the page does with its objects later changes nothing; null for what
 * the property does not take. @param {keyof typeof OBJECTS} name @param {any} value */
export function checked(name, value) {
  let kind = "a function", given = typeof value === "function" && value;
  if (name === "suggestions") {
    kind = "an array of strings";
    given = Array.isArray(value) && value.every((text) => typeof text === "string") && Object.freeze([...value]);
  } else if (name === "strings") {
    kind = "an object of texts";
    given = typeof value === "object" && value && { ...value };
  }
  if (value && !given) console.warn(`assent-chat: ${name} is not ${kind}; it counts as null.`);
  return given || null;
}

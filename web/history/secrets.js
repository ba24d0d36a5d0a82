// @ts-check
// Values that must not be stored or copied, and their removal from texts.

import { BETWEEN_FRAMES } from "./recording.js";

/** @import { Recording } from "./recording.js" */

/** Minimum length of a value that is removed from the middle of a word, too: a shorter one is in
 * many words by chance. */
const MIN_PART_LENGTH = 4;

/** Minimum length of keys and tokens. */
const MIN_KEY_LENGTH = 4;

const REMOVED = "[removed]";

/** Returns a value with every text in it changed, names of members too.
 * @param {any} value @param {(text: string) => string} change @returns {any} */
function mapped(value, change) {
  if (typeof value === "string") return change(value);
  // An identifier may come as a number.
  if (typeof value === "number") return change(String(value)) === REMOVED ? REMOVED : value;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== "object" || !value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapped(item, change)]));
}

export class Secrets {
  /** @type {Set<string>} */
  #keys = new Set();
  /** @type {Set<string>} */
  #names = new Set();

  /** Returns true if one of the keys is new.
   * @param {string[]} keys keys and tokens, which are not stored either
   * @param {string[]} names values that identify a user */
  add(keys, names) {
    const before = this.#keys.size;
    for (const key of keys) if (key.length >= MIN_KEY_LENGTH) this.#keys.add(key);
    for (const name of names) if (name) this.#names.add(name);
    return this.#keys.size > before;
  }

  /** Returns a recording without keys and tokens: itself if it has none.
   * @param {Recording} recording @returns {Recording} */
  withoutKeys(recording) {
    if (!this.#keys.size) return recording;
    let { question, frames } = recording;
    frames = frames.map(([at, texts]) => [at, inFrames(texts, this.#keys)]);
    if (question) question = without(question, inOrder(this.#keys));
    const isClean = question === recording.question && frames.every(([, texts], at) => texts === recording.frames[at][1]);
    return isClean ? recording : { ...recording, question, frames };
  }

  /** Returns a value without any of them. @param {any} value */
  removed(value) {
    const all = inOrder([...this.#keys, ...this.#names]);
    return mapped(value, (text) => without(text, all));
  }

  /** Does the same for frames, which stay valid JSON. @param {string} texts */
  removedInFrames(texts) {
    return inFrames(texts, new Set([...this.#keys, ...this.#names]));
  }
}

/** Sorts by length, longest first: one may be a part of another.
 * @param {Iterable<string>} secrets */
const inOrder = (secrets) => [...secrets].sort((one, other) => other.length - one.length);

/** Characters of words. */
const WORD = "[\\p{L}\\p{N}]";

/** Returns what finds a secret in a text. @param {string} secret */
function pattern(secret) {
  if (secret.length >= MIN_PART_LENGTH) return secret;
  const escaped = secret.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<!${WORD})${escaped}(?!${WORD})`, "gu");
}

/** @param {string} text @param {string[]} secrets */
const without = (text, secrets) => secrets.reduce((text, secret) => (text.includes(secret) ? text.replaceAll(pattern(secret), REMOVED) : text), text);

/** @param {string} texts @param {Set<string>} secrets */
function inFrames(texts, secrets) {
  const all = inOrder(secrets);
  // JSON may spell a secret with escapes.
  const isSuspect = (/** @type {string} */ text) => text.includes("\\") || all.some((secret) => text.includes(secret));
  const clean = (/** @type {string} */ text) => (isSuspect(text) ? cleaned(text, all) : text);
  return texts.split(BETWEEN_FRAMES).map(clean).join(BETWEEN_FRAMES);
}

/** @param {string} text @param {string[]} secrets */
function cleaned(text, secrets) {
  try {
    const value = JSON.parse(text);
    let found = false;
    const clean = mapped(value, (text) => {
      const clean = without(text, secrets);
      found ||= clean !== text;
      return clean;
    });
    // Unchanged if nothing was found: serializing it anew may spell numbers differently.
    return found ? JSON.stringify(clean) : text;
  } catch {
    return without(text, secrets);
  }
}

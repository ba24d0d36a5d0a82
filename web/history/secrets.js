// @ts-check
// Values that must not be stored or copied, and their removal from texts.

import { BETWEEN_FRAMES } from "./recording.js";

/** @import { Recording } from "./recording.js" */

/** Minimum length: a shorter value is in many texts by chance. */
const SHORTEST = 4;

const REMOVED = "[removed]";

/** Returns a value with every text in it changed, names of members too.
 * @param {any} value @param {(text: string) => string} change @returns {any} */
function mapped(value, change) {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== "object" || !value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapped(item, change)]));
}

export class Secrets {
  /** @type {Set<string>} */
  #keys = new Set();
  /** @type {Set<string>} */
  #names = new Set();

  /** @param {string[]} keys keys and tokens, which are not stored either
   * @param {string[]} names values that identify a user */
  add(keys, names) {
    for (const key of keys) if (key.length >= SHORTEST) this.#keys.add(key);
    for (const name of names) if (name.length >= SHORTEST) this.#names.add(name);
  }

  /** Returns a recording without keys and tokens.
   * @param {Recording} recording @returns {Recording} */
  withoutKeys(recording) {
    if (!this.#keys.size) return recording;
    return { ...recording, frames: recording.frames.map(([at, texts]) => [at, inFrames(texts, this.#keys)]) };
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

/** @param {string} text @param {string[]} secrets */
const without = (text, secrets) => secrets.reduce((text, secret) => text.replaceAll(secret, REMOVED), text);

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

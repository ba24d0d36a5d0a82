// @ts-check
// A store of recordings in the memory of the page.

/** @import { Recording } from "./recording.js" */

export class Memory {
  /** @type {Map<string, Recording>} */
  #all = new Map();

  /** @param {Recording} recording */
  async put(recording) {
    this.#all.set(recording.key, recording);
  }

  /** @param {string} prefix @returns {Promise<unknown[]>} */
  async under(prefix) {
    return [...this.#all.values()].filter(({ key }) => key.startsWith(prefix));
  }

  /** @param {string} scope */
  async ages(scope) {
    return [...this.#all.values()].filter((it) => it.scope === scope);
  }

  /** @param {number} time */
  async before(time) {
    return [...this.#all.values()].filter(({ began }) => began < time).map(({ key }) => key);
  }

  /** @param {string[]} keys */
  async remove(keys) {
    for (const key of keys) this.#all.delete(key);
  }

  /** @param {string} prefix */
  async clear(prefix) {
    for (const key of this.#all.keys()) if (key.startsWith(prefix)) this.#all.delete(key);
  }

  close() {}
}

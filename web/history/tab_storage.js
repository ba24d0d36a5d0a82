// @ts-check
// A store of recordings in the session storage, each a JSON text under its key.

import { FORMAT, isRecording } from "./recording.js";

/** @import { Recording } from "./recording.js" */

const ACTIVITY = ":activity:";

export class TabStorage {
  /** @param {Recording} recording */
  async put(recording) {
    sessionStorage.setItem(recording.key, JSON.stringify(recording));
  }

  /** @param {string} prefix @returns {Promise<unknown[]>} */
  async under(prefix) {
    return this.#keys(prefix).map((key) => this.#get(key) ?? { key });
  }

  /** @param {string} scope */
  async ages(scope) {
    return this.#keys(scope).map((key) => ({ began: 0, length: 0, ...this.#get(key), key }));
  }

  /** @param {number} time */
  async before(time) {
    return this.#keys("assent:").filter((key) => (this.#get(key)?.began ?? time) < time);
  }

  /** @param {string[]} keys */
  async remove(keys) {
    for (const key of keys) sessionStorage.removeItem(key);
  }

  /** @param {string} prefix */
  async clear(prefix) {
    await this.remove(this.#keys(prefix));
  }

  close() {}

  /** @param {string} prefix */
  #keys(prefix) {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(prefix) && key.includes(ACTIVITY));
  }

  /** @param {string} key @returns {any} */
  #get(key) {
    try {
      const value = JSON.parse(sessionStorage.getItem(key) ?? "");
      return isRecording(value) || value?.format > FORMAT ? value : null;
    } catch {
      return null;
    }
  }
}

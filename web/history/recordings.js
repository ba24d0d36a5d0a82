// @ts-check
// The recordings of one service, agent and user: where they are stored, how many, and for how
// long. Nothing here throws: where the browser stores nothing, or no more, they are in memory.

import { Database } from "./database.js";
import { Memory } from "./memory.js";
import { FORMAT, isRecording, prefixOf } from "./recording.js";
import { TabStorage } from "./tab_storage.js";

/** @import { StorageKind } from "./messages.js" */
/** @import { Recording } from "./recording.js" */

/** Maximum number of recordings, and of characters of frames in all of them; the oldest are
 * deleted first. */
const LIMITS = {
  local: { count: 200, length: 16_000_000 },
  session: { count: 40, length: 1_000_000 },
  none: { count: 40, length: 4_000_000 },
};

/** Lifetime of a recording in milliseconds: 30 days. */
const LIFETIME = 30 * 24 * 60 * 60 * 1000;

/** A store of recordings. Any of its methods may fail.
 * @typedef {{put(recording: Recording): Promise<void>, under(prefix: string): Promise<unknown[]>,
 *   ages(scope: string): Promise<{key: string, began: number, length: number}[]>,
 *   before(time: number): Promise<string[]>, remove(keys: string[]): Promise<void>,
 *   clear(prefix: string): Promise<void>, close(): void}} Store */

export class Recordings {
  #scope;
  #limits;
  /** @type {Store} */
  #store;
  /** Recordings that the store did not take. */
  #memory = new Memory();
  #isSwept = false;
  /** The key of the recording that was stored last. */
  #newest = "";
  /** The end of the queue: operations run one after the other. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {string} scope @param {StorageKind} kind */
  constructor(scope, kind) {
    this.#scope = scope;
    this.#limits = LIMITS[kind];
    this.#store = kind === "local" ? new Database() : kind === "session" ? new TabStorage() : this.#memory;
  }

  /** Stores a recording, in place of the one with its key. @param {Recording} recording */
  put(recording) {
    return this.#enqueue(async () => {
      await this.#sweep();
      await this.#keep(recording);
      if (this.#newest === recording.key) return;
      this.#newest = recording.key;
      await this.#enforceLimits(this.#store);
      await this.#enforceLimits(this.#memory);
    });
  }

  /** Opens the store ahead of a recording: it must be open when the page is left. */
  prepare() {
    void this.#enqueue(() => this.#sweep());
  }

  /** Stores a recording before the page is left, if that can be done at once.
   * @param {Recording} recording */
  putAtOnce(recording) {
    this.#store.put(recording).catch(() => {});
  }

  /** Returns the recordings of a thread, or all, oldest first. Unreadable ones are deleted.
   * @param {string} [thread] @returns {Promise<Recording[]>} */
  list(thread) {
    return this.#enqueue(async () => {
      await this.#sweep();
      return this.#read(thread === undefined ? this.#scope : prefixOf(this.#scope, thread));
    });
  }

  /** Stores those anew of which `change` returns another one.
   * @param {(recording: Recording) => Recording} change */
  change(change) {
    return this.#enqueue(async () => {
      for (const recording of await this.#read(this.#scope)) {
        const changed = change(recording);
        if (changed !== recording) await this.#keep(changed);
      }
    });
  }

  /** Deletes all of them, whatever their format; or those whose keys begin with another prefix. */
  clear(prefix = this.#scope) {
    return this.#enqueue(async () => {
      for (const store of new Set([this.#memory, this.#store])) {
        try {
          await store.clear(prefix);
        } catch {
          // Nothing is left to do where even deleting is forbidden.
        }
      }
    });
  }

  /** Closes the store after what is under way. */
  close() {
    return this.#enqueue(async () => this.#store.close());
  }

  /** @template T @param {() => Promise<T>} operation @returns {Promise<T>} */
  #enqueue(operation) {
    const done = this.#last.then(operation);
    this.#last = done;
    return done;
  }

  /** @param {Recording} recording */
  async #keep(recording) {
    try {
      await this.#store.put(recording);
      if (this.#store !== this.#memory) await this.#memory.remove([recording.key]);
    } catch {
      await this.#memory.put(recording);
    }
  }

  /** @param {string} prefix @returns {Promise<Recording[]>} */
  async #read(prefix) {
    const found = await this.#memory.under(prefix);
    if (this.#store !== this.#memory) {
      try {
        const stored = await this.#store.under(prefix);
        const isBroken = (/** @type {any} */ it) => !isRecording(it) && !(it?.format > FORMAT);
        const broken = stored.filter(isBroken).map((/** @type {any} */ it) => it?.key);
        found.push(...stored);
        await this.#store.remove(broken.filter((key) => typeof key === "string"));
      } catch {
        // There are those in memory.
      }
    }
    return found.filter(isRecording).sort((one, other) => one.began - other.began);
  }

  /** Deletes the oldest ones beyond the limits. @param {Store} store */
  async #enforceLimits(store) {
    try {
      const ages = (await store.ages(this.#scope)).sort((one, other) => other.began - one.began);
      let room = this.#limits.length;
      const first = ages.findIndex(({ length }, at) => at >= this.#limits.count || (room -= length) < 0);
      // The newest one stays, however long it is.
      if (first >= 0) await store.remove(ages.slice(Math.max(first, 1)).map(({ key }) => key));
    } catch {
      // It is tried again with the next one.
    }
  }

  /** Deletes expired ones of any service, agent and user: they may never come back to do it. */
  async #sweep() {
    if (this.#isSwept) return;
    this.#isSwept = true;
    try {
      await this.#store.remove(await this.#store.before(Date.now() - LIFETIME));
    } catch {
      // An expired recording does no harm.
    }
  }
}

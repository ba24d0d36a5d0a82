// @ts-check
// The recordings of one service, agent and user: where they are, how many, and for how long. Nothing here throws: where the
// browser keeps nothing, or no more, the page remembers them.

import { Database } from "./database.js";
import { Memory } from "./memory.js";
import { FORMAT, isRecording, prefixOf } from "./recording.js";
import { Tab } from "./tab.js";

/** @import { Recording } from "./recording.js" */

/** So many are kept, and so many characters of frames in all of them; the oldest go first. */
const MOST = { local: { count: 200, length: 16_000_000 }, session: { count: 40, length: 1_000_000 }, none: { count: 40, length: 4_000_000 } };

/** After this time nobody looks at how an answer came about, in milliseconds: 30 days. */
const LIFETIME = 30 * 24 * 60 * 60 * 1000;

/** A place for recordings. Any of these may fail.
 * @typedef {{put(recording: Recording): Promise<void>, under(prefix: string): Promise<unknown[]>,
 *   ages(scope: string): Promise<{key: string, began: number, length: number}[]>, before(time: number): Promise<string[]>,
 *   remove(keys: string[]): Promise<void>, clear(prefix: string): Promise<void>, close(): void}} Place */

export class Records {
  #scope;
  #most;
  /** @type {Place} */
  #place;
  /** What the place would not take. */
  #memory = new Memory();
  #swept = false;
  /** The last one that was put. */
  #newest = "";
  /** One thing after the other. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {string} scope @param {"local" | "session" | "none"} kind */
  constructor(scope, kind) {
    this.#scope = scope;
    this.#most = MOST[kind];
    this.#place = kind === "local" ? new Database() : kind === "session" ? new Tab() : this.#memory;
  }

  /** Keeps a recording, in place of what is there under its name. @param {Recording} recording */
  put(recording) {
    return this.#after(async () => {
      await this.#sweep();
      try {
        await this.#place.put(recording);
        if (this.#place !== this.#memory) await this.#memory.remove([recording.key]);
      } catch {
        await this.#memory.put(recording);
      }
      if (this.#newest === recording.key) return;
      this.#newest = recording.key;
      await this.#bound(this.#place);
      await this.#bound(this.#memory);
    });
  }

  /** Something is about to be kept: the place is to be there when the page goes. */
  prepare() {
    void this.#after(() => this.#sweep());
  }

  /** Keeps a recording before the page goes, if that can be done at once. @param {Recording} recording */
  hurry(recording) {
    this.#place.put(recording).catch(() => {});
  }

  /** The recordings of a thread, or all, oldest first. What cannot be read is removed. @param {string} [thread] @returns {Promise<Recording[]>} */
  of(thread) {
    return this.#after(async () => {
      await this.#sweep();
      const prefix = thread === undefined ? this.#scope : prefixOf(this.#scope, thread);
      const found = await this.#memory.under(prefix);
      if (this.#place !== this.#memory) {
        try {
          const kept = await this.#place.under(prefix);
          const broken = kept.filter((/** @type {any} */ it) => !isRecording(it) && !(it?.format > FORMAT));
          found.push(...kept);
          await this.#place.remove(broken.map((/** @type {any} */ it) => it?.key).filter((key) => typeof key === "string"));
        } catch {
          // What the page remembers is what there is.
        }
      }
      return found.filter(isRecording).sort((one, other) => one.began - other.began);
    });
  }

  /** Removes all of them, whatever their shape. */
  clear() {
    return this.#after(async () => {
      for (const place of new Set([this.#memory, this.#place])) {
        try {
          await place.clear(this.#scope);
        } catch {
          // Nothing is left to do where even forgetting is forbidden.
        }
      }
    });
  }

  /** Ends it, after what is under way. */
  close() {
    return this.#after(async () => this.#place.close());
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #after(work) {
    const done = this.#last.then(work);
    this.#last = done;
    return done;
  }

  /** The oldest make room. @param {Place} place */
  async #bound(place) {
    try {
      const ages = (await place.ages(this.#scope)).sort((one, other) => other.began - one.began);
      let room = this.#most.length;
      const stays = ages.findIndex(({ length }, at) => at >= this.#most.count || (room -= length) < 0);
      // The newest one stays, however long it is.
      if (stays >= 0) await place.remove(ages.slice(Math.max(stays, 1)).map(({ key }) => key));
    } catch {
      // It is tried again with the next one.
    }
  }

  /** Removes what is expired, of any service, agent and user: they may never come back to do it. */
  async #sweep() {
    if (this.#swept) return;
    this.#swept = true;
    try {
      await this.#place.remove(await this.#place.before(Date.now() - LIFETIME));
    } catch {
      // It is out of date then, and no more than that.
    }
  }
}

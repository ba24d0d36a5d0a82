// @ts-check
// Recordings in a database of the browser. It is opened when it is first needed, and another tab that brings a later version is
// not in its way.

import { openDB } from "idb";

/** @import { IDBPDatabase, IDBPTransaction } from "idb" */
/** @import { Recording } from "./recording.js" */

export const NAME = "assent";
const RECORDINGS = "recordings";

/** What makes each version of the one before; the first one makes version 1.
 * @type {((database: IDBPDatabase) => void)[]} */
const UPGRADES = [
  (database) => {
    const recordings = database.createObjectStore(RECORDINGS, { keyPath: "key" });
    // Ages and lengths are read from it without the recordings themselves.
    recordings.createIndex("age", ["scope", "began", "length"]);
    recordings.createIndex("began", "began");
  },
];

/** A browser that has not opened a database after this time will not, in milliseconds. */
const OPEN_TIMEOUT = 5000;

/** Texts sort behind everything that begins with them. */
const LAST = "\uffff";

export class Database {
  /** @type {Promise<IDBPDatabase> | null} */
  #opening = null;
  #closed = false;

  /** @param {Recording} recording */
  async put(recording) {
    const writing = (await this.#open()).transaction(RECORDINGS, "readwrite", { durability: "relaxed" });
    const put = writing.store.put(recording);
    // At once: a page that goes takes what is not committed with it.
    writing.commit();
    await Promise.all([put, writing.done]);
  }

  /** @param {string} prefix @returns {Promise<unknown[]>} */
  async under(prefix) {
    return (await this.#open()).getAll(RECORDINGS, IDBKeyRange.bound(prefix, prefix + LAST));
  }

  /** @param {string} scope */
  async ages(scope) {
    const index = (await this.#open()).transaction(RECORDINGS).store.index("age");
    const ages = [];
    for (let at = await index.openKeyCursor(IDBKeyRange.bound([scope], [scope, []])); at; at = await at.continue()) {
      const [, began, length] = /** @type {[string, number, number]} */ (at.key);
      ages.push({ key: String(at.primaryKey), began, length });
    }
    return ages;
  }

  /** @param {number} time */
  async before(time) {
    return /** @type {Promise<string[]>} */ ((await this.#open()).getAllKeysFromIndex(RECORDINGS, "began", IDBKeyRange.upperBound(time, true)));
  }

  /** @param {string[]} keys */
  async remove(keys) {
    if (!keys.length) return;
    const change = (await this.#open()).transaction(RECORDINGS, "readwrite");
    await Promise.all([...keys.map((key) => change.store.delete(key)), change.done]);
  }

  /** @param {string} prefix */
  async clear(prefix) {
    await (await this.#open()).delete(RECORDINGS, IDBKeyRange.bound(prefix, prefix + LAST));
  }

  close() {
    this.#closed = true;
    this.#leave();
  }

  /** After this it is opened again when it is needed. */
  #leave = () => {
    this.#opening?.then((database) => database.close(), () => {});
    this.#opening = null;
  };

  /** One that cannot be opened, because it is of a later version for example, is not tried again. @returns {Promise<IDBPDatabase>} */
  #open() {
    if (this.#closed && !this.#opening) return Promise.reject(new Error("closed"));
    return (this.#opening ??= new Promise((resolve, reject) => {
      const giveUp = (/** @type {unknown} */ why) => {
        reject(why);
        // Should it come after all, nobody wants it any more.
        opened.then((database) => database.close(), () => {});
      };
      const late = setTimeout(giveUp, OPEN_TIMEOUT, new Error("late"));
      // Merely asking for it throws in some pages.
      const opened = (async () => openDB(NAME, UPGRADES.length, {
        upgrade: (database, from) => UPGRADES.slice(from).forEach((upgrade) => upgrade(database)),
        blocked: () => giveUp(new Error("blocked")),
        blocking: this.#leave,
        terminated: this.#leave,
      }))();
      opened.then(resolve, reject).finally(() => clearTimeout(late));
    }));
  }
}

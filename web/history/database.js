// @ts-check
// A store of recordings in IndexedDB. The database is opened on first use, and closed when another
// tab needs to upgrade it.

import { deleteDB, openDB } from "idb";

/** @import { IDBPDatabase, IDBPTransaction } from "idb" */
/** @import { Recording } from "./recording.js" */

export const NAME = "assent";
const RECORDINGS = "recordings";

/** Upgrades to each version from the one before; the first one creates version 1.
 * @type {((database: IDBPDatabase) => void)[]} */
const UPGRADES = [
  (database) => {
    const recordings = database.createObjectStore(RECORDINGS, { keyPath: "key" });
    // With it, ages and lengths are read without the recordings themselves.
    recordings.createIndex("age", ["scope", "began", "length"]);
    recordings.createIndex("began", "began");
  },
];

/** Timeout in milliseconds: a browser that has not opened, or deleted, a database by then never
 * does. */
const OPEN_TIMEOUT = 5000;

/** Sorts after every character, so that `prefix + LAST` is the end of a range of keys. */
const LAST = "\uffff";

export class Database {
  /** @type {Promise<IDBPDatabase> | null} */
  #opening = null;
  #isClosed = false;

  /** @param {Recording} recording */
  async put(recording) {
    const writing = (await this.#open()).transaction(RECORDINGS, "readwrite", { durability: "relaxed" });
    const put = writing.store.put(recording);
    // At once: an uncommitted transaction is aborted when the page is left.
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

  /** Deletes the whole database. One that is held open by a page that does not listen is empty at
   * least, and goes with that page. */
  async destroy() {
    const cleared = await this.clear("").then(() => null, (error) => error);
    this.close();
    // A page that may not have a database has none.
    if (!globalThis.indexedDB || cleared?.name === "SecurityError") return;
    await new Promise((resolve, reject) => {
      const giveUp = () => (cleared ? reject(cleared) : resolve(null));
      const timer = setTimeout(giveUp, OPEN_TIMEOUT);
      deleteDB(NAME, { blocked: giveUp }).then(resolve, giveUp).finally(() => clearTimeout(timer));
    });
  }

  close() {
    this.#isClosed = true;
    this.#disconnect();
  }

  /** Closes the connection. The next use opens another. */
  #disconnect = () => {
    this.#opening?.then((database) => database.close(), () => {});
    this.#opening = null;
  };

  /** Opens the database once. One that cannot be opened, for example because it has a later
   * version, is not tried again. @returns {Promise<IDBPDatabase>} */
  #open() {
    if (this.#isClosed && !this.#opening) return Promise.reject(new Error("closed"));
    return (this.#opening ??= new Promise((resolve, reject) => {
      const giveUp = (/** @type {unknown} */ why) => {
        reject(why);
        // It may still be opened later; then it is closed.
        opened.then((database) => database.close(), () => {});
      };
      const timer = setTimeout(giveUp, OPEN_TIMEOUT, new Error("timeout"));
      // In some pages even the access to `indexedDB` throws.
      const opened = (async () => openDB(NAME, UPGRADES.length, {
        upgrade: (database, from) => UPGRADES.slice(from).forEach((upgrade) => upgrade(database)),
        blocked: () => giveUp(new Error("blocked")),
        blocking: this.#disconnect,
        terminated: this.#disconnect,
      }))();
      opened.then(resolve, reject).finally(() => clearTimeout(timer));
    }));
  }
}

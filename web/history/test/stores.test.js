// @ts-check
// Where recordings are kept, how many, and what happens where that goes wrong.

import assert from "node:assert/strict";
import "fake-indexeddb/auto";
import { beforeEach, test } from "node:test";
import { IDBFactory } from "fake-indexeddb";
import { openDB } from "idb";
import { Recordings } from "../recordings.js";
import { FORMAT, keyOf } from "../recording.js";

const SCOPE = "assent:s|a|u:";
const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

/** @param {{thread?: string, began?: number, length?: number, scope?: string}} [it] */
function recording({ thread = "t1", began = Date.now(), length = 10, scope = SCOPE } = {}) {
  const key = keyOf(scope, thread, began);
  return { key, format: FORMAT, scope, thread, question: "hi", began, ended: began, how: "closed", frames: /** @type {[number, string][]} */ ([[began, "{}"]]), length };
}

/** The database as somebody else sees it. */
async function database() {
  return openDB("assent");
}

test("the database has version 1 and is closed with its owner", async () => {
  const recordings = new Recordings(SCOPE, "local");
  await recordings.put(recording());
  await recordings.close();
  const db = await database();
  assert.equal(db.version, 1);
  assert.equal(await db.count("recordings"), 1);
  db.close();
  // It would wait for ever for a connection that is left open.
  await new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase("assent");
    deleting.onsuccess = resolve;
    deleting.onblocked = reject;
  });
});

test("the oldest recordings of the same user are removed when there are too many or they are too long", async () => {
  const recordings = new Recordings(SCOPE, "local");
  const now = Date.now();
  await recordings.put(recording({ scope: "assent:s|a|other:", began: now - 999_999 }));
  await recordings.put(recording({ began: now - 3, length: 9_000_000 }));
  await recordings.put(recording({ began: now - 2, length: 8_000_000 }));
  await recordings.put(recording({ began: now - 1, length: 7_000_000 }));
  assert.deepEqual((await recordings.list()).map(({ length }) => length), [8_000_000, 7_000_000]);
  const db = await database();
  const many = db.transaction("recordings", "readwrite");
  for (let at = 0; at < 201; at += 1) void many.store.put(recording({ began: now + at }));
  await many.done;
  db.close();
  await recordings.put(recording({ began: now + 201 }));
  const kept = await recordings.list();
  assert.equal(kept.length, 200);
  assert.equal(kept.at(0)?.began, now + 2);
  const other = new Recordings("assent:s|a|other:", "local");
  assert.equal((await other.list()).length, 1);
  await Promise.all([recordings.close(), other.close()]);
});

test("a recording longer than the limit replaces all others", async () => {
  const recordings = new Recordings(SCOPE, "local");
  await recordings.put(recording({ began: Date.now() - 5 }));
  await recordings.put(recording({ length: 99_000_000 }));
  assert.deepEqual((await recordings.list()).map(({ length }) => length), [99_000_000]);
  await recordings.close();
});

test("expired recordings of all users are removed", async () => {
  const recordings = new Recordings(SCOPE, "local");
  await recordings.put(recording({ began: Date.now() - 31 * DAY, thread: "old" }));
  await recordings.put(recording({ began: Date.now() - 29 * DAY }));
  await recordings.close();
  const other = new Recordings("assent:s|a|other:", "local");
  await other.list();
  await other.close();
  const db = await database();
  assert.deepEqual((await db.getAll("recordings")).map(({ thread }) => thread), ["t1"]);
  db.close();
});

test("unreadable recordings are removed, and those of a later format stay", async () => {
  const recordings = new Recordings(SCOPE, "local");
  await recordings.put(recording({ thread: "good" }));
  const db = await database();
  await db.put("recordings", { ...recording({ thread: "bad" }), frames: [["no time", 1]] });
  await db.put("recordings", { ...recording({ thread: "later" }), format: FORMAT + 1, frames: "otherwise" });
  assert.deepEqual((await recordings.list()).map(({ thread }) => thread), ["good"]);
  assert.deepEqual((await db.getAll("recordings")).map(({ thread }) => thread).sort(), ["good", "later"]);
  await recordings.clear();
  assert.equal(await db.count("recordings"), 0);
  db.close();
  await recordings.close();
});

test("a database of a later version is not touched, and recordings stay in memory", async () => {
  (await openDB("assent", 7)).close();
  const recordings = new Recordings(SCOPE, "local");
  await recordings.put(recording());
  assert.equal((await recordings.list("t1")).length, 1);
  await recordings.clear();
  assert.equal((await recordings.list("t1")).length, 0);
  await recordings.close();
  const db = await database();
  assert.equal(db.version, 7);
  db.close();
});

test("without a database recordings stay in memory", async () => {
  Object.defineProperty(globalThis, "indexedDB", { configurable: true, writable: true, value: undefined });
  const recordings = new Recordings(SCOPE, "local");
  await recordings.put(recording());
  assert.equal((await recordings.list("t1")).length, 1);
  await recordings.close();
});

test("an upgrade to a later version of the database is not blocked", async () => {
  const recordings = new Recordings(SCOPE, "local");
  await recordings.put(recording());
  (await openDB("assent", 2)).close();
  await recordings.put(recording());
  assert.equal((await recordings.list("t1")).length, 1);
  await recordings.close();
});

/** A storage of a tab that takes so many characters. @param {number} most */
function tabStorage(most) {
  const values = /** @type {Record<string, string>} */ ({});
  const methods = {
    getItem: (/** @type {string} */ key) => values[key] ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => {
      if (Object.values(values).join("").length + value.length > most) throw new Error("quota");
      values[key] = value;
    },
    removeItem: (/** @type {string} */ key) => void delete values[key],
  };
  return Object.setPrototypeOf(values, methods);
}

test("session storage takes the recordings that fit, and the others stay in memory", async () => {
  globalThis.sessionStorage = tabStorage(400);
  const recordings = new Recordings(SCOPE, "session");
  const now = Date.now();
  await recordings.put(recording({ began: now - 1 }));
  await recordings.put(recording({ began: now }));
  await recordings.put(recording({ began: now + 1 }));
  assert.equal((await recordings.list("t1")).length, 3);
  const later = new Recordings(SCOPE, "session");
  assert.equal((await later.list("t1")).length, 1);
  sessionStorage.setItem(`${SCOPE}activity:t1|0`, "{");
  assert.equal((await later.list("t1")).length, 1);
  await later.clear();
  assert.deepEqual(Object.keys(sessionStorage), []);
});

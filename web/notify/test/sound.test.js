// @ts-check
// When the sound is played.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Chat, Locks, Page, settled } from "./support/page.js";

/** @param {Locks | null} [locks] */
async function opened(locks, notify = "sound") {
  const page = await Page.open(locks);
  page.hasGesture = true;
  return { page, chat: new Chat(page, notify) };
}

test("a new decision is heard, and what was there at the load is not", async () => {
  const { page, chat } = await opened();
  chat.tells({ t1: 1 });
  await settled();
  assert.equal(page.sounds, 0);
  chat.asks({ t1: 1, t2: 1 });
  await settled();
  assert.equal(page.sounds, 1);
});

test("there is no second sound within a few seconds", async () => {
  const { page, chat } = await opened();
  chat.asks({ t1: 1 });
  await settled();
  page.now += 4_900;
  chat.asks({ t1: 2 });
  await settled();
  assert.equal(page.sounds, 1);
  page.now += 5_000;
  chat.asks({ t1: 3 });
  await settled();
  assert.equal(page.sounds, 2);
});

test("a decision that is made, and a change of the attribute, are not heard", async () => {
  const { page, chat } = await opened(undefined, "title");
  chat.asks({ t1: 2 });
  chat.set("sound");
  chat.asks({ t1: 1 });
  chat.tells({ t1: 1, t2: 5 });
  await settled();
  assert.equal(page.sounds, 0);
});

test("nothing is played before the first gesture, nor later because of that", async () => {
  const { page, chat } = await opened();
  page.hasGesture = false;
  chat.asks({ t1: 1 });
  await settled();
  page.hasGesture = true;
  chat.tells({ t1: 1 });
  await settled();
  assert.equal(page.sounds, 0);
  chat.asks({ t1: 2 });
  await settled();
  assert.equal(page.sounds, 1);
});

test("one of several tabs plays", async () => {
  const locks = new Locks();
  const tabs = [await opened(locks), await opened(locks)];
  for (const { chat } of tabs) {
    chat.asks({ t1: 1 });
    await settled();
  }
  assert.deepEqual(tabs.map(({ page }) => page.sounds), [1, 0]);
  // A page that is left gives the lock back, or it could not come back.
  tabs[0].page.happens("pagehide");
  await settled();
  assert.deepEqual(locks.held, []);
});

test("a tab that may not play leaves it to another one", async () => {
  const locks = new Locks();
  const [silent, other] = [await opened(locks), await opened(locks)];
  silent.page.hasGesture = false;
  for (const { chat } of [silent, other]) {
    chat.asks({ t1: 1 });
    await settled();
  }
  assert.deepEqual([silent.page.sounds, other.page.sounds], [0, 1]);
});

test("a page without locks plays by itself", async () => {
  const { page, chat } = await opened(null);
  chat.asks({ t1: 1 });
  await settled();
  assert.equal(page.sounds, 1);
});

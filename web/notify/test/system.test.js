// @ts-check
// Notifications of the system.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Chat, Locks, Page, settled } from "./support/page.js";

/** The line of the menu that asks for the permission. */
const LINE = ".menu-item.tell-me";

/** A hidden page that may notify. @param {Locks} [locks] */
async function hidden(locks) {
  const page = await Page.open(locks);
  page.permission = "granted";
  const chat = new Chat(page, "system");
  chat.tells({});
  page.hide();
  return { page, chat };
}

test("one for each thread, with the agent's name and the number alone", async () => {
  const { page, chat } = await hidden();
  chat.asks({ t1: 1 });
  await settled();
  chat.asks({ t1: 2, t2: 1 });
  await settled();
  const told = page.notifications.map(({ title, body, tag }) => [title, body, tag.endsWith(":t1")]);
  assert.deepEqual(told, [["Anna", "1 wait", true], ["Anna", "2 wait", true], ["Anna", "1 wait", false]]);
  assert.equal(page.notifications[0].tag, page.notifications[1].tag);
});

test("it closes as soon as the decision is made, and when the chat goes", async () => {
  const { page, chat } = await hidden();
  chat.asks({ t1: 1 });
  await settled();
  chat.asks({ t1: 1, t2: 1 });
  await settled();
  assert.equal(page.open.length, 2);
  chat.tells({ t2: 1 });
  assert.deepEqual(page.open.map(({ tag }) => tag.endsWith(":t2")), [true]);
  chat.isConnected = false;
  chat.tells({});
  page.happens("blur");
  assert.deepEqual(page.open, []);
});

test("a page that is left takes its notifications along", async () => {
  const { page, chat } = await hidden();
  chat.asks({ t1: 1 });
  await settled();
  page.happens("pagehide");
  assert.deepEqual(page.open, []);
});

test("a decision that was made at once is not told", async () => {
  const { page, chat } = await hidden();
  chat.asks({ t1: 1 });
  chat.tells({});
  await settled();
  assert.deepEqual(page.notifications, []);
});

test("nobody is told who looks, here or in another tab", async () => {
  const locks = new Locks();
  const { page, chat } = await hidden(locks);
  page.hide(false);
  chat.asks({ t1: 1 });
  await settled();
  page.hide();
  const other = await Page.open(locks);
  new Chat(other, "system").tells({});
  chat.asks({ t1: 2 });
  await settled();
  assert.deepEqual(page.notifications, []);
  // Somebody who looks at another person's chat does not see this one.
  other.hide();
  const stranger = await Page.open(locks);
  const theirs = new Chat(stranger, "system");
  theirs.attributes["user-id"] = "somebody";
  theirs.tells({});
  chat.asks({ t1: 3 });
  await settled();
  assert.equal(page.notifications.length, 1);
});

test("a visible window without the focus counts as one that nobody looks at", async () => {
  const { page, chat } = await hidden();
  page.isHidden = false;
  page.happens("visibilitychange");
  chat.asks({ t1: 1 });
  await settled();
  assert.equal(page.notifications.length, 1);
});

test("what was there at the load, and what is wanted otherwise, is not told", async () => {
  const { page, chat } = await hidden();
  chat.tells({ t1: 1 });
  chat.set("title sound");
  chat.asks({ t1: 2 });
  await settled();
  assert.deepEqual(page.notifications, []);
});

test("without the permission nothing is shown, and only the menu asks for it", async () => {
  const { page, chat } = await hidden();
  page.permission = "default";
  chat.asks({ t1: 1 });
  await settled();
  assert.deepEqual([page.permission, page.notifications], ["default", []]);
  await chat.click(".menu-item.danger");
  assert.equal(page.permission, "default");
  await chat.click(LINE);
  assert.deepEqual([page.permission, chat.isOffered], ["granted", false]);
  chat.asks({ t1: 2 });
  await settled();
  assert.equal(page.notifications.length, 1);
});

test("the menu has no item where there is nothing to ask", async () => {
  const { page, chat } = await hidden();
  for (const [permission, notify, isOffered] of /** @type {const} */ ([
    ["default", "system", true], ["granted", "system", false], ["denied", "system", false], ["default", "title sound", false],
  ])) {
    page.permission = permission;
    chat.set(notify);
    assert.equal(chat.isOffered, isOffered, `${permission} ${notify}`);
  }
  page.permission = "default";
  page.answer = "denied";
  chat.set("system");
  await chat.click(LINE);
  assert.equal(chat.isOffered, false);
});

test("where pages cannot make notifications, as on Android, nothing happens and nothing is asked", async () => {
  const page = await Page.open();
  page.refusesNotifications = true;
  const chat = new Chat(page, "system");
  chat.tells({});
  assert.equal(chat.isOffered, false);
  page.permission = "granted";
  page.hide();
  chat.asks({ t1: 1 });
  await settled();
  assert.deepEqual(page.notifications, []);
});

test("a browser without notifications, and a page without HTTPS, say nothing", async () => {
  for (const change of [{ Notification: undefined }, { isSecureContext: false }]) {
    const { page, chat } = await hidden();
    const enter = page.enter.bind(page);
    page.enter = () => {
      enter();
      Object.assign(globalThis, change);
    };
    page.permission = "default";
    chat.asks({ t1: 1 });
    await settled();
    assert.deepEqual([chat.isOffered, page.notifications], [false, []]);
  }
});

test("the heading stands for an agent without a name", async () => {
  const { page, chat } = await hidden();
  chat.tells({ t1: 1 }, { isNew: true, agent: "" });
  await settled();
  assert.equal(page.notifications[0].title, "Assistant");
});

test("a removed chat leaves no lock behind", async () => {
  const locks = new Locks();
  const { page, chat } = await hidden(locks);
  page.hide(false);
  await settled();
  assert.equal(locks.held.length, 1);
  chat.isConnected = false;
  chat.tells({});
  await settled();
  assert.deepEqual(locks.held, []);
});

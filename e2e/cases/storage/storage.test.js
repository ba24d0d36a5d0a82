// The attribute `storage`: what outlives a page is kept in the browser, in the tab, or in the page alone.

import { Chat } from "../../fixtures.js";
import { expect, test } from "../embedding/site.js";

/** What the page's storages hold. */
const stored = (page) => page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }]);

/** Notes which of the page's storages are asked for, in pages that are opened from now on. */
const watch = (page) =>
  page.addInitScript(() => {
    globalThis.asked = [];
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
      // Browsers do not agree on where it is, and a page that is not secure has no caches.
      const owner = [window, Window.prototype].find((it) => Object.hasOwn(it, name));
      const { get } = (owner && Object.getOwnPropertyDescriptor(owner, name)) ?? {};
      const ask = () => (globalThis.asked.push(name), get?.call(window));
      Object.defineProperty(window, name, { configurable: true, get: ask });
    }
  });

const set = (chat, value) =>
  chat.element.evaluate((element, value) => (value === null ? element.removeAttribute("storage") : element.setAttribute("storage", value)), value);

test("session: a reload finds the request and the conversation, another tab and the browser do not", { tag: "@firefox" }, async ({ page, chat }) => {
  await chat.inline({ storage: "session" });
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  const [browser] = await stored(page);
  expect(browser).toEqual({});
  // How the answer came about follows in an idle moment; and that a message has arrived is noted a moment later. A draft
  // that was kept before it was sent stays for a minute as an empty one.
  const kept = async () => {
    const records = Object.entries((await stored(page))[1]).filter(([key]) => !key.includes(":activity:"));
    const keys = records.filter(([key, value]) => !key.includes(":draft:") || value.includes("approve one")).map(([key]) => key);
    return keys.map((key) => key.replace(/^.*:(?=approval|last|outbox)/, "").replace(/:.*/, "")).sort();
  };
  await expect.poll(kept).toEqual(["approval", "last-thread"]);
  const other = await chat.tab();
  await other.inline({ storage: "session" });
  await expect(other.list).toHaveAttribute("data-state", "ready");
  await expect(other.messages).toHaveCount(0);
  await other.thread("approve one").click();
  await expect(other.approval).toHaveAttribute("data-state", "unanswerable");
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.decide("refund_payment", "Approve");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  const [, left] = await stored(page);
  expect(Object.keys(left).filter((key) => key.includes("approval:"))).toEqual([]);
});

test("none: a request is answered within its page, and the browser's storages are not even asked for", { tag: "@firefox" }, async ({ page, chat }) => {
  await watch(page);
  await chat.inline({ storage: "none", without: "user-id", threads: "side" });
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.newThread.click();
  await expect(chat.messages).toHaveCount(0);
  await chat.thread("approve one").click();
  await chat.decide("refund_payment", "Approve");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  expect(await page.evaluate(() => globalThis.asked)).toEqual([]);
  expect(await stored(page)).toEqual([{}, {}]);
  expect(await page.evaluate(() => globalThis.asked), "this test has").toEqual(["localStorage", "sessionStorage"]);
  expect(await page.evaluate(() => document.cookie)).toBe("");
});

test("none: what an earlier visit left is neither used nor taken away", async ({ page, chat }) => {
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  // That the message has arrived is noted a moment later.
  await expect.poll(async () => Object.keys((await stored(page))[0]).join()).not.toContain(":outbox:");
  const before = await stored(page);
  expect(Object.keys(before[0])).not.toEqual([]);
  await chat.inline({ storage: "none" });
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  await expect(chat.messages).toHaveCount(0);
  await chat.thread("approve one").click();
  await expect(chat.approval).toHaveAttribute("data-state", "unanswerable");
  expect(await stored(page)).toEqual(before);
  await chat.inline();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
});

test("each kind makes up a user of its own, and two chats of one kind share it", async ({ page, scripted, serve, visit }) => {
  await page.setViewportSize({ width: 1000, height: 2600 });
  const users = (from = 0) => scripted.to("list").slice(from).map(({ headers }) => headers["x-service-user-id"]);
  await visit(`${await serve(import.meta.url)}/`, { without: "user-id" });
  const chats = ["local", "session", "none", "same"].map((id) => new Chat(page, "", page.locator(`#${id}`)));
  for (const chat of chats) await expect(chat.input).toBeVisible();
  await expect.poll(() => users().length).toBe(4);
  const kinds = new Set(users());
  expect(kinds.size).toBe(3);
  const [browser, tab] = await stored(page);
  expect(Object.keys(browser)).toEqual(["assent:user-id"]);
  expect(Object.keys(tab)).toEqual(["assent:user-id"]);
  const [local, session] = [browser, tab].map((values) => values["assent:user-id"]);
  expect(local).not.toBe(session);
  for (const user of [local, session]) expect(kinds.has(user)).toBe(true);
  await page.reload();
  await expect.poll(() => users(4).length).toBe(4);
  const again = new Set(users(4));
  for (const user of [local, session]) expect(again.has(user)).toBe(true);
  expect([...again].filter((user) => kinds.has(user))).toHaveLength(2);
});

test("a change at run time starts over, and back again everything is there", async ({ page, chat, scripted }) => {
  const users = () => scripted.to("list").map(({ headers }) => headers["x-service-user-id"]);
  await chat.inline({ "base-url": scripted.origin, without: "user-id" });
  await chat.ask("hello");
  await chat.input.fill("typed");
  // That a message has arrived is noted a moment later, and so is what is typed.
  const kept = async () => Object.entries((await stored(page))[0]).join();
  await expect.poll(kept).toContain('"typed"');
  await expect.poll(kept).not.toContain(":outbox:");
  const before = await stored(page);
  await set(chat, "none");
  await expect(chat.messages).toHaveCount(0);
  // As after a change of the user: the chat is another one.
  await expect(chat.input).toHaveValue("");
  // The list is read again after an answer, too.
  await expect.poll(() => new Set(users()).size).toBe(2);
  expect(users().at(-1)).not.toBe(users()[0]);
  expect(await stored(page)).toEqual(before);
  await set(chat, null);
  await expect(chat.messages).toHaveCount(2);
  await expect.poll(() => users().at(-1)).toBe(users()[0]);
  expect(await stored(page)).toEqual(before);
});

test.describe("a value that there is not", () => {
  test.use({ expectedConsole: /assent-chat: / });

  test("is the default and one warning", async ({ page, chat, console: messages }) => {
    await chat.inline({ storage: "cookies" });
    await chat.ask("hello");
    await expect.poll(async () => Object.keys((await stored(page))[0]).join()).toContain(":last-thread");
    const [, tab] = await stored(page);
    expect(tab).toEqual({});
    const warnings = messages.filter((text) => text.includes("storage="));
    expect(warnings).toHaveLength(1);
    for (const part of ["warning:", "cookies", "local, session, none"]) expect(warnings[0]).toContain(part);
  });
});

// The attribute `storage`: what outlives a page is kept in the browser, in the tab, or in the page alone.

import { expect, test } from "../../fixtures.js";

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

test("session: a reload finds the request and the conversation, the browser does not, and another tab has what the service tells", { tag: "@firefox" }, async ({ page, chat }) => {
  await chat.inline({ storage: "session" });
  await chat.asksApproval("approve one");
  const [browser] = await stored(page);
  expect(browser).toEqual({});
  // How the answer came about follows in an idle moment; and that a message has arrived is noted a moment later. A draft
  // that was kept before it was sent stays for a minute as an empty one.
  const kept = async () => {
    const records = Object.entries((await stored(page))[1]).filter(([key]) => !key.includes(":activity:"));
    const keys = records.filter(([key, value]) => !key.includes(":draft:") || value.includes("approve one")).map(([key]) => key);
    return keys.map((key) => key.replace(/^.*:(?=approval|last|outbox|pages)/, "").replace(/:.*/, "")).sort();
  };
  await expect.poll(kept).toEqual(["approval", "last-thread", "pages"]);
  const other = await chat.tab();
  await other.inline({ storage: "session" });
  await expect(other.list).toHaveAttribute("data-state", "ready");
  await expect(other.messages).toHaveCount(0);
  await other.thread("approve one").click();
  await expect(other.approval).toHaveAttribute("data-state", "pending");
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.decide("refund_payment", "Approve");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  const [, left] = await stored(page);
  expect(Object.keys(left).filter((key) => key.includes("approval:"))).toEqual([]);
});

test("none: a request is answered within its page, and the browser's storages are not even asked for", async ({ page, chat }) => {
  await watch(page);
  await chat.inline({ storage: "none", without: "user-id", threads: "side" });
  await chat.asksApproval("approve one");
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

test("none: after a reload a request is answered as the service tells it, and nothing is kept", async ({ page, chat }) => {
  await chat.inline({ storage: "none", threads: "side" });
  await chat.asksApproval("approve one");
  await page.reload();
  await chat.thread("approve one").click();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.decide("refund_payment", "Approve");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  expect(await stored(page)).toEqual([{}, {}]);
});

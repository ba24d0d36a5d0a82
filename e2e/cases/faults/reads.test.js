// Lists and stored messages that cannot be read: tried again by themselves, and said where that does not help.

import { json } from "../../servers/scripted.js";
import { expect, test } from "../../fixtures.js";
import { EXPECTED, expectSentence, html, hurry } from "./common.js";

test.use(EXPECTED);

test("stored messages that cannot be read can be asked again", async ({ page, chat, scripted }) => {
  const thread = scripted.addThread("Orders");
  scripted.store(thread.id, "assistant", "Stored.");
  scripted.on.messages = html(200);
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin });
  await chat.thread("Orders").click();
  await hurry(page, () => expect(chat.transcript).toHaveAttribute("data-state", "failed", { timeout: 300 }));
  await expectSentence(chat.transcript.getByRole("alert").locator("p").first());
  scripted.on = {};
  await chat.transcript.getByRole("button", { name: "Retry" }).click();
  await expect(chat.lastMessage).toContainText("Stored.");
});

/** Lets so many readings of the list fail; the next one is well. */
function failList(scripted, times, fault) {
  scripted.on.list = (seen, response) => {
    if (scripted.to("list").length === times) delete scripted.on.list;
    fault(seen, response);
  };
}

/** Installs a clock, and notes in its time when the page asks for the list; the function that is returned says so. */
async function timeLists(page) {
  await page.clock.install();
  await page.addInitScript(() => {
    const { fetch } = window;
    window.lists = [];
    window.fetch = (address, ...rest) => {
      if (String(address.url ?? address).endsWith("/threads/demo")) window.lists.push(Date.now());
      return fetch.call(window, address, ...rest);
    };
  });
  return () => page.evaluate(() => window.lists);
}

const BUSY = (_, response) => response.writeHead(429, { "retry-after": "3" }).end();
for (const [name, fault, waits] of [
  ["a list that fails twice is read again by itself", (_, response) => response.socket.destroy(), [950, 2950]],
  ["a reading waits as long as the service says", BUSY, [2950]],
]) {
  test(name, async ({ page, chat, scripted }) => {
    const lists = await timeLists(page);
    scripted.addThread("Orders");
    failList(scripted, waits.length, fault);
    await chat.inline({ "base-url": scripted.origin });
    await hurry(page, () => expect(chat.thread("Orders")).toBeVisible({ timeout: 300 }));
    await expect(chat.list.getByRole("alert")).toHaveCount(0);
    const times = await lists();
    for (const [place, wait] of waits.entries()) expect(times[place + 1] - times[place]).toBeGreaterThanOrEqual(wait);
    expect(scripted.to("list")).toHaveLength(waits.length + 1);
  });
}

test("a reading is tried again a few times, and not for ever", async ({ page, chat, scripted }) => {
  scripted.on.list = (_, response) => response.writeHead(500).end();
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin });
  await hurry(page, () => expect(chat.list.getByRole("alert")).toBeVisible({ timeout: 300 }));
  await page.clock.runFor(600_000);
  expect(scripted.to("list")).toHaveLength(3);
});

test("a reading is not tried again while nobody sees the page, and at once when somebody does", async ({ page, chat, scripted }) => {
  scripted.addThread("Orders");
  await page.addInitScript(() => {
    let isHidden = true;
    Object.defineProperty(document, "hidden", { get: () => isHidden });
    window.show = () => {
      isHidden = false;
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    };
  });
  await page.clock.install();
  failList(scripted, 1, (_, response) => response.writeHead(503).end());
  await chat.inline({ "base-url": scripted.origin });
  await expect.poll(() => scripted.to("list").length).toBe(1);
  await page.clock.runFor(60_000);
  expect(scripted.to("list")).toHaveLength(1);
  await page.evaluate(() => window.show());
  await expect(chat.thread("Orders")).toBeVisible();
  expect(scripted.to("list")).toHaveLength(2);
});

test("a slow answer for one thread never lands in another, and is given up for the next one", async ({ chat, scripted }) => {
  const [slow, fast] = [scripted.addThread("Slow"), scripted.addThread("Fast")];
  scripted.store(slow.id, "assistant", "Of the slow one.");
  scripted.store(fast.id, "assistant", "Of the fast one.");
  const waiting = [];
  scripted.on.messages = ({ id }, response) => {
    if (id === slow.id) waiting.push(response);
    else json(response, 200, scripted.stored.get(id));
  };
  await chat.inline({ "base-url": scripted.origin });
  await chat.thread("Slow").click();
  await expect.poll(() => waiting.length).toBe(1);
  const isGivenUp = new Promise((resolve) => waiting[0].on("close", () => resolve(!waiting[0].writableEnded)));
  await chat.thread("Fast").click();
  await expect(chat.lastMessage).toContainText("Of the fast one.");
  await chat.thread("Slow").click();
  await expect.poll(() => waiting.length).toBe(2);
  expect(await isGivenUp).toBe(true);
  await chat.thread("Fast").click();
  json(waiting[1], 200, scripted.stored.get(slow.id));
  await expect(chat.lastMessage).toContainText("Of the fast one.");
  await expect(chat.transcript).not.toContainText("Of the slow one.");
});

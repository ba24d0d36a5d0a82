// Where the browser keeps nothing, or something else than expected: the chat works, and nothing is said.

import { expect, test } from "../../fixtures.js";
import { activity, answerWithSteps, recordings, rewrite, steps } from "./device.js";

test("a database that cannot be opened: the chat works as before", async ({ page, chat, scripted }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("blocked", "SecurityError");
    };
  });
  await chat.inline({ "base-url": scripted.origin, activity: "full" });
  (await answerWithSteps(chat, scripted)).complete("Done.");
  await expect(steps(chat)).toHaveCount(2);
  await page.reload();
  await expect(chat.lastMessage).toContainText("Done.");
  await expect(activity(chat)).toHaveCount(0);
  await chat.element.evaluate((element) => element.forget());
});

test("a record that is broken is removed, and one of a later format stays", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin, activity: "full" });
  (await answerWithSteps(chat, scripted)).complete("Done.");
  await expect.poll(async () => (await recordings(page)).map(({ how }) => how)).toEqual(["closed"]);
  await rewrite(page, { format: 99, frames: { as: "yet unknown" } });
  await page.reload();
  await expect(chat.lastMessage).toContainText("Done.");
  await expect(activity(chat)).toHaveCount(0);
  await rewrite(page, { format: 1 });
  await page.reload();
  await expect(chat.lastMessage).toContainText("Done.");
  await expect.poll(() => recordings(page)).toEqual([]);
  await expect(activity(chat)).toHaveCount(0);
});

test("storage none: nothing is in any storage, and within the page the log is there", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin, storage: "none", activity: "full" });
  (await answerWithSteps(chat, scripted)).complete("Done.");
  await expect(steps(chat)).toHaveCount(2);
  await chat.visit("inline", { "base-url": scripted.origin, storage: "none", activity: "full", "thread-id": "thread-1" });
  await expect(chat.lastMessage).toContainText("Done.");
  await expect(activity(chat)).toHaveCount(0);
  expect(await page.evaluate(async () => [await indexedDB.databases(), { ...localStorage }, { ...sessionStorage }])).toEqual([[], {}, {}]);
});

test.describe(() => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test("without the module nothing is kept, and a promise to forget says so", async ({ page, chat, scripted }) => {
    await page.route(/assent_history/, (route) => route.abort());
    await chat.inline({ "base-url": scripted.origin, activity: "full" });
    (await answerWithSteps(chat, scripted)).complete("Done.");
    await expect(steps(chat)).toHaveCount(2);
    const code = await chat.element.evaluate((element) => element.forget().catch(({ code }) => code));
    expect(code).toBe("unreachable");
    expect(await recordings(page)).toEqual([]);
  });
});

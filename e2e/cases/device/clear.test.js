// Clearing the device: in the menu after a question, and by the method `forget()` without one.

import { expect, test } from "../../fixtures.js";
import { answerWithSteps, more, recordings, steps } from "./device.js";

/** The names of what the browser keeps for this user. */
const kept = (page, user) =>
  page.evaluate((user) => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key.includes(user)), user);

test("the question comes first; then nothing is left, and what is on the page stays", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin, activity: "full" });
  (await answerWithSteps(chat, scripted)).complete("Done.");
  await expect.poll(async () => (await recordings(page)).length).toBe(1);
  expect(await kept(page, chat.user)).not.toEqual([]);
  await more(chat).click();
  await chat.role("menuitem", { name: "Clear data on this device…" }).click();
  await expect(chat.role("alertdialog", { name: "Clear data on this device?" })).toBeVisible();
  expect(await recordings(page)).toHaveLength(1);
  await chat.button("Clear").click();
  await expect(more(chat)).toBeFocused();
  await expect.poll(() => recordings(page)).toEqual([]);
  expect(await kept(page, chat.user)).toEqual([]);
  await expect(chat.lastMessage).toContainText("Done.");
  await expect(steps(chat)).toHaveCount(2);
  await page.reload();
  await expect(chat.input).toBeVisible();
  await expect(chat.messages).toHaveCount(0);
});

test("forget() of a chat that is still to be loaded makes it load, and waits", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  (await answerWithSteps(chat, scripted)).complete("Done.");
  await expect.poll(async () => (await recordings(page)).length).toBe(1);
  await chat.launcher({ "base-url": scripted.origin });
  await chat.element.evaluate((element) => element.forget());
  expect(await recordings(page)).toEqual([]);
});

test("everything is forgotten without the widget, and another tab that is open writes nothing back", { tag: "@firefox" }, async ({ page, chat, scripted, user }) => {
  const left = (there) => there.evaluate(async () => [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...(await indexedDB.databases()).map(({ name }) => name)]);
  await chat.inline({ "base-url": scripted.origin, "user-id": `${user}-before`, storage: "session" });
  await chat.input.fill("before");
  await expect.poll(async () => (await left(page)).length).toBeGreaterThan(0);
  const other = await chat.tab();
  await other.inline({ "base-url": scripted.origin });
  await other.loaded();
  (await answerWithSteps(other, scripted)).complete("Done.");
  await other.input.fill("not sent");
  await expect.poll(async () => (await recordings(other.page)).length).toBe(1);
  await expect.poll(async () => (await left(other.page)).filter((key) => key.includes("draft")).length).toBeGreaterThan(0);
  await chat.launcher({ "base-url": scripted.origin });
  await chat.element.evaluate((element) => element.forget({ everything: true }));
  expect((await left(page)).filter((key) => key !== "assent")).toEqual([]);
  await expect(other.input).toHaveValue("");
  await expect.poll(() => left(page)).toEqual([]);
  await other.page.reload();
  await expect(other.input).toBeVisible();
  expect(await other.input.inputValue()).toBe("");
  await other.page.close();
  expect((await left(page)).filter((key) => key.includes("draft") || key.includes("activity"))).toEqual([]);
});

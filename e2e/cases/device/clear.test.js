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
  await chat.role("menuitem", { name: "Clear this device" }).click();
  await expect(chat.role("alertdialog", { name: "Clear this device?" })).toBeVisible();
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

// Notifications of the system, and the way to their permission.

import { expect, test } from "../../fixtures.js";
import { ask, hide, note, notified } from "./elsewhere.js";

const ITEM = "Tell me when a decision waits";

test("the item of the menu alone asks for the permission, in a click of the person", async ({ page, chat, context, scripted }) => {
  await note(context);
  await chat.inline({ "base-url": scripted.origin, notify: "system" });
  await ask(chat, scripted, ["delete_file"], () => hide(page));
  expect(await page.evaluate(() => [Notification.permission, globalThis.notified.length])).toEqual(["default", 0]);
  await hide(page, false);
  await chat.button("More").click();
  await chat.role("menuitem", { name: ITEM }).click();
  await expect.poll(() => page.evaluate(() => [Notification.permission, globalThis.wasActive])).toEqual(["granted", true]);
  await chat.button("More").click();
  await expect(chat.role("menuitem").first()).toBeVisible();
  await expect(chat.role("menuitem", { name: ITEM })).toHaveCount(0);
});

test("the menu has no item without the attribute, or where it was denied", async ({ page, chat, context, scripted }) => {
  await note(context, "denied");
  await chat.inline({ "base-url": scripted.origin, notify: "system" });
  await ask(chat, scripted, ["delete_file"]);
  await chat.button("More").click();
  await expect(chat.role("menuitem")).toHaveCount(2);
  expect(await notified(page)).toEqual([]);
});

test("it has the agent's name and the number, leads to the card, and closes with the decision", { tag: "@firefox" }, async ({ page, chat, context, scripted }) => {
  await note(context, "granted");
  await chat.inline({ "base-url": scripted.origin, notify: "system" });
  await chat.loaded();
  await ask(chat, scripted, ["delete_file", "send_mail"], () => hide(page));
  await expect.poll(() => notified(page)).toEqual([["Scripted", "2 decisions wait", true]]);
  // The person comes back by it, from another conversation.
  await chat.newThread.click();
  await expect(chat.approval).toHaveCount(0);
  await hide(page, false);
  await page.evaluate(() => globalThis.notified[0].onclick());
  await expect(chat.approval.locator("[part=approval-tool]").first()).toBeFocused();
  expect(await notified(page)).toEqual([["Scripted", "2 decisions wait", false]]);
});

test("a notification that nobody clicks closes with the decision", async ({ page, chat, context, scripted }) => {
  await note(context, "granted");
  await chat.inline({ "base-url": scripted.origin, notify: "system" });
  await chat.loaded();
  await ask(chat, scripted, ["delete_file"], () => hide(page));
  await expect.poll(() => notified(page)).toEqual([["Scripted", "1 decision waits", true]]);
  await chat.decide("delete_file", "Deny");
  await expect.poll(() => notified(page)).toEqual([["Scripted", "1 decision waits", false]]);
});

test("a launcher opens by it", async ({ page, chat, context, scripted }) => {
  await note(context, "granted");
  await chat.panel({ "base-url": scripted.origin, notify: "system" });
  await chat.loaded();
  const leave = async () => {
    await chat.button("Close chat").click();
    await hide(page);
  };
  await ask(chat, scripted, ["delete_file"], leave, false);
  await expect.poll(() => notified(page)).toEqual([["Scripted", "1 decision waits", true]]);
  await hide(page, false);
  await page.evaluate(() => globalThis.notified[0].onclick());
  await expect(chat.approval.locator("[part=approval-tool]").first()).toBeFocused();
});

test("nobody is told who looks at another tab", async ({ page, chat, context, scripted }) => {
  await note(context, "granted");
  const settings = { "base-url": scripted.origin, notify: "system title" };
  const other = await chat.tab();
  await other.inline(settings);
  await chat.inline(settings);
  await chat.loaded();
  await ask(chat, scripted, ["delete_file"], () => hide(page));
  await expect(page).toHaveTitle(/^\(1\) /);
  // What is shown is shown after the locks were asked, which this is behind.
  await page.evaluate(() => navigator.locks.query());
  expect(await notified(page)).toEqual([]);
});

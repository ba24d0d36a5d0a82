// Every function by the keyboard alone.

import { expect, test } from "../../fixtures.js";
import { reach } from "./reach.js";

test("feedback is entered and left, and the focus is never lost", { tag: "@firefox" }, async ({ page, chat }) => {
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toBeVisible();
  await reach(page, chat.role("button", { name: /^Deny (all )?with a note…$/ }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.role("textbox", { name: "Note" })).toBeFocused();
  await reach(page, chat.button("Back"));
  await page.keyboard.press("Enter");
  await expect(chat.approval.locator(":focus")).toHaveCount(1);
  await reach(page, chat.role("button", { name: /^Deny (all )?with a note…$/ }));
  await page.keyboard.press("Enter");
  await expect(chat.role("textbox", { name: "Note" })).toBeFocused();
  await page.keyboard.type("Not today");
  await reach(page, chat.button("Deny and send"));
  await page.keyboard.press("Enter");
  await expect(chat.lastMessage).toContainText("Not today");
  await expect(chat.element.locator(":focus")).toHaveCount(1);
});

test("the list: open, menu with arrows, rename, delete", async ({ page, chat, service }) => {
  await service.converse("hello");
  await service.converse("help");
  await chat.inline({ threads: "side" });
  await reach(page, chat.thread("hello"));
  await page.keyboard.press("Enter");
  await expect(chat.own).toContainText("hello");
  const menu = chat.button("Actions for hello");
  await reach(page, menu);
  await page.keyboard.press("Enter");
  const [rename, remove] = ["Rename", "Delete"].map((name) => chat.role("menuitem", { name }));
  await expect(rename).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(remove).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(rename).toBeFocused();
  await page.keyboard.press("End");
  await expect(remove).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await expect(menu).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  const box = chat.role("textbox", { name: "Conversation name" });
  await expect(box).toBeFocused();
  await page.keyboard.type("Greeting");
  await page.keyboard.press("Enter");
  await expect(chat.button("Actions for Greeting")).toBeFocused();
  // The new name shows before the service has it, and deleting might overtake it.
  await expect.poll(async () => (await service.threads()).map(({ threadName }) => threadName)).toContain("Greeting");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(chat.dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(chat.dialog).toBeHidden();
  await expect(chat.button("Actions for Greeting")).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(chat.dialog.getByRole("button", { name: "Delete" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.thread("Greeting")).toHaveCount(0);
  await expect(chat.element.locator(":focus")).toHaveCount(1);
});

test("Escape closes the menu, a name, a question, then the list, then the panel", async ({ page, chat, service }) => {
  await service.converse("hello");
  await chat.launcher();
  await chat.button("Open chat").press("Enter");
  await expect(chat.input).toBeFocused();
  await reach(page, chat.threadsToggle, "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(chat.list).toBeVisible();
  await reach(page, chat.button("Actions for hello"));
  await page.keyboard.press("Enter");
  await expect(chat.role("menuitem", { name: "Rename" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(chat.role("menu")).toHaveCount(0);
  await chat.choose("hello", "Rename");
  await page.keyboard.press("Escape");
  await expect(chat.role("textbox", { name: "Conversation name" })).toHaveCount(0);
  await chat.choose("hello", "Delete");
  await page.keyboard.press("Escape");
  await expect(chat.dialog).toBeHidden();
  await expect(chat.list).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.list).toBeHidden();
  await expect(chat.role("dialog")).toBeVisible();
  await expect(chat.element.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(chat.role("dialog")).toBeHidden();
  await expect(chat.button("Open chat")).toBeFocused();
});

test("one-key shortcuts of the page do not fire while somebody types", async ({ page, chat }) => {
  await chat.inline();
  await page.evaluate(() => {
    globalThis.heard = [];
    document.addEventListener("keydown", (event) => globalThis.heard.push(event.key));
  });
  await chat.input.focus();
  await page.keyboard.type("s/?");
  await expect(chat.input).toHaveValue("s/?");
  expect(await page.evaluate(() => globalThis.heard)).toEqual([]);
});

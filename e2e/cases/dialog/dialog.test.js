// A chat inside the page's own modal dialog: it starts when it is shown, and Escape closes what is innermost.

import { expect, test } from "../embedding/site.js";

const show = (page) => page.evaluate(() => document.querySelector("dialog").showModal());

test("it starts when the dialog opens, and keeps everything when it is closed and opened again", async ({ page, chat, scripted, serve, visit }) => {
  await visit(`${await serve(import.meta.url)}/`);
  await expect(chat.element).toBeHidden();
  expect(scripted.requests).toEqual([]);
  await show(page);
  await chat.ask("hello");
  await chat.input.fill("typed before");
  await page.evaluate(() => document.querySelector("dialog").close());
  await expect(chat.input).toBeHidden();
  await show(page);
  await expect(chat.input).toHaveValue("typed before");
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.lastMessage).toBeVisible();
});

test("the focus stays in the dialog, the chat with it", async ({ page, chat, serve, visit }) => {
  await visit(`${await serve(import.meta.url)}/`);
  await show(page);
  await chat.input.focus();
  const outside = page.getByRole("button", { name: "Behind the dialog" });
  // Once round: between its last element and its first one the focus is in the browser's own window.
  const focused = () => page.evaluate(() => document.activeElement.localName);
  const seen = [];
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press("Tab");
    await expect(outside).not.toBeFocused();
    seen.push(await focused());
  }
  expect(seen).toContain("assent-chat");
  expect(seen.filter((name) => !["assent-chat", "dialog", "body"].includes(name))).toEqual([]);
});

test("Escape closes the chat's menu and its question first, and the dialog after them", { tag: "@firefox" }, async ({ page, chat, scripted, serve, visit }) => {
  await visit(`${await serve(import.meta.url)}/`, { threads: "side" });
  await show(page);
  await chat.ask("hello");
  await chat.list.getByRole("button", { name: /^Actions for / }).first().click();
  await expect(chat.role("menuitem", { name: "Delete" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.role("menuitem", { name: "Delete" })).toBeHidden();
  await expect(page.locator("dialog")).toHaveJSProperty("open", true);
  await chat.choose("New conversation", "Delete");
  await expect(chat.dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(chat.dialog).toBeHidden();
  await expect(page.locator("dialog")).toHaveJSProperty("open", true);
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog")).toHaveJSProperty("open", false);
  await show(page);
  await chat.choose("New conversation", "Delete");
  await chat.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(chat.threads).toHaveCount(0);
  expect(scripted.threads).toEqual([]);
});

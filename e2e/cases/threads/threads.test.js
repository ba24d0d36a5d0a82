// The list of conversations.

import { expect, test } from "../../fixtures.js";

test("a conversation without a name has one all the same", async ({ chat, scripted }) => {
  scripted.addThread("");
  await chat.inline({ "base-url": scripted.origin });
  await expect(chat.thread("Untitled conversation")).toBeVisible();
  await expect(chat.button("Actions for Untitled conversation")).toBeVisible();
});

test("the list lies over a narrow chat and goes away when something was chosen", async ({ page, chat, service }) => {
  await service.converse("hello");
  await page.setViewportSize({ width: 360, height: 740 });
  await chat.inline();
  await expect(chat.list).toBeHidden();
  await expect(chat.threadsToggle).toHaveAttribute("aria-expanded", "false");
  await chat.threadsToggle.click();
  await expect(chat.threadsToggle).toHaveAttribute("aria-expanded", "true");
  await chat.thread("hello").click();
  await expect(chat.list).toBeHidden();
  await expect(chat.messages).toHaveCount(2);
  await chat.threadsToggle.click();
  await page.keyboard.press("Escape");
  await expect(chat.list).toBeHidden();
});

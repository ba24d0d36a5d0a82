// The main job: a message goes out as it was typed, and once, and its answer is followed.

import { expect, test } from "../../fixtures.js";
import { fromEnd } from "../scroll/stored.js";

test("what is typed is shown as it was typed: Shift+Enter breaks the line, Enter sends, and nothing of it is Markdown", async ({ page, chat }) => {
  await chat.inline();
  await expect(chat.send).toBeDisabled();
  await chat.input.fill("   ");
  await chat.input.press("Enter");
  await expect(chat.send).toBeDisabled();
  await chat.input.fill("**not bold**");
  await chat.input.press("Shift+Enter");
  await page.keyboard.type("  <b>not HTML</b>");
  await expect(chat.messages).toHaveCount(0);
  await chat.input.press("Enter");
  const bubble = chat.own.locator(".bubble");
  await expect(bubble).toHaveText("**not bold**\n  <b>not HTML</b>", { useInnerText: true });
  expect(await bubble.innerText()).toBe("**not bold**\n  <b>not HTML</b>");
  await expect(chat.input).toHaveValue("");
  await expect(chat.input).toBeFocused();
});

test("a message box that grows while an answer streams does not stop the following", async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const post = await chat.streaming(scripted, "Tell me", { scroll: "bottom" });
  for (let line = 1; line <= 60; line += 1) {
    post.say(`Line ${line}\n\n`);
    if (line % 12 === 0) await chat.input.fill("a draft\n".repeat(line / 6));
  }
  await expect(chat.lastMessage).toContainText("Line 60");
  await expect.poll(() => fromEnd(chat)).toBeLessThan(32);
  await expect(chat.button("Jump to latest")).toBeHidden();
});

test("a double click on Send does not stop the answer", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.input.fill("one");
  await chat.send.dblclick();
  const post = await scripted.nextPost();
  post.answer("Whole.");
  await expect(chat.lastMessage).toContainText("Whole.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  expect(scripted.to("post")).toHaveLength(1);
});

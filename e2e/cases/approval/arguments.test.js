// See what you sign: an argument is shown whole, and cannot imitate what is around it.

import { expect, test } from "../../fixtures.js";

/** Characters that reorder, hide or control text. */
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/** The row of an argument, by the beginning of its name. */
const row = (chat, name, argument) =>
  chat.tool(name).locator("dl > div").filter({ has: chat.page.locator("dt", { hasText: new RegExp(`^\\s*${argument}`) }) });
const value = (chat, name, argument) => row(chat, name, argument).locator("dd").first();

test("no character of an argument can draw over the rest of the card, or be lost", { tag: "@firefox" }, async ({ chat }) => {
  await chat.inline();
  await chat.say("deceptive");
  await expect(chat.tool("transfer_money")).toBeVisible();
  const texts = await chat.approval.evaluate((card) => {
    const attributes = [...card.querySelectorAll("*")].flatMap((node) => [...node.attributes].map(({ value }) => value));
    return [card.textContent, ...attributes];
  });
  for (const text of texts) expect(text).not.toMatch(HIDDEN);
  await expect(chat.tool("transfer_money")).toContainText("<b>Approved by your manager</b> **ready** [see here](https://tracker.invalid/)");
  await expect(chat.approval.getByRole("link")).toHaveCount(0);
  await expect(chat.approval.locator("b, strong, img")).toHaveCount(0);
  const [needed, given] = await chat.approval.evaluate((card) => [card.scrollWidth, card.clientWidth]);
  expect(needed).toBeLessThanOrEqual(given);
});

test("a value of 20 kB can be read to its end, by the keyboard", { tag: "@firefox" }, async ({ page, chat }) => {
  await chat.inline();
  await chat.say("deceptive");
  const content = row(chat, "write_file", "content");
  await content.getByRole("button", { name: "Show all 20,445 characters" }).focus();
  await page.keyboard.press("Enter");
  const less = content.getByRole("button", { name: "Show less" });
  await expect(less).toBeFocused();
  await expect(less).toHaveAttribute("aria-expanded", "true");
  await expect(content).toContainText("20,445 characters in 435 lines");
  const text = value(chat, "write_file", "content");
  expect((await text.textContent()).length).toBeGreaterThanOrEqual(20_445);
  const box = content.getByRole("group", { name: "content" });
  await page.keyboard.press("Shift+Tab");
  await expect(box).toBeFocused();
  await box.press("End");
  // The last line is in sight within the box.
  await expect
    .poll(() => box.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop))
    .toBeLessThanOrEqual(2);
  expect(await box.evaluate((box) => box.clientHeight < box.scrollHeight)).toBe(true);
});

test("above the arguments stands how many are suspicious, and each is a step away", { tag: "@firefox" }, async ({ chat }) => {
  await chat.inline();
  await chat.say("deceptive");
  const tool = chat.tool("transfer_money");
  await expect(tool).toContainText("8 suspicious values");
  await tool.getByRole("button", { name: "lines", exact: true }).click();
  const lines = row(chat, "transfer_money", "lines");
  await expect(lines).toBeFocused();
  await expect(lines).toBeInViewport({ ratio: 1 });
  await expect(lines.locator(".argument-note")).toHaveText("Contains control characters (bell, null).");
});

test("what was approved with the same value is folded, and need not be opened again", { tag: "@firefox" }, async ({ chat }) => {
  await chat.inline();
  await chat.asksApproval("approve again");
  await chat.role("button", { name: /^Show all/ }).click();
  await chat.approveAll();
  await chat.submit();
  await expect(chat.approval).toHaveCount(2);
  const card = chat.approval.last();
  await expect(card.locator("dt")).toHaveText(["amount Changed", "email Changed", "urgent New", "invoice", "terms"]);
  await expect(card.locator("ins")).toHaveText(["2,50", "vv"]);
  const same = card.locator("details.same");
  await expect(same).not.toHaveAttribute("open");
  await expect(card.getByRole("button", { name: /^Show all/ })).toHaveCount(0);
  await expect(card.getByRole("button", { name: "Deny", exact: true }).or(card.getByRole("radio", { name: "Deny" }))).toBeEnabled();
  await card.getByText("Same as last time").click();
  await expect(card.locator("details dd").first()).toBeVisible();
});

// From the request to the answer by the keyboard alone.

import { expect, test } from "../../fixtures.js";
import { reach } from "../keyboard/reach.js";

/** Presses a key once the tool has the focus. */
async function press(page, tool, key) {
  await expect(tool).toBeFocused();
  await page.keyboard.press(key);
}

test("three tools are decided and sent with four keys, and no scrolling", { tag: "@firefox" }, async ({ page, chat }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await chat.inline();
  await chat.input.focus();
  await page.keyboard.type("approve three");
  await page.keyboard.press("Enter");
  await chat.waitsForDecision();
  await expect(chat.input).toBeFocused();
  await page.keyboard.press("Alt+ArrowUp");
  for (const [name, key] of [["refund_payment", "a"], ["send_email", "d"], ["delete_file", "a"]]) {
    await press(page, chat.tool(name), key);
  }
  await expect(chat.submitButton).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.input).toBeFocused();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "APPROVED");
  await expect(chat.tool("send_email")).toHaveAttribute("data-state", "DENIED");
});

test("every control of a card is reached by Tab, and one key goes back to the box", { tag: "@firefox" }, async ({ page, chat }) => {
  await chat.inline();
  await chat.asksApproval("approve three");
  await chat.waitsForDecision();
  await chat.input.focus();
  for (const name of ["Deny all with a note…", "Deny all"]) await reach(page, chat.button(name), "Shift+Tab");
  for (const name of ["delete_file", "send_email", "refund_payment"]) {
    for (const verdict of ["Deny", "Approve"]) await reach(page, chat.verdict(name, verdict), "Shift+Tab");
    await page.keyboard.press("Space");
    await expect(chat.verdict(name, "Approve")).toHaveAttribute("aria-pressed", "true");
    await expect(chat.verdict(name, "Approve")).toBeFocused();
  }
  await page.keyboard.press("Alt+ArrowDown");
  await expect(chat.input).toBeFocused();
});

test("who types on after Enter answers no question by it, and Escape goes back to the box", { tag: "@firefox" }, async ({ page, chat }) => {
  await chat.panel();
  await chat.say("approve one");
  await chat.waitsForDecision();
  const sent = chat.record();
  await chat.input.focus();
  await page.keyboard.type("hello");
  await page.keyboard.press("Enter");
  const question = chat.role("group", { name: "What should happen with your message?" });
  await expect(question).toBeFocused();
  await page.keyboard.type("and more");
  await page.keyboard.press("Enter");
  await expect(question).toBeFocused();
  await expect(chat.input).toHaveValue("hello");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await page.keyboard.press("Escape");
  await expect(chat.role("dialog")).toBeVisible();
  await expect(chat.input).toBeFocused();
  await expect(chat.input).toHaveValue("hello");
  expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
});

// From the request to the answer by the keyboard alone.

import { expect, test } from "../../fixtures.js";
import { reach } from "../keyboard/reach.js";

const group = (chat, name) => chat.role("radiogroup", { name: `Decision on ${name}` });

test("from the request to the answer by the keyboard alone", { tag: "@firefox" }, async ({ page, chat }) => {
  await chat.inline();
  await chat.input.focus();
  await page.keyboard.type("approve three");
  await page.keyboard.press("Enter");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await expect(chat.input).toBeFocused();
  // Backwards from the message box: stop, deny all, then the tools from the last to the first.
  for (const name of ["Stop and give feedback", "Deny all"]) {
    await reach(page, chat.button(name), "Shift+Tab");
  }
  for (const [name, key, verdict] of [
    ["delete_file", "ArrowUp", "Deny"],
    ["send_email", "ArrowDown", "Approve"],
    ["refund_payment", "ArrowRight", "Deny"],
  ]) {
    await reach(page, group(chat, name), "Shift+Tab");
    // Which radio of an undecided group has the focus then, browsers decide: Space chooses that one, arrows the other.
    await page.keyboard.press("Space");
    await expect(group(chat, name).getByRole("radio", { checked: true })).toBeFocused();
    const wanted = group(chat, name).getByRole("radio", { name: verdict });
    await page.keyboard.press(key);
    if (!(await wanted.isChecked())) await page.keyboard.press(key);
    await expect(wanted).toBeChecked();
    await expect(wanted).toBeFocused();
  }
  // Who was in each tool can approve all.
  await reach(page, chat.button("Approve all"));
  await reach(page, chat.button("Submit decisions"));
  await page.keyboard.press("Enter");
  await expect(chat.lastMessage).toContainText("I did what you approved and left the rest");
  await expect(chat.element.locator(":focus")).toHaveCount(1);
  await expect(chat.tool("send_email")).toHaveAttribute("data-state", "APPROVED");
  await expect(chat.tool("delete_file")).toHaveAttribute("data-state", "DENIED");
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

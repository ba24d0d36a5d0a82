// Nothing runs without a decision, a batch is decided and sent as a whole, and what was asked goes back unchanged.

import { expect, test } from "../../fixtures.js";
import { posted, verdicts } from "./posts.js";
import { asked, tool } from "./tools.js";

test("one tool: it is shown whole, waits, and is approved", { tag: "@firefox" }, async ({ chat, service }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.asksApproval("approve one");
  const card = chat.tool("refund_payment");
  await expect(card).toHaveAttribute("data-state", "PENDING_HUMAN_APPROVAL");
  for (const text of ["Payments", "Finance", "4711", "49.90 EUR", "Card ending in 4242", "Arrived broken"]) {
    await expect(card).toContainText(text);
  }
  await expect(card.getByRole("radio", { name: "Approve" })).not.toBeChecked();
  await expect(card.getByRole("radio", { name: "Deny" })).not.toBeChecked();
  await expect(chat.button("Submit decisions")).toBeDisabled();
  await expect(chat.button("Approve all")).toBeVisible();
  await chat.decide("refund_payment", "Approve");
  expect(posted(requests)).toHaveLength(1);
  await chat.button("Submit decisions").click();
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(card).toHaveAttribute("data-state", "APPROVED");
  await expect(card).toContainText("Approved");
  const [, answer] = posted(requests);
  expect(answer.content).toHaveLength(1);
  expect(verdicts(answer)).toEqual(["refund_payment: APPROVED"]);
  expect(await service.statuses()).toEqual(["APPROVED"]);
});

test("Approve all shows what was not on the screen yet before it approves", async ({ page, chat }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  await chat.inline();
  await chat.asksApproval("approve three");
  const all = chat.button("Approve all");
  const isChecked = () => chat.approval.getByRole("radio", { name: "Approve", checked: true });
  await expect(all).toHaveAttribute("aria-disabled", "true");
  await expect(all).toHaveAccessibleDescription(/^Not every action was on the screen yet\./);
  await all.press("Enter");
  await expect(isChecked()).toHaveCount(0);
  // Each press shows one more, until all were on the screen: then it approves.
  await expect(async () => {
    await all.press("Enter");
    await expect(isChecked()).toHaveCount(3, { timeout: 500 });
  }).toPass();
});

test("a mouse in a tool is no look at all of its request", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 360, height: 480 });
  const toolArguments = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`field ${at}`, "1"]));
  await asked(chat, scripted, [tool("b", "pay", { toolArguments })]);
  // At once to its end: what is between was never there.
  await chat.decide("pay", "Deny");
  await expect(chat.tool("pay").getByRole("radio", { name: "Deny" })).toBeFocused();
  await expect(chat.tool("pay").getByRole("radio", { name: "Approve" })).toBeDisabled();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(chat.tool("pay").getByRole("radio", { name: "Deny" })).toBeFocused();
  await expect(chat.tool("pay").getByRole("radio", { name: "Approve" })).toBeEnabled();
});

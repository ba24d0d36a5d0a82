// After the answer: what became of each tool, on one line, with its arguments still at hand.

import { expect, test } from "../../fixtures.js";

test("an answered card is one line for each tool", async ({ chat }) => {
  await chat.inline();
  await chat.say("approve three");
  const before = await chat.approval.boundingBox();
  await chat.decide("refund_payment", "Approve");
  await chat.decide("send_email", "Deny");
  await chat.decide("delete_file", "Deny");
  await chat.submit();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("refund_payment")).toContainText("Approved");
  await expect(chat.tool("send_email")).toContainText("Denied");
  await expect(chat.approval.getByRole("definition")).toHaveCount(0);
  await expect(chat.approval.getByText("Nothing runs without your decision.")).toHaveCount(0);
  const after = await chat.approval.boundingBox();
  expect(after.height).toBeLessThan(before.height / 2);
  for (const name of ["refund_payment", "send_email", "delete_file"]) {
    expect((await chat.tool(name).boundingBox()).height).toBeLessThan(64);
  }
});

test("the agent goes on below, and after a reload all is as it was", async ({ page, chat }) => {
  await chat.inline();
  await chat.say("approve twice");
  await chat.decide("read_customer", "Approve");
  await chat.submit();
  await expect(chat.tool("update_customer")).toBeVisible();
  await chat.decide("update_customer", "Deny");
  await chat.submit();
  // By then it is stored.
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  const check = async () => {
    await expect(chat.lastMessage).toContainText("I left the old address as it is.");
    await expect(chat.approval).toHaveCount(2);
    await expect(chat.messages.nth(1)).toContainText("First I would like to look into the customer's account.");
    await expect(chat.messages.nth(1).getByRole("group", { name: "read_customer" })).toContainText("Approved");
    await expect(chat.messages.nth(2)).toContainText("I would like to correct it:");
    await expect(chat.messages.nth(2).getByRole("group", { name: "update_customer" })).toContainText("Denied");
    await expect(chat.messages).toHaveCount(4);
  };
  await check();
  await page.reload();
  await check();
  await chat.button("Arguments of update_customer").click();
  await expect(chat.tool("update_customer")).toContainText("3 Harbour Road");
});

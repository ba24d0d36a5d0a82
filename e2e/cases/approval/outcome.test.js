// After the answer: what became of each tool, on one line, with its arguments still at hand.

import { expect, test } from "../../fixtures.js";
import { asked, tool } from "./tools.js";

test("while the answer is on its way the card says what was chosen, and offers nothing more", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one"), tool("b", "two")]);
  await chat.decide("one", "Approve");
  await chat.decide("two", "Deny");
  await chat.submit();
  const answer = await scripted.nextPost();
  await expect(chat.approval).toHaveAttribute("data-state", "submitting");
  await expect(chat.approval.getByRole("status")).toContainText("Sending your decision…");
  await expect(chat.tool("one")).toContainText("You approve");
  await expect(chat.tool("two")).toContainText("You deny");
  await expect(chat.tool("one")).toHaveAttribute("data-state", "PENDING_HUMAN_APPROVAL");
  await expect(chat.approval.getByRole("radio")).toHaveCount(0);
  await expect(chat.button("Submit decisions")).toHaveCount(0);
  answer.begin();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("one")).toHaveAttribute("data-state", "APPROVED");
  await expect(chat.tool("two")).toHaveAttribute("data-state", "DENIED");
  answer.complete("Fine.");
});

test("an answered card is one line for each tool, and the arguments can be opened", async ({ chat }) => {
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
  const open = chat.button("Arguments of send_email");
  await expect(open).toHaveAttribute("aria-expanded", "false");
  await open.click();
  await expect(open).toHaveAttribute("aria-expanded", "true");
  await expect(chat.tool("send_email")).toContainText("your lamp arrived broken");
  await expect(chat.tool("refund_payment").getByRole("definition")).toHaveCount(0);
  await open.click();
  await expect(chat.approval.getByRole("definition")).toHaveCount(0);
});

test("a stop says so at every tool, and the words are a message", async ({ chat }) => {
  await chat.inline();
  await chat.say("approve three");
  await chat.button("Stop and give feedback").click();
  await chat.role("textbox", { name: "Feedback" }).fill("Ask Ada first");
  await chat.button("Stop these actions").click();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  for (const name of ["refund_payment", "send_email", "delete_file"]) await expect(chat.tool(name)).toContainText("Stopped");
  await expect(chat.own.last()).toContainText("Ask Ada first");
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

test("a status that nobody declared is shown as the service says it", async ({ page, chat, scripted }) => {
  const { decide } = await asked(chat, scripted, [tool("b", "one"), tool("b", "two")]);
  decide("EXPIRED", "DENIED");
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("one")).toHaveAttribute("data-state", "EXPIRED");
  await expect(chat.tool("one")).toContainText("EXPIRED");
  await expect(chat.tool("two")).toContainText("Denied");
});

// Nothing runs without a decision, a batch is decided and sent as a whole, and what was asked goes back unchanged.

import { expect, test } from "../../fixtures.js";
import { answers, posted, results, verdicts } from "./posts.js";
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

test("three tools: nothing is sent before all are decided, then all in one post", async ({ chat, service }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve three");
  await chat.decide("refund_payment", "Approve");
  await chat.decide("send_email", "Deny");
  await expect(chat.button("Submit decisions")).toBeDisabled();
  await chat.decide("delete_file", "Deny");
  await chat.decide("delete_file", "Approve");
  const before = await chat.approval.boundingBox();
  await expect(chat.button("Submit decisions")).toBeEnabled();
  expect(posted(requests)).toHaveLength(1);
  await chat.button("Submit decisions").click();
  await expect(chat.lastMessage).toContainText("I did what you approved and left the rest");
  expect(posted(requests)).toHaveLength(2);
  const answer = posted(requests)[1];
  expect(verdicts(answer)).toEqual(["refund_payment: APPROVED", "send_email: DENIED", "delete_file: APPROVED"]);
  expect(new Set(results(answer).map((result) => result.toolExecutionBatchId)).size).toBe(1);
  expect(results(answer)[1].toolArguments.body).toContain("your lamp arrived broken");
  await expect(chat.tool("send_email")).toHaveAttribute("data-state", "DENIED");
  await expect(chat.tool("delete_file")).toHaveAttribute("data-state", "APPROVED");
  expect(await service.statuses()).toEqual(["APPROVED", "DENIED", "APPROVED"]);
  // Answered, it is one line for each tool.
  expect((await chat.approval.boundingBox()).height).toBeLessThan(before.height / 2);
  for (const name of ["refund_payment", "send_email", "delete_file"]) {
    expect((await chat.tool(name).boundingBox()).height).toBeLessThan(64);
  }
});

test("feedback stops the whole batch, and Back keeps the decisions made before", { tag: "@firefox" }, async ({ chat, service }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve three");
  await chat.decide("refund_payment", "Approve");
  await chat.button("Stop and give feedback").click();
  const feedback = chat.role("textbox", { name: "Feedback" });
  await expect(feedback).toBeFocused();
  await expect(chat.approval.getByRole("radio")).toHaveCount(0);
  await feedback.fill("Not this order");
  await chat.button("Back").click();
  await expect(chat.tool("refund_payment").getByRole("radio", { name: "Approve" })).toBeChecked();
  await expect(chat.tool("send_email").getByRole("radio", { name: "Deny" })).not.toBeChecked();
  await chat.button("Stop and give feedback").click();
  await feedback.fill("Take order 4712 instead");
  await chat.button("Stop these actions").click();
  await expect(chat.lastMessage).toContainText("I stopped all three.");
  await expect(chat.lastMessage).toContainText("Take order 4712 instead");
  const answer = posted(requests)[1];
  expect(results(answer).map((result) => result.approvalResult)).toEqual(Array(3).fill("ABORTED_WITH_FEEDBACK"));
  expect(answer.content.filter((item) => item.type === "text").map((item) => item.text)).toEqual(["Take order 4712 instead"]);
  await expect(chat.tool("send_email")).toHaveAttribute("data-state", "ABORTED_WITH_FEEDBACK");
  expect(await service.statuses()).toEqual(Array(3).fill("ABORTED_WITH_FEEDBACK"));
});

test("Enter and a click at the same moment send once", { tag: "@firefox" }, async ({ page, chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve one");
  await chat.decide("refund_payment", "Deny");
  const submit = chat.button("Submit decisions");
  await expect(submit).toBeEnabled();
  await submit.focus();
  const { x, y, width, height } = await submit.boundingBox();
  await Promise.all([page.keyboard.press("Enter"), page.mouse.click(x + width / 2, y + height / 2)]);
  await expect(chat.lastMessage).toContainText("Nothing was paid out");
  expect(answers(requests)).toHaveLength(1);
});

test("choices in two cards do not touch each other, whatever the ids are", async ({ chat, scripted }) => {
  const named = (batch, id, name) => tool(batch, name, { toolExecutionId: id });
  await asked(chat, scripted, [named("a/b", "c", "one"), named("a", "b/c", "two")]);
  await expect(chat.approval).toHaveCount(2);
  await chat.decide("one", "Approve");
  await chat.decide("two", "Deny");
  await expect(chat.tool("one").getByRole("radio", { name: "Approve" })).toBeChecked();
  await expect(chat.tool("two").getByRole("radio", { name: "Deny" })).toBeChecked();
});

// Nothing runs without a decision, a batch is decided and sent as a whole, and what was asked goes back unchanged.

import { expect, test } from "../../fixtures.js";
import { answers, posted, results, verdicts } from "./posts.js";

test("one tool: it is shown whole, waits, and is approved", { tag: "@firefox" }, async ({ chat, service }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
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
  const [thread] = await service.threads();
  const asked = (await service.messages(thread.id)).flatMap((message) => message.toolExecutionHumanApprovalRequest ?? []);
  expect(asked[0].status).toBe("APPROVED");
  expect(results(answer)[0].toolExecutionId).toBe(asked[0].toolExecutionId);
});

test("three tools: nothing is sent before all are decided, then all in one post", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve three");
  await chat.decide("refund_payment", "Approve");
  await chat.decide("send_email", "Deny");
  await expect(chat.button("Submit decisions")).toBeDisabled();
  await chat.decide("delete_file", "Deny");
  await chat.decide("delete_file", "Approve");
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
});

for (const [button, verdict, reply] of [
  ["Approve all", "APPROVED", "All three are done"],
  ["Deny all", "DENIED", "Nothing was done"],
]) {
  test(`${button} decides, and still waits for Submit decisions`, async ({ chat }) => {
    const requests = chat.record();
    await chat.inline();
    await chat.say("approve three");
    await chat.button(button).click();
    await expect(chat.button("Submit decisions")).toBeEnabled();
    expect(posted(requests)).toHaveLength(1);
    await chat.button("Submit decisions").click();
    await expect(chat.lastMessage).toContainText(reply);
    expect(results(posted(requests)[1]).map((result) => result.approvalResult)).toEqual([verdict, verdict, verdict]);
  });
}

test("feedback stops the whole batch, and Back keeps the decisions made before", { tag: "@firefox" }, async ({ chat }) => {
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
});

test("two batches in one request are two cards with an answer each", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("batches together");
  await expect(chat.approval).toHaveCount(2);
  const [first, second] = [chat.approval.first(), chat.approval.last()];
  await first.getByRole("button", { name: "Approve all" }).click();
  await first.getByRole("button", { name: "Submit decisions" }).click();
  await expect(chat.lastMessage).toContainText("One more action waits for your decision");
  await expect(second).toHaveAttribute("data-state", "pending");
  await second.getByRole("radio", { name: "Deny" }).check();
  await second.getByRole("button", { name: "Submit decisions" }).click();
  await expect(chat.lastMessage).toContainText("Both are decided now");
  const [, one, two] = posted(requests);
  expect(verdicts(one)).toEqual(["order_stock: APPROVED", "move_stock: APPROVED"]);
  expect(verdicts(two)).toEqual(["send_newsletter: DENIED"]);
});

test("two requests after each other are two cards, and stopping one leaves the other", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("two batches");
  await expect(chat.approval).toHaveCount(2);
  const [first, second] = [chat.approval.first(), chat.approval.last()];
  await second.getByRole("radio", { name: "Approve" }).check();
  await first.getByRole("button", { name: "Stop and give feedback" }).click();
  await first.getByRole("textbox", { name: "Feedback" }).fill("Hall 7 is closed");
  await first.getByRole("button", { name: "Stop these actions" }).click();
  await expect(first).toHaveAttribute("data-state", "answered");
  await expect(second).toHaveAttribute("data-state", "pending");
  await expect(second.getByRole("radio", { name: "Approve" })).toBeChecked();
  await expect(chat.stop).toHaveCount(0);
  await second.getByRole("button", { name: "Submit decisions" }).click();
  await expect(chat.lastMessage).toContainText("Both are decided now");
  expect(answers(requests).map(verdicts)).toEqual([
    ["order_stock: ABORTED_WITH_FEEDBACK", "move_stock: ABORTED_WITH_FEEDBACK"],
    ["send_newsletter: APPROVED"],
  ]);
});

test("a second request follows the first", async ({ chat }) => {
  await chat.inline();
  await chat.say("approve twice");
  await chat.decide("read_customer", "Approve");
  await chat.button("Submit decisions").click();
  await expect(chat.tool("update_customer")).toBeVisible();
  await chat.decide("update_customer", "Deny");
  await chat.button("Submit decisions").click();
  await expect(chat.lastMessage).toContainText("I left the old address as it is.");
  await expect(chat.approval).toHaveCount(2);
  await expect(chat.tool("read_customer")).toHaveAttribute("data-state", "APPROVED");
  await expect(chat.tool("update_customer")).toHaveAttribute("data-state", "DENIED");
});

test("a long request is shown from its beginning, and its answer is followed", async ({ page, chat }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await chat.inline();
  await chat.say("approve three");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await expect(chat.approval.getByText("Approval needed", { exact: true })).toBeInViewport();
  await chat.button("Approve all").click();
  await chat.button("Submit decisions").click();
  await expect(chat.lastMessage.getByText("The case is closed.")).toBeInViewport();
});

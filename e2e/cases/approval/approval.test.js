// Nothing runs without a decision, a batch is decided and sent as a whole, and what was asked goes back unchanged.

import { expect, test } from "../../fixtures.js";

/** Bodies of posted messages. */
const posted = (requests) =>
  requests.filter(({ method, path }) => method === "POST" && path.endsWith("/messages")).map(({ body }) => JSON.parse(body));
const results = (body) => body.content.find((item) => item.type === "tool_approval_result").toolApprovalResult;
const verdicts = (body) => results(body).map((result) => `${result.toolName}: ${result.approvalResult}`);

test("one tool: it is shown whole, waits, and is approved", async ({ chat, service }) => {
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

test("feedback stops the whole batch, and Back keeps the decisions made before", async ({ chat }) => {
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

test("a double click sends once", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve three");
  await chat.button("Approve all").click();
  await chat.button("Submit decisions").evaluate((button) => {
    button.click();
    button.click();
  });
  await expect(chat.lastMessage).toContainText("All three are done");
  expect(posted(requests)).toHaveLength(2);
});

test("while a decision is open, a message can be typed but is not sent", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toBeVisible();
  await chat.input.fill("and then?");
  await chat.input.press("Enter");
  await expect(chat.send).toBeDisabled();
  await expect(chat.part("composer")).toContainText("The agent waits for your decision above.");
  await chat.decide("refund_payment", "Deny");
  await chat.button("Submit decisions").click();
  await expect(chat.lastMessage).toContainText("Nothing was paid out");
  await expect(chat.input).toHaveValue("and then?");
  expect(posted(requests)).toHaveLength(2);
  await chat.input.press("Enter");
  await expect.poll(() => posted(requests).length).toBe(3);
});

test("arguments that look like something else are text, whole, and cannot draw over the rest", async ({ chat }) => {
  await chat.inline();
  await chat.say("deceptive");
  const money = chat.tool("transfer_money");
  await expect(money).toContainText("<b>Approved by your manager</b> **ready** [see here](https://tracker.invalid/)");
  await expect(chat.approval.getByRole("link")).toHaveCount(0);
  const long = chat.tool("write_file").locator("dd").filter({ hasText: "All work and no play" });
  expect((await long.textContent()).length).toBeGreaterThan(20_000);
  const width = await chat.approval.evaluate((card) => [card.scrollWidth, card.clientWidth]);
  expect(width[0]).toBeLessThanOrEqual(width[1]);
});

test("after a reload a request that cannot be answered here says so, and the chat goes on", async ({ page, chat }) => {
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "unanswerable");
  await expect(chat.approval).toContainText("you can go on in a new conversation.");
  await expect(chat.approval.getByRole("radio")).toHaveCount(0);
  await chat.newThread.click();
  await expect(chat.messages).toHaveCount(0);
  await chat.ask("hello");
});

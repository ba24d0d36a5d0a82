// The specification's table "Approval status of one tool execution", row by row, against the real service.

import { expect, test } from "../../fixtures.js";
import { keptRequests } from "./vault.js";

/** What is stored of all runs of the user's only conversation, as tool and status. */
async function statuses(service) {
  const [thread] = await service.threads();
  const messages = await service.messages(thread.id);
  const runs = messages.flatMap((message) => message.toolExecutionHumanApprovalRequest ?? []);
  return runs.map((run) => `${run.name}: ${run.status}`);
}

const steps = (chat) => chat.role("group", { name: "Agent activity" }).getByRole("listitem");

test.beforeEach(async ({ chat }) => {
  await chat.inline({ activity: "full" });
});

test("the agent asks, PENDING_HUMAN_APPROVAL; to APPROVED: the tool runs with the given arguments", async ({ chat, service }) => {
  await chat.say("approve one");
  await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "PENDING_HUMAN_APPROVAL");
  await expect(steps(chat).filter({ hasText: "approval" })).not.toHaveCount(0);
  expect(await statuses(service)).toEqual(["refund_payment: PENDING_HUMAN_APPROVAL"]);
  const [request] = await keptRequests(chat);
  expect(request).toMatchObject({ toolName: "refund_payment", approvalResult: "PENDING_HUMAN_APPROVAL" });
  await chat.decide("refund_payment", "Approve");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way back to the card ending in 4242");
  await expect(steps(chat).filter({ hasText: "Approved: refund_payment" })).toHaveCount(1);
  await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "APPROVED");
  expect(await statuses(service)).toEqual(["refund_payment: APPROVED"]);
});

test("PENDING_HUMAN_APPROVAL to DENIED: that tool is skipped, and the agent goes on", { tag: "@firefox" }, async ({ chat, service }) => {
  await chat.say("approve three");
  await chat.decide("refund_payment", "Approve");
  await chat.decide("send_email", "Deny");
  await chat.decide("delete_file", "Deny");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("I did what you approved and left the rest");
  for (const step of ["Approved: refund_payment", "Denied: send_email", "Denied: delete_file"]) {
    await expect(steps(chat).filter({ hasText: step })).toHaveCount(1);
  }
  await expect(chat.tool("send_email")).toHaveAttribute("data-state", "DENIED");
  expect(await statuses(service)).toEqual(["refund_payment: APPROVED", "send_email: DENIED", "delete_file: DENIED"]);
});

test("PENDING_HUMAN_APPROVAL to ABORTED_WITH_FEEDBACK: no tool runs, and the agent gets the words", async ({ chat, service }) => {
  await chat.say("approve three");
  await chat.decide("refund_payment", "Approve");
  await chat.button("Stop and give feedback").click();
  await chat.role("textbox", { name: "Feedback" }).fill("Ask Ada first");
  await chat.button("Stop these actions").click();
  await expect(chat.lastMessage).toContainText("I stopped all three.");
  await expect(chat.lastMessage).toContainText("Ask Ada first");
  await expect(steps(chat).filter({ hasText: "Stopped with feedback: " })).toHaveCount(3);
  for (const name of ["refund_payment", "send_email", "delete_file"]) {
    await expect(chat.tool(name)).toHaveAttribute("data-state", "ABORTED_WITH_FEEDBACK");
  }
  const aborted = ["refund_payment", "send_email", "delete_file"].map((name) => `${name}: ABORTED_WITH_FEEDBACK`);
  expect(await statuses(service)).toEqual(aborted);
});

test("PENDING_HUMAN_APPROVAL to ABORTED_WITH_FEEDBACK without a word", async ({ chat, service }) => {
  await chat.say("approve one");
  await chat.button("Stop and give feedback").click();
  await chat.button("Stop these actions").click();
  await expect(chat.lastMessage).toContainText("I stopped and paid nothing");
  expect(await statuses(service)).toEqual(["refund_payment: ABORTED_WITH_FEEDBACK"]);
  await expect(chat.own).toHaveCount(1);
});

for (const [first, button, status] of [
  ["APPROVED", "Approve all", "APPROVED"],
  ["DENIED", "Deny all", "DENIED"],
]) {
  test(`from ${first} there is no way on: a second answer is refused`, async ({ chat, service }) => {
    await chat.say("approve one");
    await expect(chat.approval).toHaveAttribute("data-state", "pending");
    const [request] = await keptRequests(chat);
    await chat.button(button).click();
    await chat.submit();
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
    await expect(chat.stop).toHaveCount(0);
    const [thread] = await service.threads();
    for (const approvalResult of ["APPROVED", "DENIED", "ABORTED_WITH_FEEDBACK"]) {
      const content = [{ type: "tool_approval_result", toolApprovalResult: [{ ...request, approvalResult }] }];
      await expect(service.call("POST", `/${thread.id}/messages`, { content })).rejects.toThrow(/400 .*already/);
    }
    expect(await statuses(service)).toEqual([`refund_payment: ${status}`]);
    await expect(chat.approval.getByRole("radio")).toHaveCount(0);
  });
}

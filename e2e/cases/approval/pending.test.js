// A pending request can be answered after a reload and after a crash; what nobody needs is gone.

import { expect, test } from "../../fixtures.js";
import { answers, verdicts } from "./posts.js";
import { stored, storeRequest, tool } from "../../servers/approvals.js";
import { kept, keptRequests } from "./pending.js";
import { hurry } from "../faults/common.js";

test("after a reload the request is answered, and nothing of it is left", async ({ page, chat, service }) => {
  await chat.inline();
  await chat.asksApproval("approve three");
  expect(await kept(chat)).toHaveLength(3);
  for (const request of await keptRequests(chat)) expect(request.toolMemoryId).not.toBe("");
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await expect(chat.tool("send_email")).toContainText("your lamp arrived broken");
  const requests = chat.record();
  await chat.decide("refund_payment", "Deny");
  await chat.decide("send_email", "Approve");
  await chat.decide("delete_file", "Deny");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("I did what you approved and left the rest");
  expect(answers(requests).map(verdicts)).toEqual([["refund_payment: DENIED", "send_email: APPROVED", "delete_file: DENIED"]]);
  expect(await service.statuses()).toEqual(["DENIED", "APPROVED", "DENIED"]);
  expect(await kept(chat)).toEqual([]);
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("send_email")).toHaveAttribute("data-state", "APPROVED");
});

test("a page that goes away in the middle of the stream leaves a request that a new page answers", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  const post = await chat.post(scripted, "Do it");
  const tools = [tool("b", "one"), tool("b", "two")];
  storeRequest(scripted, post.thread, tools);
  post.send("TOOL_EXECUTION_APPROVAL_REQUEST", "", { toolExecutionApprovalRequest: tools });
  await expect(chat.tool("two")).toBeVisible();
  const next = await chat.tab();
  await chat.page.close();
  // Whether more was asked for is read a few times, before a person may decide.
  await next.page.clock.install();
  await next.inline({ "base-url": scripted.origin });
  await hurry(next.page, () => expect(next.role("button", { name: /^(Approve all|Review next)$/ })).toBeVisible({ timeout: 300 }));
  await next.approveAll();
  await next.submit();
  const answer = await scripted.nextPost();
  expect(answer.content[0].toolApprovalResult.map((result) => result.toolMemoryId)).toEqual(["memory", "memory"]);
  answer.answer("Fine.");
  await expect(next.approval).toHaveAttribute("data-state", "answered");
  expect(await kept(next)).toEqual([]);
});

test("a request that was changed on the device is shown as the service has it, and is not approved", async ({ page, chat, service }) => {
  await chat.inline();
  await chat.asksApproval("approve one");
  await chat.waitsForDecision();
  const [[key, value]] = await kept(chat);
  const changed = JSON.parse(value);
  changed.request.toolArguments.amount = "4.90 EUR";
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [key, JSON.stringify(changed)]);
  const requests = chat.record();
  await page.reload();
  const tool = chat.tool("refund_payment");
  for (const text of ["49.90 EUR", "4711", "Card ending in 4242"]) await expect(tool).toContainText(text);
  await expect(chat.approval).not.toContainText(/\b4\.90/);
  await expect(tool).toContainText("What this browser kept of this request is not what the service has stored, so that it cannot be approved.");
  await expect(chat.verdict("refund_payment", "Approve")).toBeDisabled();
  await chat.decide("refund_payment", "Deny");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Nothing was paid out");
  expect(answers(requests).map(verdicts)).toEqual([["refund_payment: DENIED"]]);
  expect(await service.statuses()).toEqual(["DENIED"]);
});

test("a stored request without toolMemoryId cannot be answered where it was not received; with it, it can", async ({ chat, scripted }) => {
  const asked = tool("b", "one", { reason: "It \u202ewrites.", definitionChanged: true, new: [1] });
  const { reason, definitionChanged, toolMemoryId } = asked;
  for (const more of [{}, { toolMemoryId, reason, definitionChanged, new: [1] }]) {
    const whole = "toolMemoryId" in more;
    const thread = scripted.addThread(whole ? "told" : "plain");
    const item = { ...asked, toolExecutionId: thread.id };
    const request = [stored(item, item.approvalResult, more)];
    scripted.store(thread.id, "assistant", "", { handle: "@scripted", toolExecutionHumanApprovalRequest: request });
  }
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.thread("plain").click();
  await expect(chat.approval).toHaveAttribute("data-state", "unanswerable");
  await chat.thread("told").click();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await expect(chat.tool("one")).toContainText("Why it asks:");
  await expect(chat.tool("one")).toContainText("This tool is new, or changed since it was last approved.");
  await expect(chat.tool("one")).not.toContainText("\u202e");
  await chat.approveAll();
  await chat.submit();
  const answer = await scripted.nextPost();
  const [{ toolApprovalResult }] = answer.content;
  expect(toolApprovalResult).toEqual([{ ...asked, toolExecutionId: answer.thread, approvalResult: "APPROVED" }]);
  answer.answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
});

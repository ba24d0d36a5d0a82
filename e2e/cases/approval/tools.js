// Approval requests as a service streams and stores them.

import { expect } from "../../fixtures.js";

/** One request item; `more` are fields that nobody declared. */
export const tool = (batch, name, more = {}) => ({
  toolId: `id-${name}`,
  toolName: name,
  toolProvider: "Provider",
  toolCategory: "Category",
  toolExecutionId: `execution-${name}`,
  toolExecutionBatchId: batch,
  toolMemoryId: "memory",
  toolArguments: { path: `/${name}` },
  approvalResult: "PENDING_HUMAN_APPROVAL",
  ...more,
});

/** The same item as it is stored: five fields have other names, and `toolMemoryId` is missing; `more` is what extensions add. */
export const stored = (item, status = "PENDING_HUMAN_APPROVAL", more = {}) => ({
  ...more,
  toolId: item.toolId,
  name: item.toolName,
  provider: item.toolProvider,
  category: item.toolCategory,
  toolExecutionId: item.toolExecutionId,
  executionBatchId: item.toolExecutionBatchId,
  toolArguments: item.toolArguments,
  status,
});

/** Streams a request for these tools on a post that waits, and ends the stream. */
export function request(post, ...tools) {
  post.begin();
  post.send("TOOL_EXECUTION_APPROVAL_REQUEST", "", { toolExecutionApprovalRequest: tools });
  post.end();
}

/** Stores the request for these tools. What is returned sets the stored statuses, in the order of the tools. */
export function storeRequest(scripted, thread, ...tools) {
  const asked = tools.map((item) => stored(item));
  scripted.store(thread, "assistant", "", { handle: "@scripted", toolExecutionHumanApprovalRequest: asked });
  return (...statuses) => asked.forEach((item, index) => (item.status = statuses[index]));
}

/** An inline chat at a scripted service, whose agent has asked for these tools, in the stream and in what is stored. */
export async function asked(chat, scripted, tools, settings = {}) {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin, ...settings });
  await chat.say("Do it");
  const post = await scripted.nextPost();
  const decide = storeRequest(scripted, post.thread, ...tools);
  request(post, ...tools);
  await expect(chat.approval.first()).toHaveAttribute("data-state", "pending");
  // The stream ends a moment after the request. Until then nothing is sent.
  await expect(chat.stop).toHaveCount(0);
  return { thread: post.thread, decide };
}

// Approval requests as a service streams and stores them.

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

/** Streams a request for these tools in an answer that has begun, and ends the stream. */
export function request(post, ...tools) {
  post.send("TOOL_EXECUTION_APPROVAL_REQUEST", "", { toolExecutionApprovalRequest: tools });
  post.end();
}

/** Stores the request for these tools. */
export function storeRequest(scripted, thread, tools, status) {
  const asked = tools.map((item) => stored(item, status));
  scripted.store(thread, "assistant", "", { handle: "@scripted", toolExecutionHumanApprovalRequest: asked });
}

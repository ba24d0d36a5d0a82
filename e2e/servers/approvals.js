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

/** What waits in a thread with these stored messages, as the extension `inbox` lists it. */
export function waiting(thread, messages) {
  const { id, threadName, agentId, agentName, agentHandle } = thread;
  const asked = messages.flatMap(({ timestamp, toolExecutionHumanApprovalRequest: all = [] }) => all.map((item) => ({ ...item, timestamp })));
  const open = asked.filter(({ status }) => status === "PENDING_HUMAN_APPROVAL");
  const batches = [...new Set(open.map(({ executionBatchId }) => executionBatchId))];
  const grouped = batches.map((batch) => open.filter(({ executionBatchId }) => executionBatchId === batch));
  return grouped.map((items) => ({
    toolExecutionBatchId: items[0].executionBatchId,
    threadId: id,
    threadName,
    agentId,
    agentName,
    agentHandle,
    requestedAt: items[0].timestamp,
    expiresAt: items[0].expiresAt,
    tools: items.map(({ toolId, name, provider, category, toolExecutionId, reason }) => ({
      toolId,
      toolName: name,
      toolProvider: provider,
      toolCategory: category,
      toolExecutionId,
      reason,
    })),
  }));
}

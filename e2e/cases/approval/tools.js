// Approval requests as a service streams them.

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

/** Streams a request for these tools on a held post, and ends the stream. */
export function request(post, ...tools) {
  post.begin();
  post.send("TOOL_EXECUTION_APPROVAL_REQUEST", "", { toolExecutionApprovalRequest: tools });
  post.end();
}

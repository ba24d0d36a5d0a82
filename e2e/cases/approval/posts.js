// What recorded requests say about decisions.

/** Bodies of posted messages. */
export const posted = (requests) =>
  requests.filter(({ method, path }) => method === "POST" && path.endsWith("/messages")).map(({ body }) => JSON.parse(body));

/** Those of them that answer a request for approval. */
export const answers = (requests) => posted(requests).filter((body) => results(body));

/** The items of an answer. */
export const results = (body) => body.content.find((item) => item.type === "tool_approval_result")?.toolApprovalResult;

/** Tools and decisions of an answer. */
export const verdicts = (body) => results(body).map((result) => `${result.toolName}: ${result.approvalResult}`);

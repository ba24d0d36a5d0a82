// @ts-check
// A conversation with something of everything, on the service that was started together with this
// page.

/**
 * The demo's key, as on its other pages, and a user of its own: each browser and each visit sees
 * the same conversation.
 */
export const SAMPLE = new Map([["agent-id", "demo"], ["api-key", "dev-key"], ["user-id", "theme-sample"]]);

const THREADS = "/api/assistants/threads";
/** What the agent is asked; its answers have headings, code, a table and links. */
const QUESTIONS = ["hello", "markdown"];

/** @param {string} path @param {object} [body] */
async function call(path, body) {
  const response = await fetch(`${THREADS}${path}`, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${SAMPLE.get("api-key")}`, "X-Service-User-Id": SAMPLE.get("user-id") ?? "", "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return response;
}

/** The id of the conversation, which is made if it is not there yet. @returns {Promise<string>} */
export async function sample() {
  const [known] = await (await call(`/${SAMPLE.get("agent-id")}`)).json();
  if (known) return known.id;
  const thread = await (await call("", { agentId: SAMPLE.get("agent-id") })).json();
  for (const text of QUESTIONS) {
    const answer = await call(`/${thread.id}/messages`, { content: [{ type: "text", text }] });
    // To its end, then it is stored.
    await answer.text();
  }
  return thread.id;
}

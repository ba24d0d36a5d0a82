// The client that the conformance suite runs: the service with one agent, whose model calls the tools
// that the scenario has. The address of the suite's server is the last argument.

import { call, desk } from "./desk.js";

const CALLS = {
  initialize: [],
  tools_call: [call("suite__add_numbers", { a: 5, b: 3 })],
  "sse-retry": [call("suite__test_reconnection", {})],
};

const calls = CALLS[process.env.MCP_CONFORMANCE_SCENARIO];
const url = process.argv.at(-1);
const ours = await desk({
  toml: (model) =>
    `[model]\nbase_url = "${model}"\nname = "mock"\n[[mcp]]\nid = "suite"\nurl = "${url}"\n[policy]\ndefault = "auto"\n`,
});
try {
  if (calls.length > 0) ours.model.on({ userMessage: "go", hasToolResult: false }, { toolCalls: calls });
  ours.model.on({ userMessage: "go", hasToolResult: calls.length > 0 }, { content: "Done." });
  const answer = await ours.say("go");
  if (answer.text !== "Done.") throw new Error(answer.text ?? answer.content("ERROR"));
} finally {
  await ours.stop();
}

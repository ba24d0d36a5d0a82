// Keys: each is sent to the one place that it is for, and is found nowhere else, not in a log that
// tells everything, and not where the other side says it aloud.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { call, desk, server } from "./desk.js";

/** Starts a server of chat completions or tools that refuses with all that it was sent. */
async function parrot(t, status, location = "/elsewhere") {
  const heard = [];
  const http = createServer((request, response) => {
    heard.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(status, { "content-type": "application/json", location });
    response.end(JSON.stringify({ error: { message: heard.at(-1) } }));
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  t.after(() => http.close());
  return { url: `http://127.0.0.1:${http.address().port}`, heard };
}

test("no key gets into a table, an event, an error or a log", async (t) => {
  const main = await parrot(t, 400);
  const other = await parrot(t, 400);
  const tools = await parrot(t, 307, `${other.url}/mcp`);
  const keys = ["MAIN", "HEADER", "QUERY", "SECOND", "TOOL", "SEARCH", "PROGRAM"];
  const ours = await desk({
    env: {
      RUST_LOG: "trace",
      ...Object.fromEntries(keys.map((name) => [`KEY_${name}`, `canary-${name.toLowerCase()}`])),
    },
    files: { "second.key": "canary-second\n" },
    toml: (url) => `[model]
base_url = "${main.url}/v1"
name = "first"
api_key = { env = "KEY_MAIN" }
headers = { x-key = { env = "KEY_HEADER", prefix = "Key " } }
query = { version = "1", key = { env = "KEY_QUERY" } }
retries = 0
fallback = ["second"]
[[models]]
id = "second"
base_url = "${url}"
name = "second"
api_key = { file = "second.key" }
[[mcp]]
id = "far"
url = "${tools.url}/mcp"
headers = { authorization = { env = "KEY_TOOL", prefix = "Bearer " } }
query = { key = { env = "KEY_SEARCH" } }
[[mcp]]
id = "every"
command = ${server("@modelcontextprotocol/server-everything", "stdio")}
env = { PROGRAM = { env = "KEY_PROGRAM" } }
[policy]
default = "auto"
`,
  });
  t.after(ours.stop);
  ours.model.on({ userMessage: "look", hasToolResult: false }, { toolCalls: [call("every__get-env", {})] });
  ours.model.on({ userMessage: "look", hasToolResult: true }, { content: "Looked." });
  ours.model.on({ userMessage: "fail" }, { error: { message: "no canary-second, no canary-main" }, status: 400 });
  const answers = [await ours.say("look"), await ours.say("fail")];
  assert.match(answers[0].text, /The tool server far cannot be used/);
  assert.match(answers[0].text, /Looked\.$/);
  assert.match(answers[1].content("ERROR"), /refused the request \(400\)/);
  const checked = await ours.check();
  assert.match(checked, /every\/get-env: auto/);

  // Each was sent where it belongs, so that looking for it elsewhere says something.
  for (const key of ["Bearer canary-main", "Key canary-header", "key=canary-query"])
    assert.ok(main.heard[0].includes(key), main.heard[0]);
  for (const key of ["Bearer canary-tool", "key=canary-search"])
    assert.ok(tools.heard[0].includes(key), tools.heard[0]);
  assert.deepEqual(other.heard, [], "a key follows no redirect to another server");
  const sent = ours.model.getRequests();
  assert.match(JSON.stringify(sent.at(-1).body), /hidden/, "the program has its key, and says it");

  const files = (await readdir(ours.folder)).filter((name) => name.startsWith("desk.sqlite"));
  const places = {
    events: JSON.stringify(answers),
    stored: JSON.stringify(await ours.stored()),
    log: ours.log.join("\n"),
    check: checked,
    model: JSON.stringify(sent.map((entry) => entry.body)),
  };
  for (const file of files) places[file] = await readFile(join(ours.folder, file), "latin1").catch(() => "");
  assert.ok(places.log.length > 10_000, "the log tells everything");
  for (const [place, text] of Object.entries(places)) {
    const at = text.indexOf("canary-");
    assert.equal(at, -1, `${place}: ${text.slice(Math.max(0, at - 200), at + 60)}`);
  }
});

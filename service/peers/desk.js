// The real service with one agent, a model of aimock, and the tool servers that a test names.

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { LLMock } from "@copilotkit/aimock";

const KEY = "desk-key";
const root = fileURLToPath(new URL("../..", import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const program = join(target, "debug", "assent-service");

/** Returns the program of an npm package, as an agent file names it. */
export function server(name, ...args) {
  const file = new URL(`node_modules/${name}/dist/index.js`, import.meta.url);
  return JSON.stringify([process.execPath, fileURLToPath(file), ...args]);
}

/** Returns a call as aimock takes it. */
export const call = (name, args) => ({ name, arguments: JSON.stringify(args) });

/**
 * Starts a model and the service. `toml(url, folder)` is the agent file behind `[agent]`; the folder
 * `files` beside the agents is for tools. The environment of the service is `env` and a `PATH`.
 */
export async function desk({ toml, files = {}, env = {} }) {
  const folder = await mkdtemp(join(tmpdir(), "assent-peers-"));
  const model = new LLMock({ port: 0 });
  await model.start();
  await mkdir(join(folder, "files"));
  const agent = 'name = "Desk"\nhandle = "@desk"\nbuild_id = "1"\nbuild_type = "TEST"';
  // Requests for titles come beside those that the tests count.
  const head = `instructions = "Help."\n[titles]\nenabled = false\n[agent]\n${agent}`;
  const agents = { "agent.toml": `${head}\n${toml(`${model.url}/v1`, folder)}` };
  for (const [name, text] of Object.entries({ ...agents, ...files })) {
    const path = join(folder, "agents", "desk", name);
    await mkdir(dirname(path), { recursive: true });
    // The service takes no key from a file that everybody can read.
    await writeFile(path, text, { mode: 0o600 });
  }
  const args = ["--agents", join(folder, "agents")];
  const run = (more) => {
    const child = spawn(program, [...args, ...more], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return child;
  };
  const service = run(["--listen", "127.0.0.1:0", "--database", join(folder, "desk.sqlite"), "--api-key", KEY, "--pace", "0"]);
  const log = [];
  const listening = new Promise((resolve, reject) => {
    createInterface({ input: service.stderr }).on("line", (line) => {
      log.push(line);
      const address = /listening on (http:\/\/[\d.:]+)/.exec(line);
      if (address) resolve(address[1]);
    });
    service.once("exit", (code) => reject(new Error(`the service ended (${code}): ${log.join("\n")}`)));
  });
  const url = await listening;
  const request = async (user, method, path, body) => {
    const response = await fetch(`${url}/api/assistants/threads${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}`, "x-service-user-id": user, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    return text;
  };
  /** Starts a thread of a user. */
  const talk = async (user) => {
    const thread = JSON.parse(await request(user, "POST", "", { agentId: "desk" })).id;
    const post = async (...content) => {
      const stream = await request(user, "POST", `/${thread}/messages`, { content });
      const data = stream.split("\n").filter((line) => line.startsWith("data:"));
      const events = data.map((line) => JSON.parse(line.slice("data:".length)));
      return new Answer(events);
    };
    return {
      say: (text) => post({ type: "text", text }),
      /** Answers the request for approval of an answer, with one result for all its tools. */
      decide: (answer, approvalResult) =>
        post({ type: "tool_approval_result", toolApprovalResult: answer.asked.map((tool) => ({ ...tool, approvalResult })) }),
      stored: async () => JSON.parse(await request(user, "GET", `/${thread}/messages`)),
    };
  };
  return {
    ...(await talk("ada")),
    talk,
    folder,
    log,
    model,
    service,
    file: (name) => join(folder, "files", name),
    /** Returns what the model was sent, oldest first. */
    sent: () => model.getRequests().map((entry) => entry.body),
    /** Returns what `check-agents` prints. */
    check: async () => {
      const check = run(["check-agents"]);
      let printed = "";
      for (const stream of [check.stdout, check.stderr]) stream.on("data", (data) => (printed += data));
      await once(check, "close");
      return printed;
    },
    stop: async () => {
      if (service.exitCode === null) {
        service.kill("SIGTERM");
        await once(service, "exit");
      }
      await model.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The events of an answer. */
class Answer {
  constructor(events) {
    this.events = events;
  }

  get types() {
    return this.events.map((event) => event.type);
  }

  /** Returns the content of the last event of a type. */
  content(type) {
    return this.events.findLast((event) => event.type === type)?.eventMessage.content;
  }

  get text() {
    return this.content("AGENT_RESPONSE_COMPLETE");
  }

  /** The tools that are asked about. */
  get asked() {
    const asks = this.events.filter((event) => event.type === "TOOL_EXECUTION_APPROVAL_REQUEST");
    return asks.flatMap((event) => event.eventMessage.toolExecutionApprovalRequest);
  }
}

/** Returns the results of tools in a request to the model. */
export function results(request) {
  return request.messages.filter((message) => message.role === "tool").map((message) => message.content);
}

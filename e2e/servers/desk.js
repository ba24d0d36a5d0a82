// The real service with one agent that has a model and a files server, in a folder of its own that goes with it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { API_KEY, PAGE_ORIGIN } from "./addresses.js";

const inside = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** xtask has installed it, as for the demo. */
const FILES_SERVER = "target/dev/tools/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";

export class Desk {
  #process;
  #folder = mkdtempSync(join(realpathSync(tmpdir()), "assent-desk-"));
  /** The folder that its tools work in. */
  files = join(this.#folder, "files");

  /**
   * Starts it; `model` are lines of the agent file's table `[model]`, and `through` is a script between agent and files server,
   * or null for an agent without that server. `policy` is its table `[policy]`.
   */
  static async start({ model, through = [], policy = "", origin = PAGE_ORIGIN }) {
    const desk = new Desk();
    const agent = join(desk.#folder, "agents/desk");
    for (const folder of [agent, desk.files]) mkdirSync(folder, { recursive: true });
    const files = through && filesServer(["node", ...through, inside(FILES_SERVER), desk.files]);
    writeFileSync(join(agent, "agent.toml"), `${agentFile(model)}${files ?? ""}${policy}`);
    desk.origin = await desk.#run(origin, "127.0.0.1:0");
    return desk;
  }

  /** Kills it, and starts it again at the same address. */
  async killed(origin = PAGE_ORIGIN) {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
    await this.#run(origin, new URL(this.origin).host);
  }

  async #run(origin, address) {
    const flags = ["--listen", address, "--api-key", API_KEY, "--allow-origin", origin, "--shutdown-grace", "0"];
    const folders = ["--agents", join(this.#folder, "agents"), "--database", join(this.#folder, "assent.sqlite")];
    this.#process = spawn(inside("target/debug/assent-service"), [...flags, ...folders], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    for await (const line of createInterface({ input: this.#process.stderr })) {
      said += `${line}\n`;
      const [, origin] = /listening on (http:\/\/[\d.:]+)/.exec(line) ?? [];
      if (!origin) continue;
      // What it says later is not looked at, and must not keep it waiting.
      this.#process.stderr.resume();
      return origin;
    }
    throw new Error(`The service did not start:\n${said}`);
  }

  async stop() {
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill("SIGTERM");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const agentFile = (model) => `
instructions = "You write files. Answer briefly."
[agent]
name = "Larkspur desk"
handle = "@desk"
build_id = "1"
build_type = "TEST"
[model]
${model}
[titles]
enabled = false
`;

const filesServer = (command) => `
[[mcp]]
id = "files"
command = ${JSON.stringify(command)}
[policy]
trust_read_only = ["files"]
`;

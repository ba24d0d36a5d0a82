// Replicas of the real service with one agent that has a model, as `cargo xtask replicas` starts them: on a PostgreSQL of their
// own, behind HAProxy, and started again when they are killed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { API_KEY } from "./addresses.js";

const program = (name) => fileURLToPath(new URL(`../../target/debug/${name}`, import.meta.url));

const REPLICA = /replica (\d+), process (\d+): (http:\/\/[\d.:]+), (http:\/\/[\d.:]+\/metrics)$/;
const PROXY = /^HAProxy: (http:\/\/[\d.:]+)$/;

export class Replicas {
  #xtask;
  #lines;
  #folder = mkdtempSync(join(tmpdir(), "assent-replicas-"));
  /** What each replica is, by its number: `{number, process, origin, metrics}`. */
  #all = new Map();
  /** The address of HAProxy. */
  origin;

  /** Starts three of them; `model` is the address of the model. */
  static async start({ model }) {
    const replicas = new Replicas();
    const agent = join(replicas.#folder, "agents/desk");
    mkdirSync(agent, { recursive: true });
    writeFileSync(join(agent, "agent.toml"), agentFile(model));
    await replicas.#run(["--agents", join(replicas.#folder, "agents"), "--api-key", API_KEY, "--shutdown-grace", "0"]);
    return replicas;
  }

  async #run(options) {
    const words = ["replicas", "3", program("assent-service"), ...options];
    this.#xtask = spawn(program("xtask"), words, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, RUST_LOG: "error" } });
    this.#lines = createInterface({ input: this.#xtask.stdout });
    this.#lines.on("line", (line) => {
      const [, number, id, origin, metrics] = REPLICA.exec(line) ?? [];
      if (number) this.#all.set(Number(number), { number: Number(number), process: Number(id), origin, metrics });
      this.origin ??= PROXY.exec(line)?.[1];
    });
    const ended = once(this.#xtask, "exit").then(([code]) => Promise.reject(new Error(`The replicas did not start: ${code}`)));
    while (!this.origin) await Promise.race([once(this.#lines, "line"), ended]);
    ended.catch(() => {});
  }

  get all() {
    return [...this.#all.values()];
  }

  /** The replica whose process has a connection at this port of its own. */
  at(port) {
    const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
    const connections = readFileSync("/proc/net/tcp", "utf8").split("\n").map((line) => line.trim().split(/\s+/));
    const socket = `socket:[${connections.find(([, address]) => address?.endsWith(local))?.[9]}]`;
    return this.all.find(({ process }) => sockets(process).includes(socket));
  }

  /** The replicas that stream an answer to somebody. */
  async streaming() {
    const streams = async ({ metrics }) => /^assent_streams (\d+)$/m.exec(await (await fetch(metrics)).text())[1];
    const counts = await Promise.all(this.all.map(streams));
    return this.all.filter((_, index) => counts[index] !== "0");
  }

  /** Kills a replica, and waits until it is started again. */
  async kill({ number, process: id }) {
    process.kill(id, "SIGKILL");
    while (this.#all.get(number).process === id) await once(this.#lines, "line");
  }

  async stop() {
    const ended = new Promise((resolve) => this.#xtask.once("exit", resolve));
    this.#xtask.kill("SIGTERM");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The files that a process has open and that are no files. */
function sockets(process) {
  const folder = `/proc/${process}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(join(folder, name))];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

/** An agent whose only tool asks a person and needs no server. */
const agentFile = (model) => `
instructions = "You tell stories."
[agent]
name = "Larkspur desk"
handle = "@desk"
build_id = "1"
build_type = "TEST"
[model]
base_url = "${model}"
name = "small"
[memory]
per_user = 50
[policy]
default = "ask"
[titles]
enabled = false
`;

// A fresh clone of the commit, and programs that run in it. It shares with the repository what is compiled (the target
// folder, with the tools in it), by the environment, and nothing else.

import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
/** One folder for each checkout, the same each time, so that what is compiled for it is overwritten and not added.
 * Not inside of the target folder: Trunk looks for no changes there. */
export const CLONE = join(tmpdir(), `assent-front-door-${createHash("sha256").update(ROOT).digest("hex").slice(0, 12)}`);
const ENVIRONMENT = { ...process.env, CARGO_TARGET_DIR: TARGET };

/** The paths that git prints. @param {string[]} parameters */
const paths = (...parameters) =>
  execFileSync("git", [...parameters, "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);

/** A path and the folders that it is in. @param {string} path @returns {string[]} */
const withFolders = (path) => (path === "." ? [] : [path, ...withFolders(dirname(path))]);

/** Makes the clone anew. What is there as it is in the repository is as old, too: what was compiled of it is not compiled again. */
export function clone() {
  remove();
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", ROOT, CLONE]);
  const changed = new Set(paths("diff", "--name-only", "HEAD").flatMap(withFolders));
  const same = new Set(paths("ls-files").flatMap(withFolders));
  for (const path of [...same].filter((path) => !changed.has(path))) {
    const { atime, mtime } = statSync(join(ROOT, path));
    utimesSync(join(CLONE, path), atime, mtime);
  }
  // Git takes a file of another time for a changed one, and would write it anew when it restores the others.
  execFileSync("git", ["update-index", "-q", "--refresh"], { cwd: CLONE });
}

export const remove = () => rmSync(CLONE, { recursive: true, force: true });

/** Makes it as it was: no change, nothing that was built or installed. What has not changed is not compiled again. */
export function restore() {
  execFileSync("git", ["checkout", "--quiet", "."], { cwd: CLONE });
  execFileSync("git", ["clean", "--quiet", "-ffdx"], { cwd: CLONE });
}

export const read = (path) => readFileSync(join(CLONE, path), "utf8");

/** The commands that README.md prints in blocks for a shell, in order. */
export function commandsOfReadme() {
  const blocks = read("README.md").matchAll(/^```sh\n([\s\S]*?)^```/gm);
  return [...blocks].flatMap(([, block]) => block.trim().split("\n"));
}

/** A command line that runs in the clone. */
export class Program {
  /** What it has printed so far. */
  output = "";
  #child;
  #ended;
  /** Whoever waits for more output, or for the end of it. @type {(() => void)[]} */
  #waiting = [];

  constructor(line, environment = {}) {
    // `exec`: signals go to the program and not to a shell before it.
    this.#child = spawn("sh", ["-c", `exec ${line}`], {
      cwd: CLONE,
      env: { ...ENVIRONMENT, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        this.output += text;
        process.stdout.write(text);
        this.#wake();
      });
    }
    this.#ended = new Promise((resolve) => this.#child.once("close", (code, signal) => resolve(signal ?? code)));
    this.#ended.then(() => this.#wake());
  }

  /** Waits for text that it prints, and returns the match; fails where it ends without them. @param {RegExp} pattern */
  async says(pattern) {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw new Error(`It ended without saying ${pattern}.`);
      await new Promise((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake() {
    for (const resume of this.#waiting.splice(0)) resume();
  }

  /** Asks it to end, and returns its exit code. @param {NodeJS.Signals} signal */
  interrupt(signal = "SIGINT") {
    this.#child.kill(signal);
    return this.#ended;
  }

  /** Its exit code, once it has ended by itself. */
  get ended() {
    return this.#ended;
  }
}

/** The command lines of all processes that run in the clone. */
export function running() {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.flatMap((id) => {
    try {
      const folder = readlinkSync(`/proc/${id}/cwd`);
      return folder.startsWith(CLONE) ? [readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ")] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

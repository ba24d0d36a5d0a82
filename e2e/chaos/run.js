// Seeded sessions in a real browser, behind a bad network, against the real service.
//
//   node e2e/chaos/run.js [--sessions N] [--seed S] [--jobs N] [--browser NAME] [--tell]
//
// --seed: the seed of the first session, the next ones follow; without it, the clock. --jobs: sessions at a time (3).
// --browser: chromium or firefox.
// --tell: what happened in each session, and not only in those that fail.
// ASSENT_SHOTS: a folder for pictures of what failed sessions showed at last.
// A failed session is played again with `--sessions 1 --seed S`.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, firefox } from "@playwright/test";
import { API_KEY, PAGE_ORIGIN, SERVICE_ORIGIN, SERVICE_PORT } from "../servers/addresses.js";
import { FIREFOX, HEADLESS_SHELL } from "../servers/browser.js";
import { act } from "./actions.js";
import { check } from "./checks.js";
import { fault } from "./faults.js";
import { FaultProxy, spell } from "./proxy.js";
import { Random } from "./random.js";
import { Session } from "./session.js";

const ACTIONS = 20;
/** How bad networks are: the chance of a fault for each request. */
const WEATHER = [0.05, 0.2, 0.35, 0.5];
/** A session that takes longer hangs, in milliseconds. */
const LIMIT = 120_000;

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const option = (/** @type {string} */ name, /** @type {number} */ otherwise) => {
  const at = process.argv.indexOf(name);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} takes a whole number.`);
  return value;
};

/** @param {import("@playwright/test").Browser} browser @param {number} seed */
async function play(browser, seed) {
  const random = new Random(`session ${seed}`);
  const chance = random.pick(WEATHER);
  const proxy = new FaultProxy((kind, number) => fault(kind, random.named(`${kind} ${number}`), chance), SERVICE_ORIGIN);
  await proxy.start();
  const session = new Session(browser, seed, proxy);
  /** @type {string[]} */
  const story = [];
  /** @type {string[]} */
  const actions = [];
  /** @type {string[]} */
  let problems = [];
  const started = Date.now();
  const whole = async () => {
    await session.start();
    for (let number = 1; number <= ACTIONS; number += 1) {
      const before = proxy.seen.length;
      const { name, done, tab, note, before: last } = await act(session, random.named(`action ${number}`));
      const late = done ? "" : ", too late";
      actions.push(name + late);
      story.push(`${number}. tab ${tab + 1}, ${last}: ${`${name} ${note}${late}`.trim()} [${proxy.seen.slice(before).map(spell).join(", ")}]`);
    }
    problems = await check(session, { service: SERVICE_ORIGIN, key: API_KEY });
  };
  const limit = new Promise((_, reject) => {
    AbortSignal.timeout(LIMIT).addEventListener("abort", () => reject(new Error(`It did not end within ${LIMIT / 1000} s.`)));
  });
  try {
    await Promise.race([whole(), limit]);
  } catch (error) {
    problems.push(error instanceof Error ? error.stack ?? error.message : String(error), ...session.complaints);
  } finally {
    if (problems.length && process.env.ASSENT_SHOTS) {
      for (const [index, page] of session.pages.entries()) await page.screenshot({ path: join(process.env.ASSENT_SHOTS, `${seed}-${index + 1}.png`) }).catch(() => {});
    }
    await session.stop();
    proxy.stop();
  }
  return { seed, problems, story, actions, seen: proxy.seen, took: Date.now() - started };
}

/** How often each is there, most often first. @param {string[]} names */
function count(names) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return Object.entries(counts).sort(([, a], [, b]) => b - a).map(([name, number]) => `${name} ${number}`).join(", ");
}

/** Starts a program that ends with this one. @param {string} program @param {string[]} parameters */
function start(program, parameters) {
  const child = spawn(program, parameters, { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, RUST_LOG: "error" } });
  child.on("error", (error) => console.error(`${program} could not be started: ${error.message}`));
  process.on("exit", () => child.kill());
  return child;
}

/** Waits until a server answers. @param {string} address */
async function answers(address) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(address).then(({ ok }) => ok, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${address} does not answer.`);
}

/** Starts the browser that is asked for. */
function launch() {
  const at = process.argv.indexOf("--browser");
  const name = at < 0 ? "chromium" : process.argv[at + 1];
  if (name === "chromium") return chromium.launch(HEADLESS_SHELL);
  if (name !== "firefox") throw new Error("--browser takes chromium or firefox.");
  return firefox.launch({ channel: "moz-firefox", ...FIREFOX });
}

async function main() {
  const sessions = option("--sessions", 40);
  const first = option("--seed", Date.now() % 1_000_000);
  const folder = mkdtempSync(join(tmpdir(), "assent-chaos-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const flags = ["--listen", `127.0.0.1:${SERVICE_PORT}`, "--database", join(folder, "assent.sqlite"), "--agents", here("agents"), "--api-key", API_KEY, "--allow-origin", PAGE_ORIGIN, "--pace", "0.2", "--user-rate", "0", "--shutdown-grace", "1"];
  start(here("../../target/debug/assent-service"), flags);
  start(process.execPath, [here("../servers/static.js")]);
  await Promise.all([answers(`${SERVICE_ORIGIN}/healthz`), answers(`${PAGE_ORIGIN}/dist/manifest.json`)]);
  const browser = await launch();
  /** @type {Awaited<ReturnType<typeof play>>[]} */
  const results = [];
  const started = Date.now();
  let next = first;
  const work = async () => {
    while (next < first + sessions) {
      const result = await play(browser, next++);
      results.push(result);
      const { seed, problems, story, took } = result;
      const failed = problems.length > 0;
      console.log(`session ${seed}: ${failed ? "FAILED" : "ok"} (${(took / 1000).toFixed(1)} s)`);
      for (const problem of problems) console.log(`    ${problem}`);
      if (failed || process.argv.includes("--tell")) for (const line of story) console.log(`      ${line}`);
    }
  };
  await Promise.all(Array.from({ length: option("--jobs", 3) }, work));
  await browser.close();
  const failed = results.filter(({ problems }) => problems.length > 0).map(({ seed }) => seed).sort((a, b) => a - b);
  const seen = results.flatMap((result) => result.seen);
  const faults = seen.flatMap(({ kind, fault }) => (fault ? [`${kind} ${fault.kind}`] : []));
  console.log(`\n${results.length} sessions in ${((Date.now() - started) / 1000).toFixed(0)} s, seeds ${first} to ${first + sessions - 1}`);
  console.log(`actions: ${count(results.flatMap(({ actions }) => actions))}`);
  console.log(`requests: ${seen.length}, of these spoiled: ${faults.length} (${count(faults)})`);
  console.log(`# pass ${results.length - failed.length}\n# fail ${failed.length}`);
  for (const seed of failed) console.log(`play it again: cargo xtask chaos --sessions 1 --seed ${seed}`);
  return failed.length ? 1 : 0;
}

process.exit(await main());

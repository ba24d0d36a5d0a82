// @ts-check
// Modules that are fetched once, and again after a failure or a stall.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { lazy, part } from "../lazy.js";

/** @import { TestContext } from "node:test" */
/** @typedef {ReadableStreamDefaultController<Uint8Array>} Body */

const folder = mkdtempSync(join(tmpdir(), "assent-lazy-"));
after(() => rmSync(folder, { recursive: true }));

/** A module of these addresses. @param {URL} script @param {URL | "" | false | undefined} [wasm] */
const lazyOf = (script, wasm) => lazy(() => script, wasm ? () => wasm : undefined);

/** The downloads that a test sends by itself, by file name; each request is added to its list.
 * @type {Map<string, Body[]>} */
const held = new Map();

globalThis.fetch = async (address, { signal } = {}) => {
  const url = new URL(String(address));
  const file = fileURLToPath(url);
  const hold = held.get(url.pathname.split("/").at(-1) ?? "");
  if (!hold) return existsSync(file) ? new Response(readFileSync(file)) : new Response("", { status: 404 });
  return new Response(new ReadableStream({
    start(body) {
      hold.push(body);
      signal?.addEventListener("abort", () => body.error(signal.reason));
    },
  }));
};

const address = (/** @type {string} */ name) => pathToFileURL(join(folder, name));

/** Writes a module, and returns its address. @param {string} name @param {string} text */
function script(name, text) {
  writeFileSync(join(folder, name), text);
  return address(name);
}

/** Writes glue that reads its module to the end. @param {string} name */
const glue = (name) => script(name, "export default async ({ module_or_path }) => void (await module_or_path.arrayBuffer());");

/** Holds the downloads of a file. @param {string} name */
function hold(name) {
  const requests = /** @type {Body[]} */ ([]);
  held.set(name, requests);
  return requests;
}

/** A clock that a test moves. What is under way goes on between two seconds. @param {TestContext} context */
function clock(context) {
  context.mock.timers.enable({ apis: ["setInterval"] });
  return async (/** @type {number} */ seconds) => {
    for (let second = 0; second <= seconds; second++) {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (second < seconds) context.mock.timers.tick(1000);
    }
  };
}

/** Waits for a condition. @param {() => unknown} condition */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** What became of a promise. @param {Promise<unknown>} promise */
function outcome(promise) {
  const it = { is: "pending" };
  promise.then(() => (it.is = "loaded"), (error) => (it.is = error.message));
  return it;
}

beforeEach(() => held.clear());

test("a module is fetched once, and its value is available afterwards", async () => {
  const module = lazyOf(script("once.mjs", "export const { url } = import.meta;"));
  assert.equal(module.value, null);
  const [one, two] = await Promise.all([module.load(), module.load()]);
  assert.equal(one.url, address("once.mjs").href, "as long as nothing failed, no address is another one");
  assert.equal(one, two);
  assert.equal(module.value, one);
});

test("a failed download is retried, although the browser remembers failed imports", async () => {
  const module = lazyOf(address("lost.mjs"));
  await assert.rejects(module.load());
  assert.equal(module.value, null);
  script("lost.mjs", "export const name = 'found';");
  assert.equal((await module.load()).name, "found");
});

test("WebAssembly is started by its glue code, and a failed start is retried", async () => {
  const text = `export const name = "glue";
    export default async ({ module_or_path }) => {
      globalThis.asked = [...(globalThis.asked ?? []), await module_or_path.text()];
      if (asked.length < 2) throw new Error("lost");
    };`;
  const module = lazyOf(script("glue.mjs", text), script("glue_bg.wasm", "code"));
  await assert.rejects(module.load(), /lost/);
  assert.equal((await module.load()).name, "glue");
  assert.deepEqual(/** @type {any} */ (globalThis).asked, ["code", "code"]);
});

test("a part is linked by the glue of what it is a part of, and fetched again after a failure", async () => {
  const linked = /** @type {string[]} */ ([]);
  /** @param {string} name */
  const link = (name) => async (/** @type {{ module_or_path: Response }} */ { module_or_path }) => {
    linked.push(`${name}: ${await module_or_path.text()}`);
    if (linked.length < 2) throw new Error("lost");
  };
  const card = part("card", async () => ({ link }), () => script("part_bg.wasm", "code"));
  await assert.rejects(card.load(), /lost/);
  await card.load();
  await card.load();
  assert.deepEqual(linked, ["card: code", "card: code"]);
});

test("WebAssembly is fetched once, however often its module is requested", async () => {
  const requests = hold("single_bg.wasm");
  const module = lazyOf(glue("single.mjs"), script("single_bg.wasm", "code"));
  const loads = [module.load(), module.load()];
  await until(() => requests.length);
  for (const request of requests) request.close();
  await Promise.all([...loads, module.load()]);
  assert.equal(requests.length, 1);
});

test("a module is fetched again after it was dropped", async () => {
  const module = lazyOf(script("forgotten.mjs", "export const id = {};"));
  const { id } = await module.load();
  module.forget();
  assert.equal(module.value, null);
  assert.notEqual((await module.load()).id, id);
});

for (const percent of [0, 50, 99])
  test(`WebAssembly that stalls at ${percent} % is aborted and fetched again`, async (context) => {
    const pass = clock(context);
    const requests = hold("stalled_bg.wasm");
    const module = lazyOf(glue("stalled.mjs"), script("stalled_bg.wasm", "code".repeat(25)));
    const end = outcome(module.load());
    await until(() => requests.length);
    const content = readFileSync(fileURLToPath(address("stalled_bg.wasm")));
    const begin = content.subarray(0, (content.length * percent) / 100);
    if (begin.length) requests[0].enqueue(begin);
    await pass(19);
    assert.equal(end.is, "pending");
    await pass(1);
    await until(() => end.is !== "pending");
    assert.equal(end.is, "stalled");
    assert.throws(() => requests[0].enqueue(begin), "the download is ended");
    held.clear();
    await module.load();
  });

for (const code of [undefined, "script_bg.wasm"])
  test(`a script that does not arrive is given up and fetched again (${code})`, async (context) => {
    const pass = clock(context);
    const stalls = "await new Promise(() => {});";
    const module = lazyOf(script(`for-${code}.mjs`, stalls), code && script(code, "code"));
    const end = outcome(module.load());
    await pass(19);
    assert.equal(end.is, "pending");
    await pass(1);
    await until(() => end.is !== "pending");
    assert.equal(end.is, "stalled");
    glue(`for-${code}.mjs`);
    await module.load();
  });

test("a slow download is not given up while bytes keep arriving", async (context) => {
  const pass = clock(context);
  const requests = hold("slow_bg.wasm");
  const module = lazyOf(glue("slow.mjs"), script("slow_bg.wasm", "code"));
  const end = outcome(module.load());
  for (let byte = 0; byte < 5; byte++) {
    await pass(15);
    requests[0].enqueue(new Uint8Array(1));
  }
  requests[0].close();
  await until(() => end.is !== "pending");
  assert.equal(end.is, "loaded");
});

test("a script is not given up while its WebAssembly is being downloaded", async (context) => {
  const pass = clock(context);
  const requests = hold("late_bg.wasm");
  const late = script("late.mjs", "await new Promise((resolve) => (globalThis.go = resolve)); export default async () => {};");
  const end = outcome(lazyOf(late, script("late_bg.wasm", "code")).load());
  // Another thread reads the file: on a busy machine that takes longer than the turns of the clock.
  await until(() => requests.length > 0 && "go" in globalThis);
  for (let byte = 0; byte < 3; byte++) {
    await pass(15);
    requests[0].enqueue(new Uint8Array(1));
  }
  requests[0].close();
  assert.equal(end.is, "pending");
  /** @type {any} */ (globalThis).go();
  await until(() => end.is !== "pending");
  assert.equal(end.is, "loaded");
});

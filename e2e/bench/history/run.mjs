// Measures how a long conversation opens and how it feels to type in it.
//
//   node e2e/bench/history/run.mjs [--quick] [--repetitions N] [--throttle N] [--profile] [--before FOLDER] [--last] [--opened]
//
// --quick: two repetitions instead of five. --throttle: how much slower the processor is made (1: not at all).
// --profile: only the functions that take the time of opening 5,000 messages.
// --before: the folder of another build, which is measured in turn with this one. --last: only 5,000 messages.
// --opened: only what opening takes in a running chat, for the many repetitions that a small difference needs.

import { ScriptedService } from "../../servers/scripted.js";
import { against, median, percentile, print, spread } from "../browser/numbers.mjs";
import { profiled } from "../browser/profile.mjs";
import { BUILDS, chatPage, flag, metrics, onStage, openPage, option, quiet, slowDown } from "../browser/stage.mjs";
import { markdown } from "../browser/text.mjs";

const REPETITIONS = option("--repetitions", flag("--quick") ? 2 : 5);
const THROTTLE = option("--throttle", 1);
const COUNTS = flag("--last") ? [5_000] : [200, 1_000, 5_000];
const GOALS = { usable: 200, floor: 0.6, nodes: 600, memory: 20, key: 20 };
const LAST = "The last message of all.";
const KEYS = 100;
const MEGABYTE = 1024 * 1024;

/** A conversation as people have it: short questions, and answers from a sentence to a page. */
function conversation(service, count) {
  const thread = service.addThread(`${count} messages`);
  for (let index = 0; index < count - 1; index += 1) {
    if (index % 2) service.store(thread.id, "assistant", markdown(120 + ((index * 379) % 1400), index), { handle: "@scripted" });
    else service.store(thread.id, "user", markdown(20 + ((index * 53) % 120), index));
  }
  service.store(thread.id, "assistant", LAST, { handle: "@scripted" });
  return thread;
}

/** Installed in the page before its own scripts: notes the memory of WebAssembly modules, and when the chat can be used. */
function observe(last) {
  globalThis.memories = [];
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...parameters) => {
      const result = await original.apply(WebAssembly, parameters);
      // A release gives its exports short names.
      const memory = Object.values((result.instance ?? result).exports).find((it) => it instanceof WebAssembly.Memory);
      if (memory) globalThis.memories.push(memory);
      return result;
    };
  }
  const isUsable = () => {
    const root = document.querySelector("assent-chat")?.shadowRoot;
    const input = root?.querySelector("textarea");
    const messages = root?.querySelectorAll("[part~=message]") ?? [];
    const end = messages[messages.length - 1];
    if (!input || input.disabled || !input.checkVisibility() || !end?.textContent.includes(last)) return false;
    const { top, bottom, height } = end.getBoundingClientRect();
    const frame = root.querySelector("[part~=transcript]").getBoundingClientRect();
    return height > 0 && top < frame.bottom && bottom <= frame.bottom + 1;
  };
  // Once a frame; a timer afterwards is behind what that frame drew.
  globalThis.usable = () =>
    new Promise((resolve) => {
      const look = () => {
        if (isUsable()) setTimeout(() => resolve(performance.now()));
        else requestAnimationFrame(look);
      };
      look();
    });
  globalThis.usableSinceNavigation = globalThis.usable();
}

/** Counts all nodes of the document and of its shadow roots. */
function countNodes() {
  const count = (root) => {
    let nodes = 0;
    const walker = document.createTreeWalker(root);
    for (let node = walker.currentNode; node; node = walker.nextNode()) nodes += 1 + (node.shadowRoot ? count(node.shadowRoot) : 0);
    return nodes;
  };
  return count(document);
}

/** From the time that the browser stamps on a key to the end of the frame that shows it. */
function timeKeys() {
  globalThis.keyTimes = [];
  const channel = new MessageChannel();
  const waiting = [];
  channel.port1.onmessage = () => globalThis.keyTimes.push(performance.now() - waiting.shift());
  const note = ({ timeStamp }) => {
    waiting.push(timeStamp);
    requestAnimationFrame(() => channel.port2.postMessage(null));
  };
  addEventListener("keydown", note, { capture: true });
}

async function type(page, session) {
  await page.getByRole("textbox", { name: "Message", exact: true }).focus();
  await page.evaluate(timeKeys);
  for (let index = 0; index < KEYS; index += 1) {
    const text = index % 6 === 5 ? " " : "abcdefghij"[index % 10];
    await session.send("Input.dispatchKeyEvent", { type: "keyDown", text, key: text });
    await session.send("Input.dispatchKeyEvent", { type: "keyUp", key: text });
    // A quick typist, never in step with the frames.
    await page.waitForTimeout(30 + ((index * 7) % 23));
  }
  await page.waitForFunction((count) => globalThis.keyTimes.length === count, KEYS);
  return page.evaluate(() => globalThis.keyTimes);
}

/** A service whose conversation is written down once, so that its own work is not measured. */
async function prepare(count) {
  const service = await ScriptedService.start();
  const thread = conversation(service, count);
  const body = JSON.stringify(service.stored.get(thread.id));
  service.on.messages = (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end(body);
  return { service, thread, size: body.length };
}

const address = (origin, build, service, thread) => chatPage(origin, build, { "base-url": service.origin, "user-id": "bench", ...(thread && { "thread-id": thread.id }) });

/** From navigation to usable, then everything else of the same page. */
async function navigate(browser, origin, build, { service, thread }) {
  const { page, session, close } = await openPage(browser);
  try {
    await slowDown(session, THROTTLE);
    await page.addInitScript(observe, LAST);
    await page.goto(address(origin, build, service, thread));
    const usable = await page.evaluate(() => globalThis.usableSinceNavigation);
    const arrived = await page.evaluate(() => {
      const entries = performance.getEntriesByType("resource");
      return entries.find(({ name }) => name.endsWith("/messages"))?.responseEnd ?? 0;
    });
    const keys = await type(page, session);
    await session.send("HeapProfiler.collectGarbage");
    const { heap, task } = await metrics(session);
    const wasm = await page.evaluate(() => globalThis.memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0));
    const nodes = await page.evaluate(countNodes);
    return { usable, drawn: usable - arrived, task, keys, nodes, heap: heap / MEGABYTE, wasm: wasm / MEGABYTE };
  } finally {
    await close();
  }
}

/** Opens the conversation in a chat that runs already. */
async function open(browser, origin, build, { service, thread }, profile) {
  const { page, session, close } = await openPage(browser);
  try {
    await page.addInitScript(observe, LAST);
    await page.goto(address(origin, build, service));
    await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
    // The box is there before the application. The renderer is fetched behind the widget.
    await page.waitForFunction(() => globalThis.memories.length > 1);
    await quiet(browser);
    await slowDown(session, THROTTLE);
    const act = () =>
      page.evaluate(async (id) => {
        const start = performance.now();
        document.querySelector("assent-chat").setAttribute("thread-id", id);
        return (await globalThis.usable()) - start;
      }, thread.id);
    if (profile) return await profiled(session, act);
    return await act();
  } finally {
    await close();
  }
}

/** Opens the conversation in a page that draws all of it as plain text. */
async function openFloor(browser, origin, { service, thread }) {
  const { page, session, close } = await openPage(browser);
  try {
    await page.goto(`${origin}/history/floor.html?base-url=${encodeURIComponent(service.origin)}`);
    await page.waitForFunction(() => globalThis.show);
    await quiet(browser);
    await slowDown(session, THROTTLE);
    return await page.evaluate((id) => globalThis.show(id), thread.id);
  } finally {
    await close();
  }
}

const all = (runs, key) => runs.map((run) => run[key]);

/** The first page of a browser pays for what all later ones find done. */
async function discardFirst(browser, origin) {
  const prepared = await prepare(COUNTS[0]);
  try {
    for (const build of Object.keys(BUILDS)) await open(browser, origin, build, prepared);
  } finally {
    await prepared.service.stop();
  }
}

async function measure(browser, origin) {
  const results = Object.fromEntries(Object.keys(BUILDS).map((build) => [build, []]));
  await discardFirst(browser, origin);
  for (const count of COUNTS) {
    const prepared = await prepare(count);
    try {
      const measured = Object.keys(BUILDS).map((build) => ({ build, count, size: prepared.size, runs: [], opened: [], floors: [] }));
      for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
        const floor = await openFloor(browser, origin, prepared);
        // Neither build is always the first.
        for (const { build, runs, opened, floors } of repetition % 2 ? [...measured].reverse() : measured) {
          if (!flag("--opened")) runs.push(await navigate(browser, origin, build, prepared));
          opened.push(await open(browser, origin, build, prepared));
          floors.push(floor);
        }
      }
      for (const result of measured) results[result.build].push(result);
    } finally {
      await prepared.service.stop();
    }
  }
  return results;
}

const pairs = (times, others) => times.map((time, index) => time / others[index]);

/** Rows of one table: median, ratio to the shortest conversation, goal for the longest. `before` is measured in turn with it. */
function rows(results, before = []) {
  const row = (name, values, { goal, unit = "", digits = 0 } = {}) => {
    if (!values(results[0]).length) return [];
    const first = median(values(results[0]));
    return results.map((result) => {
      const value = median(values(result));
      const held = goal && result.count === COUNTS.at(-1) ? against(Math.round(value * 100) / 100, goal, unit) : "";
      return [name, result.count, spread(values(result), digits), `${(value / first).toFixed(2)} ×`, held];
    });
  };
  const keys = (share) => ({ runs }) => runs.map(({ keys }) => percentile(keys, share));
  return [
    row("navigation to usable, ms", ({ runs }) => all(runs, "usable")),
    row("messages arrived to usable, ms", ({ runs }) => all(runs, "drawn")),
    row("opened in a running chat to usable, ms", ({ opened }) => opened, { goal: GOALS.usable, unit: " ms" }),
    row("the same as plain text, all of it, ms", ({ floors }) => floors),
    row("ratio", ({ opened, floors }) => pairs(opened, floors), { goal: GOALS.floor, unit: " ×", digits: 2 }),
    row("to the build before, in pairs", ({ opened, count }) => before.flatMap((it) => (it.count === count ? pairs(opened, it.opened) : [])), { digits: 2 }),
    row("DOM nodes", ({ runs }) => all(runs, "nodes"), { goal: GOALS.nodes }),
    row("JS heap, MB", ({ runs }) => all(runs, "heap"), { digits: 1 }),
    row("wasm memory, MB", ({ runs }) => all(runs, "wasm"), { digits: 1 }),
    row("both, MB", ({ runs }) => runs.map(({ heap, wasm }) => heap + wasm), { goal: GOALS.memory, unit: " MB", digits: 1 }),
    row("keystroke to frame p50, ms", keys(0.5), { digits: 1 }),
    row("keystroke to frame p95, ms", keys(0.95), { goal: GOALS.key, unit: " ms", digits: 1 }),
  ].flat();
}

await onStage(async (browser, origin) => {
  if (flag("--profile")) {
    const prepared = await prepare(COUNTS.at(-1));
    try {
      console.log("## Opening 5,000 messages: ms by function\n");
      for (const [time, where] of await open(browser, origin, "widget", prepared, true)) console.log(`${time.toFixed(1).padStart(9)}  ${where}`);
    } finally {
      await prepared.service.stop();
    }
    return;
  }
  const results = await measure(browser, origin);
  const sizes = results.widget.map(({ count, size }) => `${count}: ${(size / MEGABYTE).toFixed(1)} MB`).join(", ");
  console.log(`## Conversations (${sizes} of JSON), median of ${REPETITIONS} (smallest–largest), processor ${THROTTLE} × slower`);
  for (const build of Object.keys(BUILDS)) {
    console.log(`\n### ${build}\n`);
    print(["", "messages", "", "to the shortest", "goal"], rows(results[build], build === "widget" ? results.before : []));
  }
});

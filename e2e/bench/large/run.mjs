// Measures what is very large: 10,000 steps of an answer, 1,000 tools in one request, a sent message of 2 MB.
//
//   node e2e/bench/large/run.mjs [--quick] [--before FOLDER]
//
// --quick: one repetition instead of three. --before: the folder of another build, measured in turn with this one.

import { request, tool } from "../../servers/approvals.js";
import { Post, ScriptedService } from "../../servers/scripted.js";
import { print, spread } from "../browser/numbers.mjs";
import { between, BUILDS, chatPage, flag, metrics, onStage, openPage, quiet } from "../browser/stage.mjs";

const REPETITIONS = flag("--quick") ? 1 : 3;

/** Installed in the page before its own scripts: notes the tasks of more than 50 ms. */
function observe() {
  globalThis.long = [];
  new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
}

/** What is large, each with what the service answers to the message. */
const CASES = {
  "10,000 steps": {
    text: "Think",
    answer(post) {
      post.begin();
      for (let at = 0; at < 10_000; at += 1) post.send("NOTIFICATION_AGENT_THINKING_COMPLETE", `Step ${at}`);
      post.complete("Done.");
    },
  },
  "1,000 tools": {
    text: "Ask",
    answer(post) {
      post.begin();
      const toolArguments = (at) => ({ path: `/srv/${at}`, text: "A line of text." });
      request(post, ...Array.from({ length: 1_000 }, (_, at) => tool("batch", `tool_${at}`, { toolArguments: toolArguments(at) })));
    },
  },
  "a message of 2 MB": { text: "A line of a log with some words in it.\n".repeat(52_000), answer: (post) => post.answer("Fine.") },
};

async function measure(browser, origin, build, { text, answer }) {
  const service = await ScriptedService.start();
  service.on.post = (request, response) => answer(new Post(service, request, response));
  const { page, session, close } = await openPage(browser, { prepare: observe });
  try {
    await page.goto(chatPage(origin, build, { "base-url": service.origin, "user-id": "bench", activity: "full", storage: "none" }));
    await page.evaluate(() => document.querySelector("assent-chat").ready);
    await quiet(browser);
    await page.evaluate(() => (globalThis.long = []));
    const before = await metrics(session);
    await page.evaluate((text) => void document.querySelector("assent-chat").send(text), text);
    await page.waitForFunction(() => ["complete", "pending"].some((state) => document.querySelector("assent-chat").shadowRoot.querySelector(`article:last-of-type[data-state=${state}], [part~=approval][data-state=${state}]`)));
    await quiet(browser);
    const task = between(before, await metrics(session)).task;
    return { task, longest: await page.evaluate(() => Math.max(0, ...globalThis.long)) };
  } finally {
    await close();
    await service.stop();
  }
}

await onStage(async (browser, origin) => {
  const builds = Object.keys(BUILDS);
  const rows = [];
  for (const [name, large] of Object.entries(CASES)) {
    const runs = Object.fromEntries(builds.map((build) => [build, []]));
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) for (const build of builds) runs[build].push(await measure(browser, origin, build, large));
    for (const build of builds) rows.push([name, build, ...["task", "longest"].map((key) => spread(runs[build].map((run) => run[key])))]);
  }
  print(["", "build", "main thread, ms", "longest task, ms"], rows);
});

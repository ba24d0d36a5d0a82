// Measures how much of the main thread an answer takes while it streams, against a page that shows it as plain text.
//
//   node e2e/bench/streaming/run.mjs [--quick] [--repetitions N] [--throttle N] [--profile] [--before FOLDER] [--times] [--fast] [--cold] [--first [--plain]]
//
// --quick: two repetitions instead of five. --throttle: how much slower the processor is made for the long tasks (4).
// --profile: only where the time of 20,000 characters goes, by function and by task of the browser.
// --before: the folder of another build, which is measured in turn with this one. --times: only the first tables.
// --fast: only answers that are sent as fast as they are accepted. --cold: the answer is the first one of its page, which
// compiles everything for it, and loads what colours code. --first: only the first answer of a page, once somebody has typed,
// against a later one; with --plain these answers have no code, which the first one would fetch something for.

import { ScriptedService } from "../../servers/scripted.js";
import { against, median, percentile, print, spread } from "../browser/numbers.mjs";
import { profiled, traced } from "../browser/profile.mjs";
import { between, BUILDS, chatPage, flag, metrics, onStage, openPage, option, quiet, slowDown } from "../browser/stage.mjs";
import { chunks, markdown } from "../browser/text.mjs";

const REPETITIONS = option("--repetitions", flag("--quick") ? 2 : 5);
const THROTTLE = option("--throttle", 4);
const LENGTHS = [10_000, 20_000, 40_000];
const PACES = flag("--fast") ? ["fast"] : ["paced", "fast"];
const GOALS = { paced: 1.5, fast: 3.5 };
const GROWTH = 2.1;
/** The first answer of a page over a later one. */
const FIRST = 1.2;
const LONG_TASK = 50;
/** Milliseconds between two chunks. */
const PACE = 4;
/** After the last chunk, for what is put off until the page is idle. */
const SETTLE_DELAY = 500;
/** Code first, where it is seen: what a page fetches and compiles once for its first code is measured by itself. */
const CODE = ["rust", "javascript", "python", "json"].map((language) => `\`\`\`${language}\n[1]\n\`\`\`\n\n`).join("");
const TEXT = markdown(3_000, 9);

/** A build of the widget, in its page. @param {string} build */
const widget = (build) => ({
  address: (origin, service) => chatPage(origin, build, { "base-url": service }),
  ready: async (page) => page.locator("textarea").waitFor(),
  ask: async (page) => {
    await page.locator("textarea").fill("Go");
    await page.locator("textarea").press("Enter");
  },
  type: (page) => page.locator("textarea").pressSequentially("Go"),
  send: (page) => page.locator("textarea").press("Enter"),
  whole: () => {
    const messages = document.querySelector("assent-chat").shadowRoot.querySelectorAll("[part~=message]");
    return messages[messages.length - 1]?.dataset.state === "complete";
  },
});

/** The pages that are compared, each with the way to ask and the way to see that the answer is whole. */
const PAGES = {
  floor: {
    address: (origin, service) => `${origin}/floor.html?base-url=${encodeURIComponent(service)}`,
    ready: async (page) => page.waitForFunction(() => globalThis.ask),
    ask: async (page) => void (await page.evaluate(() => void globalThis.ask("Go"))),
    type: async () => {},
    send: (page) => page.evaluate(() => void globalThis.ask("Go")),
    whole: () => document.body.dataset.state === "complete",
  },
  ...Object.fromEntries(Object.keys(BUILDS).map((build) => [build, widget(build)])),
};

/** Installed in the page before its own scripts. */
function observe() {
  globalThis.longTasks = [];
  const note = (list) => globalThis.longTasks.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration]));
  new PerformanceObserver(note).observe({ type: "longtask" });
}

/** Counting frames asks for frames, so that main-thread time is measured without it. */
function countFrames() {
  globalThis.frameTimes = [];
  const count = (time) => {
    globalThis.frameTimes.push(time);
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}

/** Gives a page more idle moments than its preparations take: on a busy machine the browser looks quiet between them. */
async function rest() {
  for (let moment = 0; moment < 60; moment += 1) await new Promise((free) => requestIdleCallback(free));
}

/** Writes an answer at this pace, and stores it. */
async function stream(post, text, pace) {
  const pieces = chunks(text);
  const start = performance.now();
  for (let index = 0; index < pieces.length; index += 1) {
    if (pace === "paced") {
      // By the clock, so that a late timer is made up for and every run takes the same time.
      const wait = start + index * PACE - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    } else {
      // A write of its own for every chunk, as a service makes them: in one turn they would leave as one.
      await new Promise(setImmediate);
    }
    post.say(pieces[index]);
  }
  post.complete(text);
}

/** One answer on a new page, measured after a short one that warms the page up, or with `--cold` before any other. */
async function measure(browser, origin, name, { length, pace, throttle = 1, frames = false, warmUp = CODE + TEXT, profile }) {
  const kind = PAGES[name];
  const service = await ScriptedService.start();
  service.hold = true;
  const { page, session, close } = await openPage(browser, { prepare: observe });
  try {
    await page.goto(kind.address(origin, service.origin));
    await kind.ready(page);
    const answer = async (text, pace, before) => {
      await kind.ask(page);
      const post = await service.nextPost();
      post.begin();
      const state = await before?.();
      await stream(post, text, pace);
      await page.waitForFunction(kind.whole, null, { polling: 100, timeout: 300_000 });
      await page.waitForTimeout(SETTLE_DELAY);
      return state;
    };
    if (!flag("--cold")) await answer(warmUp, "fast");
    await quiet(browser);
    await slowDown(session, throttle);
    const text = markdown(length);
    if (profile === "functions") return await profiled(session, () => answer(text, pace));
    if (profile === "tasks") return await traced(browser, page, () => answer(text, pace));
    if (frames) await page.evaluate(countFrames);
    const [before, start] = await answer(text, pace, async () => {
      // What the question takes is no part of the answer.
      await page.waitForTimeout(SETTLE_DELAY);
      return [await metrics(session), await page.evaluate(() => performance.now())];
    });
    const spent = between(before, await metrics(session));
    const { tasks, times } = await page.evaluate(() => ({ tasks: globalThis.longTasks, times: globalThis.frameTimes ?? [] }));
    const during = times.filter((time) => time >= start);
    return {
      ...spent,
      long: tasks.filter(([at, duration]) => at >= start && duration > LONG_TASK).map(([, duration]) => duration),
      frames: during.slice(1).map((time, index) => time - during[index]),
    };
  } finally {
    await close();
    await service.stop();
  }
}

/**
 * The same answer twice on a new page: the first one is asked for once somebody has typed and the page has come to rest, and the
 * later one likewise. Of each the time for the question, which is until half a second after it was accepted, the time for the
 * answer, and the long tasks of both.
 */
async function measureFirst(browser, origin, name, { length, pace }) {
  const kind = PAGES[name];
  const service = await ScriptedService.start();
  service.hold = true;
  const { page, session, close } = await openPage(browser, { prepare: observe });
  const text = flag("--plain") ? markdown(length).replaceAll(/^```[^]*?^```\n+/gm, "") : markdown(length);
  const one = async () => {
    await kind.type(page);
    await page.evaluate(rest);
    await quiet(browser);
    const [asked, start] = [await metrics(session), await page.evaluate(() => performance.now())];
    await kind.send(page);
    const post = await service.nextPost();
    post.begin();
    await page.waitForTimeout(SETTLE_DELAY);
    const before = await metrics(session);
    await stream(post, text, pace);
    await page.waitForFunction(kind.whole, null, { polling: 100, timeout: 300_000 });
    await page.waitForTimeout(SETTLE_DELAY);
    const [question, answer] = [between(asked, before).task, between(before, await metrics(session)).task];
    const tasks = await page.evaluate(() => globalThis.longTasks);
    return { question, answer, long: tasks.filter(([at, duration]) => at >= start && duration > LONG_TASK).map(([, duration]) => duration) };
  };
  try {
    await page.goto(kind.address(origin, service.origin));
    await kind.ready(page);
    return { first: await one(), later: await one() };
  } finally {
    await close();
    await service.stop();
  }
}

/**
 * The same measurements of all pages, in turn: a machine that gets slower meanwhile is slower for all of them. Every second
 * pair begins with the page that the one before it ended with, so that the widget's 20k and 40k are neighbours, too.
 */
async function inTurn(browser, origin, list, repetitions = REPETITIONS, measured = measure) {
  const pages = Object.keys(PAGES);
  const runs = list.map(() => Object.fromEntries(pages.map((name) => [name, []])));
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const [index, settings] of list.entries()) {
      for (const name of index % 2 ? pages : pages.toReversed()) runs[index][name].push(await measured(browser, origin, name, settings));
    }
  }
  return runs;
}

const all = (runs, key) => runs.map((run) => run[key]);
const middle = (runs, key) => median(all(runs, key));
/** Of runs that took turns, so that both had the same machine. */
const quotients = (runs, others) => runs.map((run, index) => run.task / others[index].task);
const thousands = (length) => `${length / 1000}k`;
const longest = (runs) => Math.max(0, ...runs.flatMap((run) => run.long));
const countLong = (runs) => median(runs.map((run) => run.long.length));

async function times(browser, origin) {
  const rows = [];
  const parts = [];
  const growth = [];
  for (const pace of PACES) {
    const measured = await inTurn(browser, origin, LENGTHS.map((length) => ({ length, pace })));
    for (const [index, runs] of measured.entries()) {
      const answer = `${thousands(LENGTHS[index])} ${pace}`;
      for (const build of Object.keys(BUILDS)) {
        const ratios = quotients(runs[build], runs.floor);
        rows.push([
          answer,
          build,
          spread(all(runs.floor, "task")),
          spread(all(runs[build], "task")),
          spread(ratios, 2),
          build === "widget" ? against(median(ratios), GOALS[pace], " ×") : "",
          `${countLong(runs.floor)} / ${countLong(runs[build])}`,
          longest(runs[build]).toFixed(0),
        ]);
      }
      for (const name of Object.keys(PAGES)) {
        const part = (key) => middle(runs[name], key).toFixed(0);
        parts.push([answer, name, ...["script", "style", "layout", "styles", "layouts"].map(part)]);
      }
    }
    const [, shorter, longer] = measured;
    for (const name of Object.keys(PAGES)) {
      const ratios = quotients(longer[name], shorter[name]);
      growth.push([pace, name, spread(ratios, 2), name === "widget" ? against(median(ratios), GROWTH, " ×") : ""]);
    }
  }
  const which = flag("--cold") ? " of the first answer of a page" : "";
  console.log(`## Main-thread time${which} in ms, and its ratio: median of ${REPETITIONS} (smallest–largest)\n`);
  print(["answer", "page", "floor", "this page", "ratio", "goal", "long tasks floor / page", "longest in ms"], rows);
  console.log("\n## Time of 40k over time of 20k\n");
  print(["pace", "page", "ratio", "goal"], growth);
  console.log("\n## Its parts: ms of script, style and layout; number of style and layout passes\n");
  print(["answer", "page", "script", "style", "layout", "style passes", "layout passes"], parts);
}

async function first(browser, origin) {
  const rows = [];
  for (const pace of PACES) {
    const lengths = [4_000, 10_000];
    const measured = await inTurn(browser, origin, lengths.map((length) => ({ length, pace })), REPETITIONS, measureFirst);
    for (const [index, runs] of measured.entries()) {
      for (const name of Object.keys(PAGES)) {
        for (const part of ["question", "answer"]) {
          const [firsts, laters] = ["first", "later"].map((which) => runs[name].map((run) => run[which][part]));
          const ratios = firsts.map((time, at) => time / laters[at]);
          const goal = part === "answer" && name === "widget" ? against(median(ratios), FIRST, " ×") : "";
          const long = runs[name].map((run) => run.first);
          const tasks = part === "answer" ? `${countLong(long)}, ${longest(long).toFixed(0)}` : "";
          rows.push([`${part}, ${thousands(lengths[index])} ${pace}`, name, spread(firsts), spread(laters), spread(ratios, 2), goal, tasks]);
        }
      }
    }
  }
  console.log(`\n## Main-thread time of a page's first answer in ms, and that of a later one: median of ${REPETITIONS} (smallest–largest)\n`);
  print(["part", "page", "first", "later", "first ÷ later", "goal", "long tasks of question and first answer, longest in ms"], rows);
}

async function frames(browser, origin) {
  const rows = [];
  for (const pace of PACES) {
    const [runs] = await inTurn(browser, origin, [{ length: 20_000, pace, frames: true }], Math.min(2, REPETITIONS));
    for (const name of Object.keys(PAGES)) {
      const intervals = runs[name].flatMap((run) => run.frames);
      const share = (share) => percentile(intervals, share).toFixed(1);
      rows.push([`20k ${pace}`, name, share(0.5), share(0.95), share(0.99), Math.max(...intervals).toFixed(1)]);
    }
  }
  console.log("\n## Frame intervals in ms\n");
  print(["answer", "page", "p50", "p95", "p99", "longest"], rows);
}

async function firstCode(browser, origin) {
  const settings = { length: 10_000, pace: "fast" };
  const [later, first] = await inTurn(browser, origin, [settings, { ...settings, warmUp: TEXT }]);
  const row = (name, runs) => [name, ...Object.keys(PAGES).map((page) => spread(all(runs[page], "task")))];
  console.log("\n## Main-thread time of 10k fast in ms\n");
  print(["", ...Object.keys(PAGES)], [row("the page has shown code before", later), row("its first code", first)]);
}

async function throttled(browser, origin) {
  const slow = { length: 20_000, pace: "paced", throttle: THROTTLE };
  const [runs] = await inTurn(browser, origin, [slow]);
  const rows = Object.keys(PAGES).map((name) => {
    const counts = runs[name].map((run) => run.long.length);
    // A task is long by the clock on the wall: where others use the machine, too, every page has one now and then.
    const goal = name === "widget" ? against(median(counts), 0) : "";
    return [name, middle(runs[name], "task").toFixed(0), spread(counts), longest(runs[name]).toFixed(0), goal];
  });
  console.log(`\n## Long tasks (> ${LONG_TASK} ms) of 20k paced, processor ${THROTTLE} × slower: median (smallest–largest)\n`);
  print(["page", "main thread in ms", "long tasks", "longest in ms", "goal"], rows);
}

async function profiles(browser, origin) {
  for (const profile of ["functions", "tasks"]) {
    for (const pace of PACES) {
      for (const name of Object.keys(PAGES)) {
        console.log(`\n## ${name}, 20k ${pace}: ms by ${profile}\n`);
        for (const [time, where, count = ""] of await measure(browser, origin, name, { length: 20_000, pace, profile })) {
          console.log(`${time.toFixed(1).padStart(9)} ${String(count).padStart(7)}  ${where}`);
        }
      }
    }
  }
}

await onStage(async (browser, origin) => {
  if (flag("--profile")) return profiles(browser, origin);
  if (flag("--first")) return first(browser, origin);
  await times(browser, origin);
  if (flag("--times")) return;
  await first(browser, origin);
  await firstCode(browser, origin);
  await frames(browser, origin);
  await throttled(browser, origin);
});

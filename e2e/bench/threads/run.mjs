// Measures how a long list of conversations is drawn, and what it adds to sending a message.
//
//   node e2e/bench/threads/run.mjs [--quick] [--repetitions N] [--profile] [--before FOLDER]
//
// --quick: two repetitions instead of seven. --profile: only the functions that take the time of sending with the
// longest list. --before: the folder of another build, which is measured in turn with this one.

import { ScriptedService } from "../../servers/scripted.js";
import { against, median, print, spread } from "../browser/numbers.mjs";
import { profiled } from "../browser/profile.mjs";
import { between, BUILDS, chatPage, flag, metrics, onStage, openPage, option, quiet } from "../browser/stage.mjs";

const REPETITIONS = option("--repetitions", flag("--quick") ? 2 : 7);
const COUNTS = [10, 1_000, 5_000];
const GOALS = { drawn: 300, send: 1.2 };
const SENDS = 5;
/** As many as the widget asks for. */
const PAGE = 100;

/** A service with so many conversations and pages of lists, which are written down once. */
async function prepare(count) {
  const service = await ScriptedService.start();
  service.extensions = "pages";
  for (let index = 0; index < count; index += 1) service.addThread(`Conversation ${index} about the weather`);
  const newest = service.threads.toReversed();
  const [all, page] = [newest, newest.slice(0, PAGE)].map((threads) => JSON.stringify(threads));
  service.on.list = ({ path }, response) => {
    const isPage = path.includes("limit=");
    const rest = isPage && count > PAGE ? ', <?before=more>; rel="next"' : "";
    const link = isPage && { link: `<?>; rel="first"${rest}` };
    response.writeHead(200, { "content-type": "application/json", "access-control-expose-headers": "link, assent-extensions", ...link }).end(isPage ? page : all);
  };
  return service;
}

/** Installed in the page before its own scripts: notes when rows of the list are on the screen. */
function observe() {
  globalThis.drawn = new Promise((resolve) => {
    const look = () => {
      const rows = document.querySelector("assent-chat")?.shadowRoot?.querySelectorAll("[part=thread]") ?? [];
      if (rows.length && rows[0].checkVisibility()) setTimeout(() => resolve(performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  });
}

/** Sends messages one after the other, each with its answer. */
async function send(page, from, count) {
  for (let index = from; index < from + count; index += 1) {
    await page.evaluate(async (text) => {
      const chat = document.querySelector("assent-chat");
      const complete = new Promise((resolve) => chat.addEventListener("assent:answer-complete", resolve, { once: true }));
      await chat.send(text);
      await complete;
    }, `Message ${index}`);
  }
}

async function measure(browser, origin, build, service, profile) {
  const { page, session, close } = await openPage(browser, { prepare: observe });
  try {
    const { id } = service.threads.at(-1);
    await page.goto(chatPage(origin, build, { "base-url": service.origin, "user-id": "bench", "thread-id": id, threads: "side", storage: "none" }));
    const drawn = await page.evaluate(() => globalThis.drawn);
    const arrived = await page.evaluate(() => {
      const entries = performance.getEntriesByType("resource");
      return entries.find(({ name }) => name.endsWith("/threads/demo"))?.responseEnd ?? 0;
    });
    // The first ones pay for what all later ones find done.
    await send(page, 0, 2);
    await quiet(browser);
    if (profile) return await profiled(session, () => send(page, 2, SENDS));
    const before = await metrics(session);
    await send(page, 2, SENDS);
    await quiet(browser);
    const sent = between(before, await metrics(session)).task / SENDS;
    // The newest conversations are read again after the first message of one.
    await page.evaluate(() => document.querySelector("assent-chat").newThread());
    await quiet(browser);
    const fresh = await metrics(session);
    await send(page, 2 + SENDS, 1);
    await quiet(browser);
    const first = between(fresh, await metrics(session)).task;
    const rows = await page.evaluate(() => document.querySelector("assent-chat").shadowRoot.querySelectorAll("[part=thread]").length);
    return { drawn: drawn - arrived, sent, first, rows };
  } finally {
    await close();
  }
}

await onStage(async (browser, origin) => {
  const services = await Promise.all(COUNTS.map(prepare));
  try {
    if (flag("--profile")) {
      for (const [time, where] of await measure(browser, origin, "widget", services.at(-1), true)) console.log(`${time.toFixed(1).padStart(9)}  ${where}`);
      return;
    }
    const builds = Object.keys(BUILDS);
    for (const build of builds) await measure(browser, origin, build, services[0]);
    const runs = Object.fromEntries(builds.map((build) => [build, COUNTS.map(() => [])]));
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      // In turn, so that a machine that gets slower does so for all.
      for (const [at, service] of services.entries()) for (const build of builds) runs[build][at].push(await measure(browser, origin, build, service));
    }
    for (const build of builds) {
      const values = (at, key) => runs[build][at].map((run) => run[key]);
      const last = COUNTS.length - 1;
      const row = (name, key, held) => {
        const ratios = values(last, key).map((value, index) => value / values(0, key)[index]);
        return [name, ...COUNTS.map((_, at) => spread(values(at, key))), `${spread(ratios, 2)} ×`, held?.(ratios) ?? ""];
      };
      console.log(`\n### ${build}, median of ${REPETITIONS} (smallest–largest)\n`);
      print(
        ["", ...COUNTS, "longest to shortest", "goal"],
        [
          row("list arrived to drawn, ms", "drawn", () => against(Math.round(median(values(last, "drawn"))), GOALS.drawn, " ms")),
          row("one message and its answer, ms of the main thread", "sent", (ratios) => against(Math.round(median(ratios) * 100) / 100, GOALS.send, " ×")),
          row("the same, the first of a conversation", "first"),
          row("rows in the page", "rows"),
        ],
      );
    }
  } finally {
    for (const service of services) await service.stop();
  }
});

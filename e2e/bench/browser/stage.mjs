// One browser and one server of pages for a measurement, and what is read from a page from outside.

import { availableParallelism, cpus, loadavg } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { BROWSER } from "../../servers/browser.js";
import { DIST, fileServer } from "../../servers/files.js";

// Playwright is installed for the whole-page tests.
const VIEWPORT = { width: 1000, height: 800 };
// How long a browser is looked at, the share of one core below which it is quiet, and when that is given up.
const [LOOK, QUIET, TIMEOUT] = [300, 0.1, 20_000];
const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const [OTHER] = process.argv.flatMap((name, at, all) => (name === "--before" ? [`${resolve(all[at + 1])}/`] : []));
const ROOTS = [["/dist/", `${DIST.replace(/\/$/, "")}/`], ...(OTHER ? [["/before/", OTHER]] : []), ["/pages/", folder("../../pages/")], ["/start/", folder("../start/")], ["/history/", folder("../history/")], ["/", folder("../streaming/")]];

/** The builds that are measured, each with the loader's address: `dist/`, and the folder that `--before` names. */
export const BUILDS = { widget: "/dist/assent.js", ...(OTHER && { before: "/before/assent.js" }) };

/** The address of a page with the chat of a build in it. */
export const chatPage = (origin, build, attributes) => `${origin}/pages/inline.html?${new URLSearchParams({ script: BUILDS[build], ...attributes })}`;

/** Runs `act` with a browser and the origin of the pages; both have ended when this returns. */
export async function onStage(act) {
  const pages = fileServer(ROOTS);
  await new Promise((resolve) => pages.listen(0, "127.0.0.1", resolve));
  try {
    const browser = await chromium.launch(BROWSER);
    try {
      announce(browser);
      await act(browser, `http://127.0.0.1:${pages.address().port}`);
    } finally {
      await browser.close();
    }
  } finally {
    pages.closeAllConnections();
    await new Promise((resolve) => pages.close(resolve));
  }
}

function announce(browser) {
  const [load] = loadavg();
  const busy = load > 0.5 ? "busy: do not trust small differences" : "idle";
  console.log(`${new Date().toISOString().slice(0, 16)}Z, ${availableParallelism()} × ${cpus()[0].model}, load ${load.toFixed(2)} (${busy})`);
  console.log(`Chromium ${browser.version()}, ${DIST}${OTHER ? `, before: ${OTHER}` : ""}\n`);
}

/** A page of its own with a line to the browser's instruments. */
export async function openPage(browser, { prepare } = {}) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(`the page failed: ${error}`));
  if (prepare) await page.addInitScript(prepare);
  const session = await context.newCDPSession(page);
  // Processor time of the thread: what else runs on the machine does not count.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return { page, session, close: () => context.close() };
}

/** Makes the processor that many times slower for a page. It is never quiet then: its main thread is kept busy. */
export async function slowDown(session, rate) {
  if (rate > 1) await session.send("Emulation.setCPUThrottlingRate", { rate });
}

/** What the page's main thread has done so far, in milliseconds and counts. */
export async function metrics(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  const by = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  return {
    task: by.TaskDuration * 1000,
    script: by.ScriptDuration * 1000,
    layout: by.LayoutDuration * 1000,
    style: by.RecalcStyleDuration * 1000,
    layouts: by.LayoutCount,
    styles: by.RecalcStyleCount,
    heap: by.JSHeapUsedSize,
  };
}

/** What came between two readings. */
export const between = (before, after) => Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]]));

/** Processor time that all processes of the browser have used so far, in milliseconds. */
async function used(instruments) {
  const { processInfo } = await instruments.send("SystemInfo.getProcessInfo");
  return 1000 * processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/**
 * Done when the browser does nothing any more. Behind a page that has come it starts a process for the next page, and
 * optimises what ran; on two cores that is half of what anything else takes meanwhile.
 */
export async function quiet(browser) {
  const instruments = await browser.newBrowserCDPSession();
  const deadline = performance.now() + TIMEOUT;
  let busy = true;
  while (busy && performance.now() < deadline) {
    const [start, before] = [performance.now(), await used(instruments)];
    await new Promise((resolve) => setTimeout(resolve, LOOK));
    busy = (await used(instruments)) - before > QUIET * (performance.now() - start);
  }
  await instruments.detach();
  if (busy) throw new Error(`the browser was not quiet within ${TIMEOUT} ms`);
}

/** The number that follows an option of the command line. */
export function option(name, otherwise) {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

export const flag = (name) => process.argv.includes(name);

// Measures how soon the message box takes text on a page that is opened, and how soon the widget behind it is alive.
//
//   node e2e/bench/start/run.mjs [--quick] [--repetitions N] [--throttle N] [--before FOLDER]
//
// --quick: three repetitions instead of eleven. --throttle: how much slower the processor is made in the second half (4).
// --before: the folder of another build, which is measured in turn with this one.

import { ScriptedService } from "../../servers/scripted.js";
import { against, median, print, spread } from "../browser/numbers.mjs";
import { BUILDS, chatPage, flag, onStage, openPage, option, quiet, slowDown } from "../browser/stage.mjs";

const REPETITIONS = option("--repetitions", flag("--quick") ? 3 : 11);
const RATES = [1, option("--throttle", 4)];
const GOAL = 1.3;

/** Installed in the page before its own scripts: types a letter into the first box that is there, as soon as it takes it. */
function observe() {
  const box = () => document.querySelector("assent-chat")?.shadowRoot?.querySelector("textarea") ?? document.querySelector("textarea");
  const takes = () => {
    const input = box();
    if (!input?.checkVisibility()) return false;
    input.focus();
    return document.execCommand("insertText", false, "a") && input.value === "a";
  };
  // Once a frame; a timer afterwards is behind what that frame drew.
  globalThis.takesText = new Promise((resolve) => {
    const look = () => {
      if (takes()) setTimeout(() => resolve(performance.now()));
      else requestAnimationFrame(look);
    };
    look();
  });
  globalThis.alive = async () => {
    await document.querySelector("assent-chat").ready;
    const now = performance.now();
    if (box().value !== "a") throw new Error(`the box has ${JSON.stringify(box().value)}, and a letter was typed`);
    return now;
  };
}

/** Opens a page of its own and returns milliseconds since the navigation. */
async function open(browser, address, rate, hasChat) {
  const { page, session, close } = await openPage(browser, { prepare: observe });
  try {
    // A new page is followed by the process for the next one.
    await quiet(browser);
    await slowDown(session, rate);
    await page.goto(address, { waitUntil: "commit" });
    const takesText = await page.evaluate(() => globalThis.takesText);
    return { takesText, alive: hasChat ? await page.evaluate(() => globalThis.alive()) : 0 };
  } finally {
    await close();
  }
}

await onStage(async (browser, origin) => {
  const service = await ScriptedService.start();
  try {
    const attributes = { "base-url": service.origin, "user-id": "bench", storage: "none" };
    const names = Object.keys(BUILDS);
    const floor = (rate) => open(browser, `${origin}/start/floor.html`, rate, false);
    const chat = (build, rate) => open(browser, chatPage(origin, build, attributes), rate, true);
    // The first pages of a browser pay for what all later ones find done.
    await floor(1);
    for (const name of names) await chat(name, 1);
    const rows = [];
    for (const rate of RATES) {
      const floors = [];
      const chats = Object.fromEntries(names.map((name) => [name, []]));
      // In turn, so that a machine that gets slower does so for all.
      for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
        floors.push((await floor(rate)).takesText);
        for (const name of names) chats[name].push(await chat(name, rate));
      }
      for (const name of names) {
        const taken = chats[name].map(({ takesText }) => takesText);
        const ratios = taken.map((time, index) => time / floors[index]);
        const ratio = Math.round(median(ratios) * 100) / 100;
        const goal = name === "widget" ? against(ratio, GOAL, " ×") : "";
        rows.push([`${rate} ×`, name, spread(floors), spread(taken), `${spread(ratios, 2)} ×`, goal, spread(chats[name].map(({ alive }) => alive))]);
      }
    }
    print(["slower", "build", "a bare box takes text, ms", "the chat's box takes text, ms", "ratio", "", "the widget is alive, ms"], rows);
  } finally {
    await service.stop();
  }
});

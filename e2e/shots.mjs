// Takes pictures of the widget in its states, for a person to look at: `cargo xtask shots` builds what it photographs.
// A word after `node shots.mjs` takes only the states whose name holds it; `readme` takes the picture of README.md.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { Chat } from "./fixtures.js";
import { PAGE_ORIGIN, PAGE_PORT } from "./servers/addresses.js";
import { BROWSER } from "./servers/browser.js";
import { fileServer } from "./servers/files.js";
import { ScriptedService } from "./servers/scripted.js";
import { ANSWERS } from "./shots/answers.mjs";
import { APPROVALS } from "./shots/approvals.mjs";
import { DESK } from "./shots/desk.mjs";
import { STATES as OTHERS } from "./shots/states.mjs";

const FOLDER = process.env.ASSENT_SHOTS ?? "../target/shots";
const ONLY = process.argv[2] ?? "";
const SIZES = [
  { width: 360, height: 740 },
  { width: 1200, height: 800 },
];
/** Approvals and answers have a second width of their own. */
const NARROWER = [SIZES[0], { width: 1000, height: 800 }];
const SCHEMES = ["light", "dark"];

/** Every state by name. */
const STATES = { ...OTHERS, ...ANSWERS, ...APPROVALS, ...DESK };
/** The picture of README.md: its state, its size and its place. */
const README = { name: "desk-asks", size: { width: 1200, height: 820 }, path: "../docs/screenshot.png" };

async function shoot(browser, name, size, colorScheme, path) {
  const context = await browser.newContext({ baseURL: PAGE_ORIGIN, viewport: size, colorScheme, reducedMotion: "reduce" });
  const scripted = await ScriptedService.start();
  const page = await context.newPage();
  const chat = new Chat(page, `shots-${name}-${size.width}-${colorScheme}-${process.pid}`);
  const file = `${name}.${size.width}.${colorScheme}.png`;
  let leave = async () => {};
  try {
    leave = (await STATES[name]({ page, chat, scripted, here: { "base-url": scripted.origin } })) ?? leave;
  } catch (error) {
    failed.push(`${file}: ${error.message.split("\n")[0]}`);
  }
  await page.screenshot({ path: path ?? join(FOLDER, file), animations: "disabled" });
  await leave();
  await context.close();
  await scripted.stop();
}

const sizes = (name) => (/^(answer|approval)-/.test(name) ? NARROWER : SIZES);

const failed = [];
mkdirSync(FOLDER, { recursive: true });
const pages = fileServer().listen(PAGE_PORT, "127.0.0.1");
const browser = await chromium.launch(BROWSER);
const states = () =>
  Object.keys(STATES)
    .filter((name) => name.includes(ONLY))
    .flatMap((name) => sizes(name).flatMap((size) => SCHEMES.map((scheme) => [name, size, scheme])));
const jobs = ONLY === "readme" ? [[README.name, README.size, "light", README.path]] : states();
const count = jobs.length;
const worker = async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) await shoot(browser, ...job);
};
await Promise.all([worker(), worker(), worker()]);
await browser.close();
pages.close();
process.stdout.write(`${count} pictures\n`);
for (const line of failed) console.error(`not reached: ${line}`);
process.exitCode = failed.length ? 1 : 0;

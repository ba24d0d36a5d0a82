// Preparations for the first answer: while a person writes, and never before.

import { expect, test } from "../../fixtures.js";
import { stored } from "./rich.js";

/** Counts the elements that are made from now on, by name. */
function count() {
  globalThis.made = {};
  const make = document.createElement.bind(document);
  document.createElement = (name, ...more) => {
    globalThis.made[name] = (globalThis.made[name] ?? 0) + 1;
    return make(name, ...more);
  };
}

/** How many rules of answers were made: one sample has one, and no other part of the chat. */
const rules = (page) => page.evaluate(() => globalThis.made.hr ?? 0);

/** Gives the page more free time than the preparations take. */
const rest = (page) =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 40; turn += 1) await new Promise((free) => requestIdleCallback(free));
  });

/** Requests for what colours code. */
function colours(page) {
  const seen = [];
  page.on("request", (request) => {
    if (/\/assent_highlight/.test(request.url())) seen.push(request.url());
  });
  return seen;
}

test("nothing is prepared for an answer before a letter is typed, and all of it after, once", async ({ page, chat, scripted }) => {
  await page.addInitScript(count);
  const seen = colours(page);
  await chat.inline({ "base-url": scripted.origin });
  await chat.loaded();
  await chat.input.focus();
  await rest(page);
  expect([await rules(page), seen.length]).toEqual([0, 0]);
  await chat.input.press("H");
  // Laid out once, and drawn eight times.
  await expect.poll(() => rules(page)).toBe(9);
  await expect(chat.element.locator(".unseen")).toHaveCount(0);
  await chat.input.press("i");
  await rest(page);
  // What colours code is a download that this answer may not need.
  expect([await rules(page), seen.length]).toEqual([9, 0]);
});

test("what was typed before the renderer was there counts", async ({ page, chat, scripted }) => {
  await page.addInitScript(count);
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  await page.route(/assent_renderer-.*\.js$/, async (route) => {
    await arrived;
    await route.continue();
  });
  await chat.inline({ "base-url": scripted.origin });
  await chat.input.press("H");
  await rest(page);
  expect(await rules(page)).toBe(0);
  arrive();
  await expect.poll(() => rules(page)).toBe(9);
});

test("stored answers are drawn without preparations", async ({ page, chat, scripted }) => {
  await page.addInitScript(count);
  const seen = colours(page);
  await stored(chat, scripted, ["One.\n\n---\n\nTwo."]);
  await chat.isDrawn();
  await rest(page);
  expect([await rules(page), seen.length]).toEqual([1, 0]);
});

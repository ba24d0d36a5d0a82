// A page whose own rules know no bounds: none of them gets into the chat, and nothing of the chat gets out.

import { expect, test } from "../embedding/site.js";

/** Rules of pages by what they are; what has no element of the chat as its target gets in only by inheritance. */
const RULES = {
  "a reset of everything": "*, *::before, *::after { all: unset !important; }",
  "rules for every element": `* { color: red !important; background: lime !important; font: italic 40px/3 cursive !important; margin: 9px !important;
    padding: 9px !important; border: 3px solid blue !important; box-sizing: content-box !important; text-align: center !important; letter-spacing: 5px !important;
    text-transform: uppercase !important; white-space: pre !important; cursor: wait !important; list-style: square !important; user-select: none !important; }`,
  "rules for kinds of elements": `div, section, button, p, h2, input, textarea, form, ul, li, svg, nav, article { display: inline-block !important; float: left !important;
    position: static !important; width: 30px !important; height: 30px !important; border-radius: 0 !important; fill: red !important; overflow: visible !important; }
    button { appearance: auto !important; } .panel, .app, .launcher, .root, #panel { display: none !important; } assent-chat * { color: red !important; }`,
  "a huge rem, and all that is inherited": `html { font: italic 900 100px/4 cursive; letter-spacing: 1em; word-spacing: 2em; text-transform: uppercase; text-align: right; white-space: pre;
    color: red; cursor: none; text-indent: 50px; list-style: square; hyphens: manual; tab-size: 1; text-shadow: 3px 3px red; word-break: break-all; quotes: "«" "»"; border-collapse: collapse;
    caption-side: bottom; empty-cells: hide; orphans: 9; widows: 9; font-variant: small-caps; font-feature-settings: "smcp"; text-wrap: nowrap; line-break: anywhere; accent-color: red; caret-color: red; -webkit-user-select: none; user-select: none; }`,
  "right to left by a rule": "html { direction: rtl; unicode-bidi: bidi-override; }",
};

/** Puts the rules into the page, as its last sheet. */
const attack = (page, rules) =>
  page.evaluate((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [sheet];
  }, rules);

/** Everything that is computed for the elements under a root, by their place and name, with their boxes. */
const computed = (page, inside) =>
  page.evaluate((inside) => {
    const root = inside ? document.querySelector("assent-chat").shadowRoot : document;
    // The same moment for everybody: nothing moves, and the pointer and the focus are nowhere.
    for (const animation of document.getAnimations()) animation.finish?.call(animation.pause() ?? animation);
    return [...root.querySelectorAll("*")].flatMap((element, place) => {
      if (["ASSENT-CHAT", "SCRIPT", "LINK"].includes(element.tagName)) return [];
      const style = getComputedStyle(element);
      const { x, y, width, height } = element.getBoundingClientRect();
      const name = `${place} ${element.localName}.${element.getAttribute("class") ?? ""}`;
      const values = [...style].filter((property) => !property.startsWith("--")).map((property) => `${name} ${property}: ${style.getPropertyValue(property)}`);
      return [...values, `${name} box: ${[x, y, width, height].map(Math.round)}`];
    });
  }, inside);

/** What is not the same: only that, because everything is too long to read. */
function changes(before, after) {
  const known = new Set(before);
  const differing = after.filter((line) => !known.has(line));
  return before.length === after.length ? differing : [`${before.length} values became ${after.length}`, ...differing];
}

/** A chat with an answer on the screen. */
async function start(page, chat, site, visit, settings) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await visit(`${site}/`, settings);
  await page.evaluate(() => import("/dist/assent.js"));
  await chat.ask("hello");
  await chat.isDrawn();
  await chat.input.blur();
  await page.mouse.move(0, 0);
}

test("whatever the rules are, the launcher and its panel stay as they are, and can be used", async ({ page, chat, serve, visit }) => {
  await start(page, chat, await serve(import.meta.url), visit, { mode: "launcher" });
  const before = await computed(page, true);
  expect(before.length).toBeGreaterThan(1000);
  for (const [name, rules] of Object.entries(RULES)) {
    await attack(page, rules);
    expect.soft(changes(before, await computed(page, true)).slice(0, 40), name).toEqual([]);
  }
  for (const [name, rules] of Object.entries(RULES)) {
    await test.step(name, async () => {
      await attack(page, rules);
      await chat.ask("hello again");
      await chat.button("Close chat").click();
      await expect(chat.role("dialog")).toBeHidden();
      await chat.button("Open chat").click();
    });
  }
});

for (const mode of ["inline", "fullscreen"]) {
  test(`a reset of everything: ${mode} keeps its box`, async ({ page, chat, serve, visit }) => {
    await start(page, chat, await serve(import.meta.url), visit, { mode });
    const before = await chat.part("panel").boundingBox();
    await attack(page, RULES["a reset of everything"]);
    const after = await chat.part("panel").boundingBox();
    // Where the chat stands is the page's to say, and how wide its column is.
    expect(after.height).toBe(before.height);
    expect(after.width).toBeGreaterThan(300);
    await chat.ask("hello again");
  });
}

test("zoom on the whole page: the panel is larger, and still on the screen", async ({ page, chat, serve, visit }) => {
  await start(page, chat, await serve(import.meta.url), visit, { mode: "launcher" });
  const { width } = await chat.part("panel").boundingBox();
  const screen = page.viewportSize();
  for (const zoom of [0.5, 1.5]) {
    await attack(page, `html { zoom: ${zoom}; }`);
    for (const part of ["panel", "launcher", "input", "send"]) {
      const box = await chat.part(part).boundingBox();
      expect(box.x, `${part} at ${zoom}`).toBeGreaterThanOrEqual(0);
      expect(box.y, `${part} at ${zoom}`).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width, `${part} at ${zoom}`).toBeLessThanOrEqual(screen.width);
      expect(box.y + box.height, `${part} at ${zoom}`).toBeLessThanOrEqual(screen.height);
    }
    expect((await chat.part("panel").boundingBox()).width).toBeCloseTo(width * zoom, -1);
  }
});

test("nothing gets out: the page's elements, sheets and names stay as they are", async ({ page, chat, serve, visit }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await visit(`${await serve(import.meta.url)}/`, { mode: "launcher" });
  const names = () =>
    page.evaluate(() => ({
      globals: Reflect.ownKeys(globalThis).map(String).filter((name) => !/^\d+$/.test(name)).sort(),
      sheets: document.styleSheets.length + document.adoptedStyleSheets.length,
      fonts: document.fonts.size,
      head: document.head.children.length,
      body: document.body.children.length,
      root: document.documentElement.getAttributeNames().concat(document.body.getAttributeNames()),
    }));
  const before = await computed(page, false);
  const had = await names();
  expect(before.length).toBeGreaterThan(1000);
  await page.evaluate(() => import("/dist/assent.js"));
  await chat.ask("hello");
  await chat.isDrawn();
  await chat.input.blur();
  expect(changes(before, await computed(page, false)).slice(0, 40)).toEqual([]);
  const has = await names();
  // The one name that the widget adds.
  expect(has.globals.filter((name) => !had.globals.includes(name))).toEqual(["Symbol(assent)"]);
  expect({ ...has, globals: had.globals }).toEqual(had);
});

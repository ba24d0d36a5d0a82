// Header and message box are drawn where and as the application draws them: nothing moves and no colour changes when it takes over.

import { expect, test } from "../../fixtures.js";
import { alive, hold, visitEarly } from "./held.js";

/** Place and look of what the frame has in common with the application. */
const looks = (chat) =>
  chat.element.evaluate(async (element) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const find = (selector) => element.shadowRoot.querySelector(selector);
    const input = find('[part="input"]');
    const found = {
      header: find("header"),
      heading: find("h2"),
      composer: find('[part="composer"]'),
      box: input.parentElement.parentElement,
      grow: input.parentElement,
      input,
      send: find('[part="send"]'),
      icon: find('[part="send"] svg'),
    };
    const properties = [
      ...["color", "background-color", "border-top-color", "border-top-width", "border-bottom-color", "border-top-left-radius", "direction"],
      ...["letter-spacing", "opacity", "outline", "box-shadow", "margin", "stroke", "stroke-width", "text-align", "white-space", "cursor"],
    ];
    // Where the application's header has buttons, that of the frame is empty, and nothing is written on Send.
    const padded = [found.composer, found.box, found.input, found.send];
    const written = [found.heading, found.input];
    const of = (node) => [...properties, ...(padded.includes(node) ? ["padding"] : []), ...(written.includes(node) ? ["font"] : [])];
    const look = (style, node = input) => of(node).map((property) => `${property}: ${style.getPropertyValue(property)}`);
    const all = Object.entries(found).map(([name, node]) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return [name, { box: [x, y, width, height], look: look(getComputedStyle(node), node) }];
    });
    return { ...Object.fromEntries(all), placeholder: look(getComputedStyle(input, "::placeholder")) };
  });

const TEXT = "A message of several lines\n".repeat(3);

/** Held against itself before and after, empty, with words, and with the focus. */
async function expectSteady(page, chat, mode, more, prepare = async () => {}) {
  // No draft of the time before.
  const settings = { storage: "none", ...more };
  const places = (all) => Object.entries(all).map(([name, { box }]) => [name, box]);
  let arrive = await hold(page);
  await visitEarly(chat, mode, settings);
  await prepare();
  if (mode !== "launcher") await chat.input.focus();
  const before = await looks(chat);
  arrive();
  await alive(chat);
  await expect(chat.part("transcript")).toHaveCount(1);
  const after = await looks(chat);
  expect(after).toEqual(before);
  // With words Send has another colour, because now it sends.
  await page.unrouteAll();
  arrive = await hold(page);
  await visitEarly(chat, mode, settings);
  await prepare();
  await chat.input.fill(TEXT);
  const typed = places(await looks(chat));
  arrive();
  await alive(chat);
  await expect(chat.input).toHaveValue(TEXT);
  expect(places(await looks(chat))).toEqual(typed);
  await page.unrouteAll();
}

test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

for (const width of [360, 1200]) {
  for (const mode of ["inline", "launcher", "fullscreen"]) {
    test(`nothing moves at ${width} px, ${mode}`, { tag: mode === "fullscreen" ? "@long" : [] }, async ({ page, chat, scripted }) => {
      await page.setViewportSize({ width, height: 740 });
      for (const threads of mode === "inline" && width > 720 ? ["auto", "side", "hidden"] : ["auto", "hidden"]) {
        await expectSteady(page, chat, mode, { "base-url": scripted.origin, threads });
      }
    });
  }
}

test("nothing moves with a placeholder that is longer than the box", async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await expectSteady(page, chat, "inline", { "base-url": scripted.origin, placeholder: "Ask anything about your order. ".repeat(5).trim() });
});

test("nothing moves where files can be attached", async ({ page, chat, scripted }) => {
  await expectSteady(page, chat, "inline", { "base-url": scripted.origin }, () =>
    chat.element.evaluate((element) => void (element.uploader = async () => ({ fileId: "1" }))),
  );
});

test("nothing moves when the button for files comes later than the box", async ({ page, chat, scripted }) => {
  const arrive = await hold(page, /assent_extras/);
  await chat.inline({ "base-url": scripted.origin });
  await chat.element.evaluate((element) => void (element.uploader = async () => ({ fileId: "1" })));
  await alive(chat);
  await expect(chat.part("transcript")).toHaveCount(1);
  const before = await looks(chat);
  await expect(chat.part("attach")).toHaveCount(0);
  arrive();
  await expect(chat.part("attach")).toBeVisible();
  expect(await looks(chat)).toEqual(before);
});

test("nothing moves from right to left", async ({ page, chat, scripted }) => {
  for (const settings of [{ dir: "rtl" }, { locale: "ur" }]) await expectSteady(page, chat, "inline", { "base-url": scripted.origin, ...settings });
});

for (const [name, media, settings] of [
  ["in the dark", { colorScheme: "dark" }, {}],
  ["with the theme of the page", {}, { theme: "dark" }],
  ["with high contrast", { forcedColors: "active" }, {}],
]) {
  test(`nothing changes ${name}`, { tag: name === "in the dark" ? [] : "@long" }, async ({ page, chat, scripted }) => {
    await page.emulateMedia({ reducedMotion: "reduce", ...media });
    await expectSteady(page, chat, "inline", { "base-url": scripted.origin, ...settings });
  });
}

test("nothing changes with the tokens of the page", async ({ page, chat, scripted }) => {
  await expectSteady(page, chat, "inline", { "base-url": scripted.origin }, () =>
    page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`assent-chat { --assent-font-size: 19px; --assent-line-height: 1.8; --assent-radius: 2px; --assent-space: 31px; --assent-measure: 500px;
        --assent-list-width: 300px; --assent-color-sunken: #fde; --assent-color-control: #080; --assent-color-accent: #a04; --assent-font: serif; }`);
      document.adoptedStyleSheets = [sheet];
    }),
  );
});

test("the box is drawn in its place before the texts around it", async ({ page, chat, scripted }) => {
  await hold(page);
  await visitEarly(chat, "inline", { "base-url": scripted.origin });
  const [first, last] = await chat.element.evaluate(async (element) => {
    const fresh = /** @type {Element} */ (element.cloneNode());
    element.replaceWith(fresh);
    const look = () => {
      const find = (selector) => fresh.shadowRoot.querySelector(selector);
      const { x, y, width, height } = find('[part="input"]').getBoundingClientRect();
      return { box: [x, y, width, height], texts: [find("h2").textContent, find('[role="status"]').textContent, find('[part="input"]').placeholder] };
    };
    const drawn = look();
    while (!look().texts[0]) await new Promise(requestAnimationFrame);
    return [drawn, look()];
  });
  expect(first.texts).toEqual(["", "", ""]);
  expect(last.texts).toEqual(["Assistant", "Loading…", "Write a message…"]);
  expect(last.box).toEqual(first.box);
});

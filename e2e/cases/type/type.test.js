// Type has five sizes, which follow the browser's; targets are large enough for a mouse and for a finger; no word is broken that fits.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "../../fixtures.js";
import { ANSWERS } from "../../shots/answers.mjs";
import { APPROVALS } from "../../shots/approvals.mjs";
import { STATES } from "../../shots/states.mjs";
import { setFontSize } from "../../servers/browser.js";
import { brokenWords, contrast, otherSizes, smallTargets } from "./looks.js";

const SIZES = [12, 13, 15, 17, 20];

/** States that hold the components, each of which is in one of them. */
const LOOKED_AT = {
  chat: ["inline-empty", "suggestions", "menu", "threads", "threads-menu", "threads-rename", "threads-delete", "files", "activity-expanded", "collaboration", "error-message", "launcher-badge", "launcher-not-loaded"],
  answers: ["markdown", "long-message", "answer-code", "answer-table", "unsafe"],
  approvals: ["approval-three", "approval-feedback", "approval-deceptive", "approval-changed", "approval-answered-open"],
};
const REACH = { ...STATES, ...ANSWERS, ...APPROVALS };

test.use({ expectedConsole: /Failed to load resource|not loaded/ });
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

test("no style sheet has a size of its own", () => {
  const folder = new URL("../../../style/", import.meta.url);
  const sheets = [...readdirSync(folder).filter((name) => name.endsWith(".css") && name !== "tokens.css").map((name) => new URL(name, folder)), new URL("../../../web/loader/frame.js", import.meta.url)];
  const token = /^(inherit|medium|1em|max\(16px, 1em\)|var\(--assent-font-size(-xs|-s|-l|-xl)?\)|calc\(var\(--assent-font-size, max\(15px, 0\.9375 \* var\(--medium, 16px\)\)\) \* (0\.8|1\.1333)\))$/;
  const others = sheets.flatMap((sheet) =>
    [...readFileSync(sheet, "utf8").matchAll(/[\s{;]font-size: ([^;}]+)[;}]/g)].filter(([, value]) => !token.test(value.trim())).map(([, value]) => `${sheet.pathname.split("/").pop()}: ${value}`));
  expect(others).toEqual([]);
});

for (const [part, names] of Object.entries(LOOKED_AT)) {
  for (const name of names) {
    test(`${part}: text has one of five sizes, and targets are large enough for a mouse: ${name}`, async ({ page, chat, scripted }) => {
      await REACH[name]({ page, chat, scripted, here: { "base-url": scripted.origin } });
      expect.soft(await otherSizes(chat, SIZES)).toEqual([]);
      expect.soft(await smallTargets(chat, 32)).toEqual([]);
    });
  }
}

test.describe("with fingers", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 740 } });

  for (const [part, names] of Object.entries(LOOKED_AT)) {
    for (const name of names) {
      test(`${part}: targets are large enough: ${name}`, async ({ page, chat, scripted }) => {
        await REACH[name]({ page, chat, scripted, here: { "base-url": scripted.origin } });
        expect(await smallTargets(chat, 44)).toEqual([]);
      });
    }
  }

  test("the time and the menu of a conversation are always shown", async ({ page, chat, scripted }) => {
    await STATES.threads({ page, chat, scripted, here: { "base-url": scripted.origin } });
    for (const about of await chat.list.locator(".thread-time, .menu-anchor").all()) await expect(about).toHaveCSS("opacity", "1");
  });
});

/** What stands to the right of the window, but for what is scrolled in its own box. */
const tooWide = (chat) =>
  chat.element.evaluate((element) => {
    const isSeen = (it) => it.checkVisibility() && !it.closest(".visually-hidden, .waiting, .header");
    const isScrolled = (it) => {
      for (let at = it.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return at.getBoundingClientRect().right <= innerWidth + 0.5;
      return false;
    };
    const all = [...element.shadowRoot.querySelectorAll("*")].filter((it) => isSeen(it) && !isScrolled(it));
    return all.filter((it) => it.getBoundingClientRect().right > innerWidth + 0.5).map((it) => it.className);
  });

/** States in which letters of twice the size are looked at, each at these widths. */
const LARGE = {
  threads: [360, 1200], files: [360], "threads-delete": [1200], "inline-empty": [360],
  markdown: [360, 1200], "answer-table": [360], "answer-code": [360],
  "approval-three": [360, 1200], "approval-feedback": [360], "approval-deceptive": [360],
  "error-message": [360], menu: [360], "threads-menu": [360],
};

for (const [state, width] of Object.entries(LARGE).flatMap(([state, widths]) => widths.map((width) => [state, width]))) {
  test(`with letters of twice the size the widget grows, and no word breaks: ${state}, ${width} px`, async ({ page, chat, scripted }) => {
    await page.setViewportSize({ width, height: 900 });
    await setFontSize(page, 32);
    await REACH[state]({ page, chat, scripted, here: { "base-url": scripted.origin } });
    expect(await otherSizes(chat, SIZES.map((size) => 2 * size))).toEqual([]);
    expect(await brokenWords(chat)).toEqual([]);
    const { width: icon } = await chat.threadsToggle.locator("svg").boundingBox();
    expect(Math.round(icon)).toBe(40);
    expect(Math.round((await chat.part("composer").locator("button").last().boundingBox()).height)).toBe(80);
    expect(await tooWide(chat)).toEqual([]);
  });
}

test("words of two letters stay whole in large letters of the page", async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await STATES.threads({ page, chat, scripted, here: { "base-url": scripted.origin } });
  await chat.element.evaluate((element) => element.style.setProperty("--assent-font-size", "30px"));
  expect(await brokenWords(chat)).toEqual([]);
});

for (const size of ["62.5%", "100px"]) test(`a page whose root has letters of ${size} leaves those of the widget as they are`, async ({ page, chat }) => {
  await chat.inline();
  await page.evaluate((size) => (document.documentElement.style.fontSize = size), size);
  await expect(chat.element.locator(".app[data-wide]")).toHaveCSS("font-size", "15px");
});

test("the text of a button that cannot be pressed can be read, in light and in dark", async ({ page, chat, scripted }) => {
  await APPROVALS["approval-three"]({ page, chat, scripted, here: { "base-url": scripted.origin } });
  const disabled = chat.element.locator("button.button:disabled");
  await expect(disabled.first()).toBeVisible();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    for (const button of await disabled.all()) expect(await contrast(button), colorScheme).toBeGreaterThanOrEqual(4.5);
  }
});

for (const width of [360, 1200]) {
  test(`messages and their box have the same edges: ${width} px`, async ({ page, chat }) => {
    await page.setViewportSize({ width, height: 740 });
    await chat.inline({ threads: "hidden" });
    await chat.askFormatted("markdown");
    const edges = (locator) => locator.evaluate((it) => { const { left, right } = it.getBoundingClientRect(); return [left, right].map(Math.round); });
    expect(await edges(chat.lastMessage)).toEqual(await edges(chat.element.locator(".composer-box")));
  });
}

test("with high contrast the open conversation and what is to be pressed are marked", async ({ page, chat, scripted }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await STATES.threads({ page, chat, scripted, here: { "base-url": scripted.origin } });
  const edge = (thread) => thread.evaluate((it) => getComputedStyle(it).borderInlineStartWidth);
  expect(await edge(chat.thread("Delivery to the islands"))).toBe("6px");
  expect(await edge(chat.thread("A refund for a broken lamp"))).toBe("0px");
  await chat.input.fill("Hello");
  const colours = await chat.send.evaluate((it) => {
    const { backgroundColor, color } = getComputedStyle(it);
    it.style.cssText = "background: Highlight !important; color: HighlightText !important";
    const wanted = getComputedStyle(it);
    return [backgroundColor === wanted.backgroundColor, color === wanted.color];
  });
  expect(colours).toEqual([true, true]);
});

test.describe("from right to left", () => {
  const TITLE = "Which hotel in Lisbon is quiet, has a lift, and takes two large dogs that bark at night and sleep by day?";

  test("a title of another language keeps its beginning", async ({ chat, scripted }) => {
    scripted.addThread(TITLE);
    await chat.inline({ "base-url": scripted.origin, dir: "rtl", lang: "ar", threads: "side" });
    await chat.thread(TITLE).click();
    for (const name of [chat.list.locator(".thread-name"), chat.element.locator(".subtitle")]) {
      await expect(name).toContainText("Which hotel");
      const [first, box] = await name.evaluate((it) => {
        const range = document.createRange();
        const text = it.firstChild.nodeType === 3 ? it.firstChild : [...it.childNodes].find((node) => node.data?.trim());
        range.setStart(text, 0);
        range.setEnd(text, 1);
        return [range, it].map((of) => { const { left, right } = of.getBoundingClientRect(); return { left, right }; });
      });
      expect(first.left).toBeGreaterThanOrEqual(box.left - 0.5);
      expect(first.right).toBeLessThanOrEqual(box.right + 0.5);
    }
  });

  test("English sentences end at their right, for a page without texts of its own", async ({ chat }) => {
    await chat.inline({ dir: "rtl", lang: "ar" });
    const hint = chat.element.locator(".greeting-hint");
    const place = (at) => hint.evaluate((it, at) => {
      const text = [...it.childNodes].find((node) => node.data?.trim());
      const range = document.createRange();
      const from = at < 0 ? text.data.length + at : at;
      range.setStart(text, from);
      range.setEnd(text, from + 1);
      return range.getBoundingClientRect().left;
    }, at);
    expect(await place(-1)).toBeGreaterThan(await place(0));
  });
});

// All pages of the demo: no rule of axe is broken, nothing is scrolled sideways, every page leads to the others, and the
// pages to put something together on are used with the keyboard alone.

import { bringAxe, violations } from "../a11y/axe.js";
import { expect, test, widths } from "./demo.js";

const PAGES = { "/": "Journeys", "/demo/inline.html": "Help centre", "/demo/playground.html": "Playground", "/demo/theme.html": "Theming", "/demo/replay.html": "Replay" };
const TOOLS = ["/demo/playground.html", "/demo/theme.html"];

/** What axe finds, apart from names that the chats of two frames share: the frames have names of their own. */
const found = async (page) => (await violations(page)).filter((line) => !/^landmark-unique: #light assent-chat \.transcript/.test(line));

/** Opens a page, and everything on it that can be opened; waits for the chats. */
async function visit(page, address) {
  await page.goto(address);
  const frames = page.locator("iframe.stage");
  for (let index = 0; index < (await frames.count()); index += 1) {
    // A chat that is a part of the page loads when it is seen.
    await frames.nth(index).scrollIntoViewIfNeeded();
    await expect(frames.nth(index).contentFrame().getByRole("textbox", { name: "Message", exact: true })).toBeVisible();
  }
  await page.locator("details").evaluateAll((groups) => groups.forEach((group) => (group.open = true)));
}

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await bringAxe(page);
});

for (const path of TOOLS) {
  test(`${path}: axe finds nothing, light and wide, and dark and narrow`, async ({ page, serveDemo, scripted }) => {
    await page.setViewportSize({ width: 1200, height: 900 });
    await visit(page, `${await serveDemo({ service: scripted.origin })}${path}`);
    for (const [colorScheme, width] of [["light", 1200], ["dark", 360]]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await found(page), `${colorScheme} ${width}`).toEqual([]);
    }
  });

  test(`${path}: axe finds nothing in what is said about values`, { tag: "@long" }, async ({ page, serveDemo, scripted }) => {
    const origin = await serveDemo({ service: scripted.origin });
    await visit(page, `${origin}${path}#agent-id=demo&mode=inline&open=&heading=A&--assent-code-meta=%23999`);
    const bad = page.getByLabel(path.includes("theme") ? "Value" : "heading", { exact: true }).first();
    await bad.fill("<b>");
    await page.getByRole("button", { name: /^Copy/ }).click();
    await expect(page.locator("#copied")).not.toBeEmpty();
    expect(await found(page)).toEqual([]);
  });
}

for (const [path, name] of Object.entries(PAGES)) {
  test(`${path}: it leads to the others, and nothing is scrolled sideways or cut off, whatever the width and the direction`, { tag: path === "/" ? [] : "@long" }, async ({ page, serveDemo, scripted }) => {
    await page.setViewportSize({ width: 360, height: 800 });
    await visit(page, `${await serveDemo({ service: scripted.origin })}${path}`);
    for (const [width, dir] of [[360, "ltr"], [360, "rtl"], [320, "ltr"], [1200, "rtl"], [1200, "ltr"]]) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
      const [wide, own] = await widths(page);
      expect(wide, `${width} ${dir}`).toBe(own);
      const outside = await page.evaluate(() => [...document.querySelectorAll("button, select, summary, input:not([type=radio])")]
        .filter((it) => it.checkVisibility()).map((it) => it.getBoundingClientRect())
        .filter(({ left, right }) => left < 0 || right > document.documentElement.clientWidth).length);
      expect(outside, `${width} ${dir}`).toBe(0);
    }
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    expect(await links.evaluateAll((links) => links.map((link) => [new URL(link.href).pathname, link.textContent]))).toEqual(Object.entries(PAGES));
    await expect(links.and(page.locator("[aria-current=page]"))).toHaveText(name);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
}

test("the keyboard reaches settings, switches and copying, with a focus that can be seen", { tag: "@long" }, async ({ page, serveDemo, scripted }) => {
  await page.goto(`${await serveDemo({ service: scripted.origin })}/demo/playground.html#agent-id=demo&mode=inline`);
  const phone = page.getByRole("radio", { name: "Phone" });
  await page.getByRole("radio", { name: "Wide" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(phone).toBeChecked();
  await expect(page.locator("#stage")).toHaveCSS("inline-size", "375px");
  expect(await phone.evaluate((radio) => getComputedStyle(radio.closest("label")).outlineStyle)).toBe("solid");
  const mode = page.getByLabel("mode", { exact: true });
  await mode.focus();
  await page.keyboard.press("f");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("region", { name: "Snippet" })).toContainText('mode="fullscreen"');
  await expect(page.getByLabel("view", { exact: true })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("checkbox", { name: "open" })).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page.getByRole("region", { name: "Snippet" })).toContainText("open");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  expect(outline).toBe("solid");
});

test("forced colours show which switch is on", { tag: "@long" }, async ({ page, serveDemo, scripted }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`${await serveDemo({ service: scripted.origin })}/demo/theme.html`);
  const ground = (name) => page.getByRole("radio", { name }).evaluate((radio) => getComputedStyle(radio.closest("label")).backgroundColor);
  expect(await ground("Part of the page")).not.toBe(await ground("Launcher"));
});

test("the first page leads to the documentation, or to how it is built", { tag: "@long" }, async ({ page, serveDemo }) => {
  await page.goto(await serveDemo());
  await page.getByRole("link", { name: "The documentation" }).click();
  await expect(page.getByRole("main")).toContainText("cargo xtask site");
  await page.getByRole("link", { name: "Back to the demo" }).click();
  await expect(page).toHaveTitle(/Larkspur Journeys/);
});

// The documentation site, under a policy as strict as that of the other pages: what it shows, its search and its playground.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bringAxe, expectNothingFound } from "../a11y/axe.js";
import { Chat, expect, test as base } from "../../fixtures.js";
import { fileServer } from "../../servers/files.js";
import { serving } from "../../servers/serving.js";

const folder = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const test = base.extend({
  /** The address of the site, which is not at the root of its server. */
  site: async ({ context }, use) => {
    const files = fileServer([["/manual/", folder("dist-site/")]]);
    await serving(context, async (start) => {
      const origin = await start((request, response) => {
        if (request.url.endsWith(".html")) response.setHeader("content-security-policy", POLICY);
        request.url += "?csp=off";
        files.emit("request", request, response);
      });
      await use(`${origin}/manual`);
    });
  },
});

test.beforeAll(() => void execFileSync("npm", ["run", "--silent", "build"], { cwd: folder("site"), stdio: "pipe" }));

/** The widest thing of the page is the page itself. */
const expectNoSidewaysScroll = async (page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);

test("from the front page to a page, by its links and by the table of contents", async ({ page, site }) => {
  await page.goto(`${site}/index.html`);
  await expect(page.getByRole("heading", { level: 1, name: "Assent" })).toBeVisible();
  await expect(page.getByRole("img", { name: "A page with the Assent panel open" })).toHaveJSProperty("complete", true);
  await page.getByRole("main").getByRole("link", { name: "THEMING" }).click();
  await expect(page).toHaveURL(`${site}/docs/THEMING.html`);
  const contents = page.getByRole("navigation", { name: "Contents" });
  await expect(contents.getByRole("link", { name: "Theming" })).toHaveAttribute("aria-current", "page");
  await contents.getByRole("link", { name: "Architecture" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Architecture");
});

test("the search finds the section about grants", async ({ page, site }) => {
  await page.goto(`${site}/docs/TABS.html`);
  await page.getByRole("searchbox", { name: "Search" }).fill("grants");
  await expect(page.getByRole("status")).toContainText("sections found");
  await page.getByRole("region", { name: "Search results" }).getByRole("link", { name: "Grants", exact: true }).first().click();
  await expect(page).toHaveURL(/#grants$/);
  await page.getByRole("searchbox", { name: "Search" }).fill("nosuchwordanywhere");
  await expect(page.getByRole("status")).toHaveText("0 sections found");
});

test("beside the table of attributes a chat follows what is picked, and answers", async ({ page, site }) => {
  await page.goto(`${site}/docs/ATTRIBUTES.html`);
  const playground = page.getByRole("main").frameLocator("iframe");
  const stage = playground.frameLocator("#stage");
  const chat = new Chat(stage);
  await playground.getByLabel("theme", { exact: true }).selectOption("dark");
  await expect(chat.element).toHaveAttribute("theme", "dark");
  await chat.ask("Who are you?");
  await expect(chat.lastMessage).toContainText("prepared answers stand in for it");
});

for (const path of ["index.html", "docs/ATTRIBUTES.html"]) {
  test(`${path} is accessible and fits, light and dark, wide and narrow`, async ({ page, site }) => {
    await bringAxe(page);
    // Colours that are on their way to others have the contrast of neither.
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(`${site}/${path}`);
    for (const width of [1200, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(page.locator("#contents")).toHaveJSProperty("open", width > 800);
      await expectNoSidewaysScroll(page);
      await expectNothingFound(page);
    }
  });
}

// The theming page of the demo: every token of the widget's style sheets can be changed, both chats follow, the CSS that is
// copied does the same on another page, and pairs that are hard to read are named.

import { readFileSync } from "node:fs";
import { Chat } from "../../fixtures.js";
import { expect, test as base } from "../playground/demo.js";

const read = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

/** The theming page, seen by a person. */
class Theming {
  constructor(page, origin) {
    this.page = page;
    this.origin = origin;
    this.light = this.#chat("light");
    this.dark = this.#chat("dark");
    this.css = page.getByRole("region", { name: "CSS" }).locator("code");
    this.copy = page.getByRole("button", { name: "Copy CSS" });
    this.warnings = page.getByRole("list", { name: "Pairs below 4.5" }).getByRole("listitem");
    this.verdict = page.locator("#verdict");
  }

  #chat(scheme) {
    return new Chat(this.page, "", this.page.frameLocator(`#${scheme}`).locator("assent-chat"));
  }

  async open(hash = "") {
    await this.page.goto(`${this.origin}/demo/theme.html${hash}`);
    for (const { input } of [this.light, this.dark]) await expect(input).toBeVisible();
    // All tokens, whatever group they are in.
    await this.page.locator("details").evaluateAll((groups) => groups.forEach((group) => (group.open = true)));
  }

  token(name) {
    return this.page.getByRole("group", { name: `--assent-${name}`, exact: true });
  }

  /** Sets the values of a token: of both schemes, or the only one. */
  async set(name, ...values) {
    const labels = values.length === 2 ? ["Light", "Dark"] : ["Value"];
    for (const [index, value] of values.entries()) await this.token(name).getByLabel(labels[index], { exact: true }).fill(value);
  }
}

const test = base.extend({
  theming: async ({ page, serveDemo, scripted }, use) => use(new Theming(page, await serveDemo({ service: scripted.origin }))),
});
test.use({ viewport: { width: 1280, height: 1000 } });

test("the tokens are those of the style sheets and of the documentation, and their defaults can be read", async ({ theming, page }) => {
  const declared = ["style/tokens.css", "style/code.css"].flatMap((path) =>
    [...read(path).matchAll(/^\s*(--assent-[\w-]+):\s*([^;]+);/gm)].map(([, name, value]) => [name, value]));
  expect(declared.length).toBeGreaterThan(40);
  await theming.open();
  const shown = await page.locator(".token").evaluateAll((rows) => rows.map((row) => {
    const values = [...row.querySelectorAll('input[type="text"]')].map((input) => input.value);
    return [row.querySelector("code").textContent, values.length === 2 ? `light-dark(${values.join(", ")})` : values[0]];
  }));
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(declared));
  expect(shown).toHaveLength(declared.length);
  // Each has its text: a row without any is a new token.
  expect(await page.locator(".token:not(:has(.hint))").count()).toBe(0);
  const documented = [...read("docs/THEMING.md").matchAll(/^\| `(--assent-[\w-]+)` \|/gm)].map(([, name]) => name);
  expect(documented.sort()).toEqual(declared.map(([name]) => name).sort());
  await test.step("every text of a known colour on a known background is among the pairs that are judged", async () => {
    // Rules of the sheets that set both; mixed colours are left to the eye.
    const sheets = ["app", "header", "message", "composer", "thread_list", "transcript", "approval", "argument", "answer", "dialog", "files"];
    const both = sheets.flatMap((name) => [...read(`style/${name}.css`).matchAll(/\{([^{}]*)\}/g)].flatMap(([, body]) => {
      const value = (property) => new RegExp(`(?:^|[\\s;])${property}:\\s*var\\(--assent-([\\w-]+)\\)`).exec(body)?.[1].replace("color-", "");
      const [text, background] = [value("color"), value("background")];
      return text && background ? [`${text} on ${background}`] : [];
    }));
    expect(both.length).toBeGreaterThan(8);
    const judged = await page.locator("#ratios th").allTextContents();
    // Icons need less, and texts that cannot be used need nothing.
    const exceptions = ["accent on own", "muted on line"];
    expect(both.filter((pair) => !judged.includes(pair) && !exceptions.includes(pair))).toEqual([]);
  });
  await test.step("the defaults can be read, in light and in dark", async () => {
    await expect(theming.verdict).toHaveText("All pairs reach 4.5 : 1, in light and in dark.");
    await expect(theming.warnings).toHaveCount(0);
    // #1b1d22 on white, and #10142b on #8ea2ff, calculated elsewhere.
    await expect(page.getByRole("row", { name: "text on surface" }).getByRole("cell").first()).toHaveText("16.86");
    await expect(page.getByRole("row", { name: "on-accent on accent" }).getByRole("cell").last()).toHaveText("7.57");
    await expect(theming.copy).toBeDisabled();
  });
});

test("a changed token reaches the chat in light and in dark", async ({ theming }) => {
  await theming.open();
  await theming.set("color-surface", "rgb(250, 240, 230)", "#102030");
  await expect(theming.light.part("panel")).toHaveCSS("background-color", "rgb(250, 240, 230)");
  await expect(theming.dark.part("panel")).toHaveCSS("background-color", "rgb(16, 32, 48)");
  await theming.set("radius", "3px");
  await expect(theming.light.part("panel")).toHaveCSS("border-start-start-radius", "3px");
  await expect(theming.dark.part("panel")).toHaveCSS("border-start-start-radius", "3px");
  expect(await theming.css.textContent()).toBe(
    "assent-chat {\n  --assent-color-surface: light-dark(rgb(250, 240, 230), #102030);\n  --assent-radius: 3px;\n}");
});

test("a picked colour is one of text, and the default takes it back", { tag: "@long" }, async ({ theming }) => {
  await theming.open();
  await theming.token("color-accent").getByLabel("Pick light").fill("#a0522d");
  await expect(theming.token("color-accent").getByLabel("Light", { exact: true })).toHaveValue("#a0522d");
  // The other scheme stays as it was.
  await expect(theming.css).toContainText("--assent-color-accent: light-dark(#a0522d, #8ea2ff);");
  await theming.token("color-accent").getByRole("button", { name: "Default" }).click();
  await expect(theming.token("color-accent").getByLabel("Light", { exact: true })).toHaveValue("#3b5bdb");
  await expect(theming.token("color-accent").getByLabel("Light", { exact: true })).toBeFocused();
  await expect(theming.css).toBeHidden();
});

test("the tokens of the launcher show on a launcher", { tag: "@long" }, async ({ theming, page }) => {
  await theming.open();
  await page.getByText("Launcher", { exact: true }).first().click();
  await theming.set("launcher-size", "72px");
  await theming.set("panel-width", "320px");
  for (const chat of [theming.light, theming.dark]) {
    await expect(chat.part("launcher")).toHaveCSS("inline-size", "72px");
    await expect(chat.part("panel")).toHaveCSS("inline-size", "320px");
  }
});

test("a value that the token does not take is said to be one, and changes nothing", { tag: "@long" }, async ({ theming }) => {
  await theming.open();
  const row = theming.token("radius");
  for (const value of ["red", "1px; } * { color: red", "inherit"]) {
    await theming.set("radius", value);
    await expect(row.getByLabel("Value")).toHaveAttribute("aria-invalid", "true");
    await expect(row.getByLabel("Value")).toHaveAccessibleDescription("Not a value for this; the default is 16px.");
    await expect(theming.light.part("panel")).toHaveCSS("border-start-start-radius", "16px");
    await expect(theming.css).toBeHidden();
  }
  await theming.set("radius", "");
  await expect(row.getByLabel("Value")).not.toHaveAttribute("aria-invalid");
});

test("texts that are hard to read are named, with their ratio", { tag: "@long" }, async ({ theming }) => {
  await theming.open();
  await theming.set("color-text", "#999999", "#eceef2");
  await expect(theming.verdict).toContainText(/\d pairs are below 4\.5 : 1/);
  await expect(theming.warnings.filter({ hasText: "--assent-color-text on --assent-color-surface in light: 2.84 : 1" })).toHaveCount(1);
  await expect(theming.warnings.filter({ hasText: "in dark" })).toHaveCount(0);
  // Just not enough is not enough: 4.48 : 1.
  await theming.set("color-text", "#777777", "#eceef2");
  await expect(theming.warnings.filter({ hasText: "--assent-color-text on --assent-color-surface in light: 4.47 : 1" })).toHaveCount(1);
  await theming.set("color-text", "#000000", "#ffffff");
  await expect(theming.warnings).toHaveCount(0);
  // See-through text is as pale as what it lets through.
  await theming.set("color-text", "rgb(0 0 0 / 0.3)", "#ffffff");
  await expect(theming.warnings.filter({ hasText: "--assent-color-text on --assent-color-surface in light" })).toHaveCount(1);
  // What depends on the page that it goes to cannot be judged here.
  await theming.set("color-text", "var(--ink)", "#ffffff");
  await expect(theming.verdict).toHaveText("All pairs that are known reach 4.5 : 1, in light and in dark.");
});

test("copied CSS does the same on another page", async ({ theming, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await theming.open();
  await theming.set("color-surface", "#fff4e0", "#201408");
  await theming.set("color-text", "#331100", "oklch(0.95 0.03 80)");
  await theming.set("font-size", "17px");
  await theming.copy.click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await theming.css.textContent());
  const other = await context.newPage();
  await other.route(`${theming.origin}/other`, (route) => route.fulfill({
    contentType: "text/html",
    body: `<!doctype html><html lang="en"><title>Another page</title><style>${copied}</style><body>
      <script type="module" src="/assent.js"></script>
      <assent-chat agent-id="demo" theme="light"></assent-chat><assent-chat agent-id="demo" theme="dark"></assent-chat></body></html>`,
  }));
  await other.setViewportSize({ width: 1000, height: 1300 });
  await other.goto(`${theming.origin}/other`);
  const looks = (chat) => chat.part("composer").evaluate((form) => {
    const { backgroundColor, color, fontSize } = getComputedStyle(form.closest(".app"));
    return { backgroundColor, color, fontSize };
  });
  for (const [index, here] of [theming.light, theming.dark].entries()) {
    const there = new Chat(other, "", other.locator("assent-chat").nth(index));
    await expect(there.input).toBeVisible();
    await there.element.evaluate((element) => element.ready);
    expect(await looks(there)).toEqual(await looks(here));
  }
  expect((await looks(theming.light)).backgroundColor).toBe("rgb(255, 244, 224)");
  expect((await looks(theming.dark)).fontSize).toBe("17px");
});

test("the address carries what was changed to another page, as far as it is good", { tag: "@long" }, async ({ theming, context }) => {
  await theming.open();
  await theming.set("color-own", "#ffeecc", "#332211");
  await theming.set("shadow", "0 0 4px red");
  await expect(theming.page).toHaveURL(/--assent-shadow=/);
  const { hash } = new URL(theming.page.url());
  const other = new Theming(await context.newPage(), theming.origin);
  await other.open(`${hash}&--assent-radius=url(x)&--assent-of-nobody=1px`);
  expect(await other.css.textContent()).toBe(await theming.css.textContent());
  expect(new URL(other.page.url()).hash).toBe(hash);
  await other.page.getByRole("button", { name: "Reset all" }).click();
  await expect(other.css).toBeHidden();
  expect(new URL(other.page.url()).hash).toBe("");
  expect(await other.page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe("{}");
});

test("both chats show the same sample, which is made once", { tag: "@long" }, async ({ theming, page, scripted }) => {
  await theming.open();
  for (const chat of [theming.light, theming.dark]) await expect(chat.messages).toHaveCount(4);
  expect(scripted.to("create")).toHaveLength(1);
  await page.reload();
  for (const chat of [theming.light, theming.dark]) await expect(chat.messages).toHaveCount(4);
  expect(scripted.to("create")).toHaveLength(1);
});

test.describe("without a service", { tag: "@long" }, () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test("the page says so and works", async ({ theming, page, scripted }) => {
    scripted.on.list = (_, response) => response.writeHead(500).end();
    await theming.open();
    await expect(page.getByRole("status").filter({ hasText: "The service does not answer" })).toBeVisible();
    await theming.set("color-surface", "#fff4e0", "#201408");
    await expect(theming.dark.part("panel")).toHaveCSS("background-color", "rgb(32, 20, 8)");
  });
});

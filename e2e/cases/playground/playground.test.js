// The playground of the demo: attributes become a snippet and a live chat at once, the snippet makes that very chat on
// another page, and what is set is kept in the address, except the key.

import { Chat } from "../../fixtures.js";
import { expect, test as base } from "./demo.js";

/** The playground, seen by a person. */
class Playground {
  constructor(page, origin) {
    this.page = page;
    this.origin = origin;
    this.address = `${origin}/demo/playground.html`;
    this.chat = new Chat(page, "", page.frameLocator("#stage").locator("assent-chat"));
    this.snippet = page.getByRole("region", { name: "Snippet" }).locator("code");
    this.console = page.getByRole("log", { name: "Console" });
  }

  async open(hash = "") {
    await this.page.goto(`${this.address}${hash}`);
    await expect(this.chat.input).toBeVisible();
    // All attributes, whatever group they are in.
    await this.page.locator("form details").evaluateAll((groups) => groups.forEach((group) => (group.open = true)));
  }

  control(name) {
    return this.page.getByRole("form", { name: "Attributes" }).getByLabel(name, { exact: true });
  }

  async type(name, value) {
    await this.control(name).fill(value);
    await this.control(name).press("Enter");
  }

  /** What the address says. */
  said() {
    return Object.fromEntries(new URLSearchParams(new URL(this.page.url()).hash.slice(1)));
  }
}

const test = base.extend({
  playground: async ({ page, serveDemo }, use) => use(new Playground(page, await serveDemo())),
});

// The whole stage is in view, and what the chat says on the console is a part of the subject.
test.use({ viewport: { width: 1280, height: 1000 }, expectedConsole: /assent-chat: |Failed to load resource.* 401/ });

/** The attributes of the chat, in the order of their names. */
const attributesOf = (element) =>
  element.evaluate((chat) => Object.fromEntries([...chat.attributes].map(({ name, value }) => [name, value]).sort()));

test("a picked value shows in the snippet and in the chat at once", async ({ playground, page }) => {
  const { chat, snippet } = playground;
  await playground.open();
  await expect(snippet).toContainText('data-agent-id="demo"');
  await playground.control("theme").selectOption("dark");
  await expect(snippet).toContainText('data-theme="dark"');
  await expect(chat.part("panel")).toHaveCSS("background-color", "rgb(23, 24, 28)");
  await playground.control("mode").selectOption("fullscreen");
  await expect(snippet).toContainText('mode="fullscreen"');
  await expect(chat.role("region", { name: "Assistant" })).toBeVisible();
  // The whole window is that of the frame: the settings stay in reach.
  await playground.control("heading").fill("Ask us");
  await expect(snippet).toContainText('heading="Ask us"');
  await expect(chat.heading).toHaveText("Ask us");
  await playground.control("threads").selectOption("hidden");
  await expect(chat.threadsToggle).toBeHidden();
  await playground.type("agent-id", "travel");
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("I plan trips");
  await page.getByRole("button", { name: "Reset" }).click();
  await expect(chat.heading).toHaveText("Assistant");
  await expect(snippet).not.toContainText("Ask us");
  expect(new URL(page.url()).hash).toBe("");
});

test("the panel that is closed on the stage is closed in the snippet", { tag: "@long" }, async ({ playground }) => {
  await playground.open();
  await expect(playground.snippet).toContainText("data-open");
  await playground.chat.button("Close chat").click();
  await expect(playground.control("open")).not.toBeChecked();
  await expect(playground.snippet).not.toContainText("data-open");
  await playground.control("open").check();
  await expect(playground.chat.button("Close chat")).toBeVisible();
});

test("bad values give the default, and a warning that is shown", { tag: "@long" }, async ({ playground }) => {
  const { chat } = playground;
  await playground.open();
  await playground.control("mode").selectOption("Another value…");
  await playground.type("Another value of mode", "sidebar");
  await expect(playground.console).toContainText('mode="sidebar" is not one of inline, launcher, fullscreen');
  await expect(playground.snippet).toContainText('mode="sidebar"');
  await expect(chat.role("region", { name: "Assistant" })).toBeVisible();
  await playground.type("base-url", "ftp://x.example");
  await expect(playground.console).toContainText('base-url="ftp://x.example" is not an http or https address');
  await playground.type("base-url", "");
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  await playground.type("agent-id", "");
  await expect(chat.alert).toContainText("its attribute agent-id is missing");
  await playground.page.getByRole("button", { name: "Reset" }).click();
  await expect(chat.input).toBeVisible();
  await expect(playground.console).not.toContainText("sidebar");
});

/** What is set, and the markup that it must become. */
const CASES = {
  "a launcher of one tag": {},
  "a launcher with texts and a user": {
    heading: 'Ask "us" & <them>', placeholder: "Your question", "user-id": "ada", theme: "dark", activity: "off",
  },
  "a part of the page": { mode: "inline", greeting: "Hello there", threads: "hidden" },
  "the whole window": { mode: "fullscreen", scroll: "none", dialect: "guide" },
  "without a mode": { mode: "", theme: "light" },
};

const IN_EVERY_RUN = ["a launcher with texts and a user", "a part of the page"];

for (const [name, values] of Object.entries(CASES)) {
  test(`the snippet makes the same chat on another page: ${name}`, { tag: IN_EVERY_RUN.includes(name) ? [] : "@long" }, async ({ playground, context }) => {
    await playground.open();
    for (const [name, value] of Object.entries(values)) {
      const control = playground.control(name);
      if (await control.evaluate((it) => it instanceof HTMLSelectElement)) await control.selectOption(value);
      else await playground.type(name, value);
    }
    const markup = await playground.snippet.textContent();
    const other = await context.newPage();
    await other.route(`${playground.origin}/other`, (route) =>
      route.fulfill({ contentType: "text/html", body: `<!doctype html><html lang="en"><title>Another page</title><body>${markup}</body></html>` }));
    await other.goto(`${playground.origin}/other`);
    const chat = new Chat(other);
    await expect(chat.input).toBeVisible();
    // The script tag makes a launcher by itself, and so says it.
    expect(await attributesOf(chat.element)).toEqual(await attributesOf(playground.chat.element));
    await expect(chat.heading).toHaveText(values.heading ?? "Assistant");
    await chat.ask("hello");
  });
}

test("copying puts the text as it is shown onto the clipboard, and says so", { tag: "@long" }, async ({ playground, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.open();
  await playground.control("heading").fill('A "heading"');
  await page.getByRole("button", { name: "Copy snippet" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeVisible();
  const shown = await playground.snippet.textContent();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  expect(shown).toContain('data-heading="A &quot;heading&quot;"');
  // What was copied is no longer what is shown.
  await playground.control("heading").fill("Another");
  await expect(page.getByText("Copied", { exact: true })).toHaveCount(0);
});

test("without a clipboard the text is selected, and the page says so", { tag: "@long" }, async ({ playground, page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await playground.open();
  await page.getByRole("button", { name: "Copy snippet" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Not copied" })).toBeVisible();
  expect(await page.evaluate(() => getSelection().toString())).toContain('data-agent-id="demo"');
});

test("the address carries what is set to another page", { tag: "@long" }, async ({ playground, context }) => {
  await playground.open();
  await playground.control("mode").selectOption("inline");
  await playground.control("open").uncheck();
  await playground.type("heading", "Fish & chips = 100%");
  await playground.control("scroll").selectOption("Another value…");
  await playground.type("Another value of scroll", "sideways");
  await playground.type("agent-id", "");
  const set = { "agent-id": "", mode: "inline", heading: "Fish & chips = 100%", scroll: "sideways" };
  await expect.poll(() => playground.said()).toEqual(set);
  await playground.type("agent-id", "echo");
  await expect.poll(() => playground.said()).toEqual({ ...set, "agent-id": "echo" });
  const other = new Playground(await context.newPage(), playground.origin);
  await other.open(new URL(playground.page.url()).hash);
  expect(other.said()).toEqual({ ...set, "agent-id": "echo" });
  await expect(other.control("open")).not.toBeChecked();
  await expect(other.control("Another value of scroll")).toHaveValue("sideways");
  expect(await other.snippet.textContent()).toBe(await playground.snippet.textContent());
  expect(await attributesOf(other.chat.element)).toEqual(await attributesOf(playground.chat.element));
  // The same page follows when its address is changed by hand.
  await other.page.evaluate(() => (location.hash = "#agent-id=travel&theme=dark&mode=inline"));
  await expect(other.control("agent-id")).toHaveValue("travel");
  await expect(other.chat.part("panel")).toHaveCSS("background-color", "rgb(23, 24, 28)");
});

test("a key is in the chat and the snippet, never in the address or the browser's storage", async ({ playground, page }) => {
  await playground.open("#agent-id=demo&mode=inline&api-key=from-the-address");
  const stored = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]));
  expect(await playground.snippet.textContent()).not.toContain("from-the-address");
  expect(page.url()).not.toContain("from-the-address");
  await expect(playground.control("api-key")).toHaveValue("dev-key");
  await playground.type("api-key", "dev-key ");
  await playground.control("theme").selectOption("dark");
  await expect(playground.snippet).toContainText('api-key="dev-key "');
  await expect.poll(() => playground.said()).toEqual({ "agent-id": "demo", mode: "inline", theme: "dark" });
  expect(page.url() + (await stored())).not.toContain("key");
  await expect(page.getByText("The snippet holds a key")).toBeVisible();
  await playground.type("api-key", "");
  await expect(playground.snippet).not.toContainText("key");
  await expect(page.getByText("Nothing in it is secret")).toBeVisible();
});

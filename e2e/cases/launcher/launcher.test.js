// Before anybody wants to chat, the launcher costs one small request, and a chat below the fold nothing; then it opens and closes.

import { hold } from "../early-box/held.js";
import { API_KEY, expect, SERVICE_ORIGIN, test } from "../../fixtures.js";

test("before intent only the loader is fetched and nothing is stored", async ({ page, chat, context }) => {
  const fetched = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await chat.launcher();
  await page.waitForLoadState("networkidle");
  expect(fetched).toEqual(["/pages/launcher.html", "/pages/page.css", "/dist/assent.js"]);
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  expect(await context.cookies()).toEqual([]);
});

test("a script tag passes on what the chat reads and what it is found by, and no handler", async ({ chat }) => {
  await chat.launcher({ onclick: "globalThis.clicked = true", style: "color: red", unknown: "", heading: "Help", id: "help", class: "ours" });
  const names = await chat.element.evaluate((element) => element.getAttributeNames().sort());
  expect(names).toEqual(["agent-id", "api-key", "base-url", "class", "heading", "id", "mode", "user-id"]);
});

test("pointing at the launcher fetches the application without opening it", async ({ page, chat }) => {
  await chat.launcher();
  const wasm = page.waitForResponse(/\.wasm$/);
  await chat.button("Open chat").hover();
  expect((await wasm).status()).toBe(200);
  await expect(chat.role("dialog")).toBeHidden();
});

test("a click opens the dialog, Escape closes it and gives the focus back", { tag: "@firefox" }, async ({ page, chat }) => {
  await chat.launcher();
  const launcher = chat.part("launcher");
  await expect(launcher).toHaveAccessibleName("Open chat");
  await expect(launcher).toHaveAttribute("aria-expanded", "false");
  await launcher.click();
  const dialog = chat.role("dialog", { name: "Assistant" });
  await expect(dialog).toBeVisible();
  await expect(dialog).not.toHaveAttribute("aria-modal", "true");
  await expect(launcher).toHaveAccessibleName("Close chat");
  await expect(launcher).toHaveAttribute("aria-expanded", "true");
  await expect(chat.input).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(launcher).toHaveAccessibleName("Open chat");
  await expect(launcher).toBeFocused();
});

for (const key of ["Enter", "Space"]) {
  test(`the keyboard reaches the launcher, and ${key} opens and closes`, async ({ page, chat }) => {
    await chat.launcher();
    await page.getByRole("link", { name: "a link" }).focus();
    await page.keyboard.press("Tab");
    await expect(chat.button("Open chat")).toBeFocused();
    await page.keyboard.press(key);
    await expect(chat.input).toBeFocused();
    await chat.button("Close chat").focus();
    await page.keyboard.press(key);
    await expect(chat.role("dialog")).toBeHidden();
    await expect(chat.button("Open chat")).toBeFocused();
  });
}

test("open, close and toggle work from the page and give it events", async ({ page, chat }) => {
  await chat.launcher();
  await chat.listen("open", "close", "ready");
  const call = (name) => chat.element.evaluate((element, name) => element[name](), name);
  await call("open");
  await chat.element.evaluate((element) => element.ready);
  await expect(chat.role("dialog")).toBeVisible();
  await call("toggle");
  await expect(chat.role("dialog")).toBeHidden();
  await expect(chat.element).not.toHaveAttribute("open");
  await chat.element.evaluate((element) => element.setAttribute("open", ""));
  await expect(chat.role("dialog")).toBeVisible();
  expect(await page.evaluate(() => globalThis.heard.map(([type]) => type))).toEqual(["open", "ready", "close", "open"]);
});

test("whoever goes on to something else while it loads keeps the focus", async ({ page, chat }) => {
  const arrive = await hold(page);
  await chat.panel();
  await page.getByRole("link", { name: "a link" }).focus();
  arrive();
  await expect(chat.input).toBeVisible();
  await expect(page.getByRole("link", { name: "a link" })).toBeFocused();
});

test("a framework that sets the attribute as a property does not hide the method", async ({ chat }) => {
  await chat.launcher({ open: "false" });
  const set = (value) => chat.element.evaluate((element, value) => void (element.open = value), value);
  for (const [value, isShown] of [[true, true], [false, false], ["", true], ["false", false], ["true", true], [null, false]]) {
    await set(value);
    await expect(chat.role("dialog"))[isShown ? "toBeVisible" : "toBeHidden"]();
  }
  await chat.element.evaluate((element) => element.open());
  await expect(chat.role("dialog")).toBeVisible();
});

test.describe("below the fold", () => {
  // The page's own tag has attributes for a launcher, and no agent.
  test.use({ expectedConsole: /no launcher without data-agent-id/ });

  test("an element below the fold starts when it comes into view", async ({ page, chat }) => {
    await page.setViewportSize({ width: 800, height: 600 });
    await chat.visit("launcher", { without: "agent-id" });
    const fetched = [];
    page.on("request", (request) => fetched.push(request.url()));
    const attributes = { "agent-id": "demo", "base-url": SERVICE_ORIGIN, "api-key": API_KEY, "user-id": chat.user };
    await page.evaluate((attributes) => {
      document.body.style.setProperty("padding-block-start", "3000px");
      const chat = document.createElement("assent-chat");
      for (const name in attributes) chat.setAttribute(name, attributes[name]);
      document.body.append(chat);
    }, attributes);
    await expect(chat.element).toHaveCount(1);
    await page.waitForLoadState("networkidle");
    expect(fetched).toEqual([]);
    const wasm = page.waitForRequest(/\.wasm$/);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await wasm;
  });
});

// A page that the browser kept as it was and shows again, in a browser of its own: Playwright turns that off.

import { Chat } from "../../fixtures.js";
import { ask } from "../notify/elsewhere.js";
import { BROWSER } from "../../servers/browser.js";
import { expect, test as base } from "../embedding/site.js";

const test = base.extend({
  kept: async ({ playwright, user, scripted, serve }, use) => {
    const browser = await playwright.chromium.launch({ ...BROWSER, ignoreDefaultArgs: ["--disable-back-forward-cache"] });
    const page = await browser.newPage();
    await page.addInitScript(() => addEventListener("pageshow", ({ persisted }) => (globalThis.isKept = persisted)));
    // What must not be stored is not kept either.
    const pages = {
      "/chat": `<script type="module" src="/dist/assent.js"></script><assent-chat agent-id="demo" notify="title sound system" base-url="${scripted.origin}" user-id="${user}"></assent-chat>`,
      "/other": "<h1>Another page</h1>",
    };
    const instead = (path, response) => {
      if (path in pages) response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>A page</title>${pages[path]}`);
      return path in pages;
    };
    const origin = await serve(import.meta.url, { instead });
    await page.goto(`${origin}/chat`);
    await use({
      page,
      chat: new Chat(page, user),
      /** Goes to a page without a chat. */
      leave: () => page.goto(`${origin}/other`),
      /** Goes back; returns true if the page is the one that was left. */
      comeBack: async () => {
        await page.goBack({ waitUntil: "commit" });
        return page.evaluate(() => globalThis.isKept);
      },
    });
    await browser.close();
  },
});

test("a chat that was left and comes back goes on", async ({ kept: { chat, leave, comeBack } }) => {
  await chat.ask("Hello");
  await chat.input.fill("half a sentence");
  await leave();
  expect(await comeBack()).toBe(true);
  await expect(chat.element).toHaveCount(1);
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.input).toHaveValue("half a sentence");
  await chat.ask("And now");
  await expect(chat.messages).toHaveCount(4);
});

test("an answer that was being written when the page was left is whole when it comes back, and nothing is posted twice", async ({ kept: { chat, leave, comeBack }, scripted }) => {
  const post = await chat.post(scripted, "Tell me");
  post.say("Before, ");
  await expect(chat.lastMessage).toContainText("Before,");
  await leave();
  post.complete("Before, and after.");
  await comeBack();
  await expect(chat.lastMessage).toContainText("Before, and after.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(chat.messages).toHaveCount(2);
  expect(scripted.to("post")).toHaveLength(1);
});

test("a page that was left while a decision waits comes back, with its own title", async ({ kept: { page, chat, leave, comeBack }, scripted }) => {
  await chat.loaded();
  await ask(chat, scripted, ["delete_file"]);
  await leave();
  expect(await comeBack()).toBe(true);
  await expect(page).toHaveTitle("A page");
  expect(await page.evaluate(() => document.querySelector("title").childNodes.length)).toBe(1);
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
});

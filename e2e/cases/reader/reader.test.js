// The reader comes after the widget: until it is there, if it never comes, and after it fails, answers are plain text.

import { expect, test } from "../../fixtures.js";

const READER = /assent_renderer.*\.wasm$/;
const heading = (chat) => chat.lastMessage.getByRole("heading", { name: "Everything an answer can hold" });

test("an answer is plain text until the reader comes, and is drawn anew then", async ({ page, chat }) => {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(READER, async (route) => {
    await released;
    await route.continue();
  });
  await chat.inline();
  await chat.ask("markdown");
  await expect(chat.lastMessage).toContainText("# Everything an answer can hold");
  await expect(heading(chat)).toHaveCount(0);
  release();
  await expect(heading(chat)).toBeVisible();
  await expect(chat.lastMessage).not.toContainText("# Everything an answer can hold");
});

test.describe("without a reader", () => {
  test.use({ expectedConsole: /Failed to load resource|wasm streaming compile failed|TypeError: Failed to fetch|warning: (TypeError|JSHandle)/ });

  test("answers stay plain text, and nothing of them comes to life", async ({ page, chat }) => {
    await page.route(READER, (route) => route.abort());
    await chat.inline();
    await chat.ask("unsafe");
    await expect(chat.lastMessage).toContainText("<b>not bold</b>");
    await expect(chat.lastMessage.locator(".answer").locator("a, b, img, script, style, iframe")).toHaveCount(0);
    await chat.ask("hello");
    await expect(chat.lastMessage).toContainText("Type `help`");
  });
});

test.describe("without a network", () => {
  test.use({ expectedConsole: /Failed to load resource|wasm streaming compile failed|answers are shown as plain text|ERR_INTERNET_DISCONNECTED/ });

  test("the renderer is fetched again once the network is back, and the answer is drawn anew", async ({ page, chat }) => {
    const asked = [];
    let release;
    const released = new Promise((resolve) => (release = resolve));
    await page.route(READER, async (route) => {
      asked.push(route.request().url());
      await released;
      await route.continue();
    });
    await chat.inline();
    await chat.ask("markdown");
    await page.context().setOffline(true);
    const failed = page.waitForEvent("console", (message) => message.text().includes("shown as plain text"));
    release();
    await failed;
    await expect(chat.lastMessage).toContainText("# Everything an answer can hold");
    await expect(heading(chat)).toHaveCount(0);
    expect(asked).toHaveLength(1);
    await page.context().setOffline(false);
    await expect(heading(chat)).toBeVisible();
    expect(asked).toHaveLength(2);
  });
});

test.describe("with a reader that fails", () => {
  test.use({ expectedConsole: /answers are shown as plain text/ });

  test("answers go on as plain text, with one warning", async ({ page, chat, scripted, console: messages }) => {
    // What the reader asks of the page is the only way in: a document that makes no more elements of its kind.
    await page.addInitScript(() => {
      const make = Document.prototype.createElement;
      Document.prototype.createElement = function (tag, ...rest) {
        if (tag === "blockquote") throw new Error("no quotes");
        return make.call(this, tag, ...rest);
      };
    });
    scripted.hold = true;
    await chat.inline({ "base-url": scripted.origin });
    await chat.say("quote");
    const post = await scripted.nextPost();
    post.begin();
    post.say("# Title\n\n");
    await expect(chat.lastMessage.getByRole("heading", { name: "Title" })).toBeVisible();
    post.say("> quoted\n\nand more");
    await expect(chat.lastMessage).toContainText("# Title");
    post.complete("# Title\n\n> quoted\n\nand more, to the end");
    await expect(chat.lastMessage.locator(".answer > p")).toHaveText(["# Title", "> quoted", "and more, to the end"]);
    expect(messages.filter((text) => text.includes("plain text"))).toHaveLength(1);
  });
});

// The Markdown reader comes after the widget: until it is there, and if it never comes, answers are plain text.

import { expect, test } from "../../fixtures.js";

const READER = /assent_reader.*\.wasm$/;
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

// A page that lets nobody make trusted types at all: the chat never writes markup, so it needs none.

import { converse, expect, test } from "../embedding/site.js";

const HEADERS = { "content-security-policy": "require-trusted-types-for 'script'; trusted-types 'none'" };

test("a conversation without a word on the console", async ({ page, chat, scripted, serve, visit, console }) => {
  await visit(`${await serve(import.meta.url, { headers: HEADERS })}/`);
  await converse(chat, scripted);
  await page.evaluate(() => document.querySelector("assent-chat").remove());
  expect(console).toEqual([]);
});

// Pages that took a name of the browser for something of their own, as old libraries and plain scripts do.

import { expect, test } from "../embedding/site.js";

const visit = async ({ page, user, scripted, serve }, script) => {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Names</title><script>${script}</script></head>
    <body><assent-chat agent-id="demo" base-url="${scripted.origin}" user-id="${user}"></assent-chat>
    <script type="module" src="/dist/assent.js"></script></body></html>`;
  const instead = (path, response) => {
    if (path !== "/page") return false;
    response.writeHead(200, { "content-type": "text/html" }).end(html);
    return true;
  };
  await page.goto(`${await serve(import.meta.url, { instead })}/page`);
};

test.describe("a name that the chat needs", () => {
  test.use({ expectedConsole: /not started\. The page uses the name/ });
  for (const [name, script] of [
    ["URL", 'var URL = "/shop/";'],
    // MooTools has classes of these names.
    ["Request", "var Request = function (options) { this.options = options; };"],
    ["Headers", 'var Headers = ["Name", "Price"];'],
    // A map of a shop's branches, and an element of a drawing.
    ["Map", "function Map(place) { this.place = place; }"],
    ["Text", "class Drawn {} ; Text = Drawn;"],
    ["Array.from", "Array.from = (it) => [it];"],
    // prototype.js up to 1.6
    ["JSON.stringify", "Array.prototype.toJSON = function () { return String(this); }; Object.defineProperty(Array.prototype, 'toJSON', { enumerable: false });"],
  ]) {
    test(`${name}: a sentence in its place, the name on the console, and no request`, async ({ page, chat, user, scripted, serve, console: messages }) => {
      await visit({ page, user, scripted, serve }, script);
      await expect(chat.role("alert")).toContainText("this page uses a name of the browser for something of its own");
      expect(messages.filter((text) => text.includes(`uses the name ${name} `))).toHaveLength(1);
      expect(scripted.requests).toEqual([]);
      expect(await chat.element.evaluate((element) => element.state.phase)).toBe("failed");
    });
  }
});

test("members that a page gave to all objects change nothing", async ({ page, chat, user, scripted, serve }) => {
  await visit({ page, user, scripted, serve }, "Object.prototype.extend = function () {}; Object.prototype.label = 'all'; Array.prototype.each = function () {}; Function.prototype.bindAll = function () {};");
  await chat.ask("Hello");
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(scripted.to("post")).toHaveLength(1);
});

test("a page that took the name by which letters are measured has the chat in its usual size", async ({ page, chat, user, scripted, serve }) => {
  await visit({ page, user, scripted, serve }, "var getComputedStyle = { theme: 'dark' };");
  await chat.ask("Hello");
  await expect(chat.element.locator(".app[data-wide]")).toHaveCSS("font-size", "15px");
});

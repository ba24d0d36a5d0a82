// A download of which nothing comes any more: the person is told within a while, and a second try works.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { request, tool } from "../../servers/approvals.js";
import { DIST, expect, test } from "../embedding/site.js";
import { Post } from "../../servers/scripted.js";

const TYPES = { js: "text/javascript", wasm: "application/wasm" };
const SENTENCE = "The chat didn’t load. Check your connection and try again.";

/** A site on which the files of this pattern stop in their middle, until `flows` is set. The loader's tests stop them elsewhere, too. */
function stalling(pattern) {
  const site = { flows: false, asked: 0 };
  site.instead = (path, response) => {
    if (site.flows || !pattern.test(path)) return false;
    site.asked += 1;
    const content = readFileSync(DIST + basename(path));
    response.writeHead(200, { "content-type": TYPES[path.split(".").pop()], "content-length": content.length, "access-control-allow-origin": "*" });
    response.flushHeaders();
    response.write(content.subarray(0, content.length / 2));
    return true;
  };
  return site;
}

/** Lets time pass for the page until it has given up the file. */
async function waitInVain(page, site) {
  await expect.poll(() => site.asked).toBe(1);
  const failures = async () => {
    await page.clock.runFor(21_000);
    return page.evaluate(() => Object.values(globalThis[Symbol.for("assent")])[0].attempt);
  };
  await expect.poll(failures).toBeGreaterThan(0);
}

test.beforeEach(({ page }) => page.clock.install());

test.describe("the widget", () => {
  test.use({ expectedConsole: /assent-chat: not loaded\./ });

  for (const file of [/assent_widget-.*\.js$/, /assent_widget_bg.*\.wasm$/])
    test(`stalls: ${file.source}`, { tag: file.test("assent_widget-.js") ? "@long" : [] }, async ({ page, chat, serve, visit }) => {
      const site = stalling(file);
      await visit(`${await serve(import.meta.url, site)}/`);
      const waiting = chat.element.evaluate((element) => Promise.all([element.ready, element.send("hello")].map((it) => it.catch(({ code }) => code))));
      await waitInVain(page, site);
      await expect(chat.alert).toContainText(SENTENCE);
      expect(await waiting).toEqual(["unavailable", "unavailable"]);
      expect(await chat.element.evaluate((element) => element.ready.catch(({ code }) => code))).toBe("unavailable");
      site.flows = true;
      await chat.button("Try again").click();
      await chat.element.evaluate((element) => element.ready);
      await chat.ask("hello");
      await expect(chat.lastMessage).toContainText("Fine.");
    });
});

test.describe("the renderer", () => {
  test.use({ expectedConsole: /answers are shown as plain text/ });

  for (const file of [/assent_renderer-.*\.js$/, /assent_renderer_bg.*\.wasm$/])
    test(`stalls: ${file.source}`, { tag: file.test("assent_renderer-.js") ? "@long" : [] }, async ({ page, chat, scripted, serve, visit }) => {
      const site = stalling(file);
      await visit(`${await serve(import.meta.url, site)}/`);
      request(await chat.post(scripted, "Do it"), tool("b", "one"));
      await waitInVain(page, site);
      await expect(chat.tool("one")).toContainText("This request cannot be shown, so that it cannot be approved. Try again, or reload the page.");
      site.flows = true;
      await chat.button("Try again").click();
      await expect(chat.verdict("one", "Approve")).toBeEnabled();
    });
});

test.describe("the code of the card", () => {
  test.use({ expectedConsole: /answers are shown as plain text/ });

  test("stalls", async ({ page, chat, scripted, serve, visit }) => {
    const site = stalling(/assent_approval_bg.*\.wasm$/);
    await visit(`${await serve(import.meta.url, site)}/`);
    request(await chat.post(scripted, "Do it"), tool("b", "one"));
    await waitInVain(page, site);
    await expect(chat.approval).toContainText("This request cannot be shown, so that it cannot be approved. Try again, or reload the page.");
    site.flows = true;
    await chat.approval.getByRole("button", { name: "Try again" }).click();
    await expect(chat.verdict("one", "Approve")).toBeEnabled();
  });
});

for (const file of [/assent_history/, /assent_math-.*\.js$/, /assent_math_bg/, /assent_highlight/])
  test(`without ${file.source}, which stalls, the chat can be used`, { tag: file.test("assent_history") ? [] : "@long" }, async ({ page, chat, scripted, serve, visit }) => {
    const site = stalling(file);
    await visit(`${await serve(import.meta.url, site)}/`);
    const text = "# Title\n\n$x^2$\n\n```js\nconst answer = 42;\n```\n";
    const ask = async () => {
      scripted.on.post = (request, response) => new Post(scripted, request, response).answer(text);
      await chat.askFormatted("Show me");
    };
    await ask();
    await waitInVain(page, site);
    site.flows = true;
    await ask();
    await expect(chat.lastMessage.locator("math")).toBeVisible();
  });

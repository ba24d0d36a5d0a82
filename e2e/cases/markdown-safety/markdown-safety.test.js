// Whatever an answer says, it is text: nothing runs, and nothing is fetched.

import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { firefox } from "@playwright/test";
import { Chat, expect, PAGE_ORIGIN, SERVICE_ORIGIN, test } from "../../fixtures.js";
import { FIREFOX } from "../../servers/browser.js";
import { storeRequest, tool } from "../../servers/approvals.js";

const answer = (chat) => chat.lastMessage.locator(".answer");

test.describe("on a page without a policy of its own", () => {
  test.beforeEach(async ({ page, chat }) => {
    page.on("dialog", (dialog) => {
      throw new Error(`a dialog was opened: ${dialog.message()}`);
    });
    // Nothing but the page and the service is there to be asked.
    await page.context().route(
      (url) => ![PAGE_ORIGIN, SERVICE_ORIGIN].includes(url.origin),
      (route) => {
        foreign.push(route.request().url());
        return route.abort();
      },
    );
    foreign.length = 0;
    await chat.inline({ csp: "off" });
    await chat.askFormatted("unsafe");
  });
  const foreign = [];

  test("nothing is asked of any other host", async ({ page, chat }) => {
    await test.step("raw HTML is text, and no element of it comes to be", async () => {
      await expect(answer(chat)).toContainText('<b>not bold</b>, <img src="https://tracker.invalid/pixel.png" onerror="alert(1)">');
      await expect(answer(chat)).toContainText('<script>alert("no script")</script>');
      await expect(answer(chat).locator("b, img, script, style, iframe, object, embed, form, [onclick], [onerror]")).toHaveCount(0);
    });
    await test.step("images are placeholders that name their host", async () => {
      await expect(answer(chat)).toContainText("A picture of a parcel");
      await expect(answer(chat)).toContainText("Image not loaded, from tracker.invalid");
    });
    await page.waitForLoadState("networkidle");
    expect(foreign).toEqual([]);
  });
});

/** A chat that shows these stored texts of an agent. */
async function show(chat, scripted, texts, settings = {}) {
  const thread = scripted.addThread("Hostile");
  for (const text of texts) scripted.store(thread.id, "assistant", text, { handle: "Scripted" });
  await chat.inline({ "base-url": scripted.origin, "thread-id": thread.id, ...settings });
  await chat.isDrawn();
}

test("nothing is asked for before a click, whatever the page's speculation rules say", async ({ page, chat, scripted }) => {
  const asked = [];
  const other = createServer(({ url }, response) => response.end(void asked.push(url))).listen(0, "127.0.0.1");
  await once(other, "listening");
  const origin = `http://127.0.0.1:${other.address().port}`;
  await show(chat, scripted, [`[A link](${origin}/link)`], { csp: "off" });
  await page.evaluate((origin) => {
    const rules = document.createElement("script");
    rules.type = "speculationrules";
    rules.text = JSON.stringify({ prefetch: [{ source: "document", where: { and: [] }, eagerness: "immediate" }] });
    document.head.append(rules);
    document.body.append(Object.assign(document.createElement("a"), { href: `${origin}/of-the-page`, textContent: "A link of the page" }));
  }, origin);
  await expect.poll(() => asked).toContain("/of-the-page");
  await chat.role("link", { name: "A link" }).hover();
  expect(asked).toEqual(["/of-the-page"]);
  const opened = page.waitForEvent("popup");
  await chat.role("link", { name: "A link" }).click();
  const there = await opened;
  await there.waitForURL(`${origin}/link`);
  await there.close();
  other.close();
});

// Its own Firefox, whatever browser the test runs in: the log of look-ups is asked for when a browser starts.
test("Firefox looks up no host of a link before it is used", async ({ scripted, user }, testInfo) => {
  const log = testInfo.outputPath("look-ups");
  // Without "sync" a line is in the file when many others have followed it.
  const env = { ...process.env, MOZ_LOG: "sync,nsHostResolver:5", MOZ_LOG_FILE: log };
  const browser = await firefox.launch({ channel: "moz-firefox", ...FIREFOX, env, firefoxUserPrefs: { "network.dns.disablePrefetch": false } });
  const lookedUp = (host) => readdirSync(dirname(log)).some((name) => readFileSync(join(dirname(log), name), "utf8").includes(host));
  try {
    const page = await browser.newPage({ baseURL: PAGE_ORIGIN });
    const chat = new Chat(page, user);
    await show(chat, scripted, ["[A link](http://of-an-answer.invalid/)"]);
    await page.evaluate(() => document.body.prepend(Object.assign(document.createElement("a"), { href: "http://of-the-page.invalid/", rel: "noreferrer", textContent: "A link of the page" })));
    await expect.poll(() => lookedUp("of-the-page.invalid")).toBe(true);
    await chat.role("link", { name: "A link" }).hover();
    expect(lookedUp("of-an-answer.invalid")).toBe(false);
    await chat.role("link", { name: "A link" }).click();
    await expect.poll(() => lookedUp("of-an-answer.invalid")).toBe(true);
  } finally {
    await browser.close();
  }
});

test("a link opens by mouse and by keyboard", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  const opened = [];
  const other = createServer(({ url }, response) => {
    if (url === "/link") opened.push(url);
    // The page has an icon in it: one that is asked for after the end of this server would be an error on the console.
    response.setHeader("Content-Type", "text/html");
    response.end('<!doctype html><link rel="icon" href="data:,">');
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  await show(chat, scripted, [`[A link](http://127.0.0.1:${other.address().port}/link)`]);
  const link = chat.role("link", { name: "A link" });
  for (const [place, use] of [() => link.press("Enter"), () => link.click(), () => link.click({ button: "middle" })].entries()) {
    await link.evaluate((link) => link.removeAttribute("href"));
    await use();
    await expect.poll(() => opened).toHaveLength(place + 1);
  }
  for (const popup of page.context().pages().slice(1)) await popup.close();
  other.close();
});

/** The largest difference of a colour of two pictures, of 255. Lines of other heights blur edges by a few. */
async function difference(page, ...pictures) {
  const blank = await page.context().newPage();
  return blank.evaluate(async (pictures) => {
    const [one, other] = await Promise.all(pictures.map(async (picture) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      canvas.drawImage(bitmap, 0, 0);
      return canvas.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }));
    return one.length === other.length ? one.reduce((most, value, at) => Math.max(most, Math.abs(value - other[at])), 0) : 255;
  }, pictures.map((picture) => picture.toString("base64"))).finally(() => blank.close());
}

test("letters with many marks draw over nothing that follows", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  const marks = "z" + "\u0323\u0331\u0316\u0324".repeat(60) + "\u0300\u0301\u0302".repeat(60);
  const pictures = [];
  for (const text of ["z", marks]) {
    await page.setViewportSize({ width: 700, height: 900 });
    const thread = scripted.addThread("Hostile");
    scripted.store(thread.id, "user", text.repeat(9));
    scripted.store(thread.id, "assistant", text.repeat(9), { handle: "Scripted" });
    storeRequest(scripted, thread.id, [tool("b", "one")]);
    scripted.store(thread.id, "user", "After it.");
    await chat.inline({ "base-url": scripted.origin, "thread-id": thread.id });
    await expect(chat.messages.nth(1).locator(".answer > .blocks")).toBeVisible();
    const after = [chat.messages.nth(1).locator(".message-head"), chat.approval, chat.messages.nth(3)];
    pictures.push(await Promise.all(after.map((part) => part.screenshot({ animations: "disabled" }))));
  }
  const [plain, hostile] = pictures;
  for (const [place, picture] of plain.entries()) expect(await difference(page, picture, hostile[place])).toBeLessThan(32);
});

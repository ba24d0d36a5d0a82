// What stands around a message: copying it, when it was written, and the agents that contributed to it.

import { expect, test } from "../../fixtures.js";
import { bringAxe, violations } from "../a11y/axe.js";

const MARKDOWN = "The **wide** box:\n\n1. lamps\n2. kites";

/** Answers the next message with this text. */
async function answered(chat, scripted, text = MARKDOWN) {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("Which box?");
  const post = await scripted.nextPost();
  post.begin();
  post.complete(text);
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
}

/** What the clipboard holds of this kind. */
const copied = (page, kind) =>
  page.evaluate(async (kind) => {
    const [item] = await navigator.clipboard.read();
    return item.types.includes(kind) ? await (await item.getType(kind)).text() : null;
  }, kind);

test("an answer is copied as rich text and as Markdown at once", async ({ page, context, chat, scripted }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await answered(chat, scripted);
  await expect(chat.lastMessage.getByRole("list")).toBeVisible();
  await chat.lastMessage.hover();
  await chat.button("Copy answer").click();
  await expect(chat.button("Copied")).toBeVisible();
  expect(await copied(page, "text/plain")).toBe(MARKDOWN);
  const html = await copied(page, "text/html");
  // The page under test refuses to turn text into markup.
  const other = await context.newPage();
  const pasted = await other.evaluate((html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const texts = (selector) => [...page.querySelectorAll(selector)].map((element) => element.textContent);
    return { bold: texts("strong"), items: texts("ol > li"), tools: texts("button, svg, script").length };
  }, html);
  expect(pasted).toEqual({ bold: ["wide"], items: ["lamps", "kites"], tools: 0 });
  await other.close();
  await chat.button("Copy as Markdown").click();
  expect(await copied(page, "text/plain")).toBe(MARKDOWN);
  expect(await copied(page, "text/html")).toBe(null);
});

test("own messages can be copied, too", async ({ page, context, chat, scripted }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await answered(chat, scripted);
  await chat.own.hover();
  await chat.own.getByRole("button", { name: "Copy", exact: true }).click();
  await expect(chat.own.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await copied(page, "text/plain")).toBe("Which box?");
});

test("the buttons show for the pointer and for the focus, and take no room that was not theirs", async ({ page, chat, scripted }) => {
  await answered(chat, scripted);
  await chat.isDrawn();
  const actions = chat.lastMessage.locator(".message-actions");
  await chat.input.hover();
  await expect(actions).toHaveCSS("opacity", "0");
  const { height } = await chat.lastMessage.boundingBox();
  await chat.lastMessage.hover();
  await expect(actions).toHaveCSS("opacity", "1");
  expect((await chat.lastMessage.boundingBox()).height).toBe(height);
  await chat.input.hover();
  await expect(actions).toHaveCSS("opacity", "0");
  await chat.button("Copy as Markdown").focus();
  await expect(actions).toHaveCSS("opacity", "1");
  await page.keyboard.press("Shift+Tab");
  await expect(chat.button("Copy answer")).toBeFocused();
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test("the buttons are always there", async ({ chat, scripted }) => {
    await answered(chat, scripted);
    await expect(chat.lastMessage.locator(".message-actions")).toHaveCSS("opacity", "1");
  });
});

test("the time moves on by itself, and days have names", async ({ page, chat, scripted }) => {
  const now = new Date("2026-03-10T15:00:00");
  await page.clock.install({ time: now });
  const { id } = scripted.addThread("Boxes");
  const at = (ago) => ({ timestamp: new Date(now.getTime() - ago).toISOString(), handle: "@scripted" });
  scripted.store(id, "user", "Old", at(8 * 86_400_000));
  scripted.store(id, "assistant", "Older", at(86_400_000));
  scripted.store(id, "user", "New", at(120_000));
  await chat.inline({ "base-url": scripted.origin });
  await chat.thread("Boxes").click();
  await expect(chat.messages).toHaveCount(3);
  await expect(chat.messages.locator("time")).toHaveText([/2 Mar|Mar 2/, "yesterday", "2 min. ago"]);
  await expect(chat.role("separator")).toHaveText([/Monday.*2026/, "Yesterday", "Today"]);
  await expect(chat.messages.locator("time").last()).toHaveAttribute("title", /March 10, 2026|10 March 2026/);
  await expect(chat.messages.nth(1)).toHaveAccessibleName(/^Scripted, 03:00/);
  await expect(chat.messages.nth(1).locator(".handle")).toHaveText("@scripted");
  await page.clock.fastForward(180_000);
  await expect(chat.messages.locator("time").last()).toHaveText("5 min. ago");
});

test("agents that work together have a block each, and one answer", async ({ page, chat }) => {
  await bringAxe(page);
  await chat.inline();
  await chat.ask("collaborate");
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.lastMessage).toContainText("Together: send lamps above 40 cm");
  const researcher = chat.role("group", { name: "Contribution of Researcher" });
  await expect(researcher).toHaveAttribute("data-state", "done");
  await expect(researcher).not.toContainText("62 %");
  await researcher.getByRole("button").click();
  await expect(researcher).toContainText("62 % of the broken lamps");
  await expect(chat.role("group", { name: "Contribution of Reviewer" })).toBeVisible();
  await chat.lastMessage.hover();
  await expect(chat.lastMessage.locator(".message-actions")).toHaveCSS("opacity", "1");
  expect(await violations(page)).toEqual([]);
});

test("answers that stand side by side are messages of their own", async ({ chat }) => {
  await chat.inline();
  await chat.say("side by side");
  await expect(chat.messages).toHaveCount(3);
  await expect(chat.role("article", { name: /^Researcher\b/ })).toContainText("raise the price of the kite");
  await expect(chat.role("article", { name: /^Reviewer\b/ })).toContainText("a spare string");
});

test("a conversation that is read again says nothing twice", async ({ page, chat }) => {
  await chat.inline();
  await chat.ask("collaborate");
  const read = page.waitForResponse((response) => response.request().method() === "GET" && response.url().endsWith("/messages"));
  await chat.thread("collaborate").click();
  await read;
  await expect(chat.transcript).toHaveAttribute("data-state", "ready");
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.role("group", { name: /^Contribution of/ })).toHaveCount(2);
});

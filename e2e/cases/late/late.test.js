// What draws messages comes in a second file: until it is there, while it cannot be had, and when it comes in the end.

import { Chat } from "../../fixtures.js";
import { expect, test } from "../embedding/site.js";

const LATE = /assent_widget_late.*\.wasm$/;
const SENTENCE = "A part of the chat could not be loaded.";

/** Holds the second file back; the function that is returned lets it go. */
async function holdBack(page) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(LATE, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** A site that answers the first `failures` requests for the second file with an error. */
function failing(failures) {
  const site = { failures, asked: [] };
  site.instead = (path, response) => {
    if (!LATE.test(path)) return false;
    site.asked.push(response.req.headers["cache-control"] ?? "");
    if (site.asked.length > site.failures) return false;
    response.writeHead(500, { "content-type": "text/html" }).end("<h1>Sorry</h1>");
    return true;
  };
  return site;
}

/** The two chats of the page. */
const two = (page, user) => ["first", "second"].map((id) => new Chat(page, user, page.locator(`#${id}`)));

test("a message is typed, sent and answered before there is anything to draw it", async ({ page, chat, scripted }) => {
  const release = await holdBack(page);
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await expect(chat.input).toHaveAttribute("placeholder", /./);
  await chat.say("Sooner than its row");
  const post = await scripted.nextPost();
  expect(post.text).toContain("Sooner than its row");
  await expect(chat.input).toHaveValue("");
  // In their place is what stands for messages that are being read.
  await expect(chat.transcript.getByRole("status", { name: "Loading…" })).toBeVisible();
  await expect(chat.messages).toHaveCount(0);
  post.begin();
  post.complete("Drawn **late**");
  await chat.input.fill("and typing goes on");
  release();
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.own).toContainText("Sooner than its row");
  await expect(chat.lastMessage.locator("strong")).toHaveText("late");
  await expect(chat.transcript.getByRole("status", { name: "Loading…" })).toHaveCount(0);
  await expect(chat.input).toHaveValue("and typing goes on");
});

test("a conversation and the list wait for it, and stand where they belong then", async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 1100, height: 600 });
  const release = await holdBack(page);
  const stored = Array.from({ length: 20 }, (_, at) => ({
    id: `stored-${at}`,
    role: at % 2 ? "assistant" : "user",
    content: `Stored message ${at + 1}`,
    timestamp: "2026-01-01T00:00:00Z",
  }));
  const { id } = scripted.addThread("Before", stored);
  await chat.inline({ "base-url": scripted.origin, "thread-id": id, threads: "side" });
  await expect(chat.list.getByRole("status", { name: "Loading…" })).toBeVisible();
  await expect.poll(() => scripted.to("messages").length).toBeGreaterThan(0);
  const width = (await chat.list.boundingBox()).width;
  release();
  await expect(chat.thread("Before")).toBeVisible();
  expect((await chat.list.boundingBox()).width).toBe(width);
  await expect(chat.messages).toHaveCount(20);
  await expect(chat.lastMessage).toBeInViewport({ ratio: 1 });
});

test("two chats share one file", async ({ page, user, scripted, serve, visit, console }) => {
  const site = failing(0);
  await page.setViewportSize({ width: 1000, height: 1300 });
  await visit(`${await serve(import.meta.url, site)}/`);
  for (const chat of two(page, user)) {
    await chat.ask("hello");
    await expect(chat.lastMessage).toContainText("Fine.");
  }
  expect(site.asked).toHaveLength(1);
  expect(console).toEqual([]);
});

test.describe("where fetching it fails", () => {
  test.use({ expectedConsole: /Failed to load resource|a part of the chat could not be loaded/ });

  test("once, it is asked for again, past the caches, and nobody hears of it", async ({ page, user, serve, visit, console }) => {
    const site = failing(1);
    await visit(`${await serve(import.meta.url, site)}/`);
    const [chat] = two(page, user);
    await chat.ask("hello");
    await expect(chat.alert).toHaveCount(0);
    expect(site.asked).toHaveLength(2);
    expect(site.asked[1]).toBe("no-cache");
    expect(console.filter((text) => text.includes("could not be loaded"))).toEqual([]);
  });

  test("twice, all chats say so, typing goes on, and one Retry brings it to all", { tag: "@firefox" }, async ({ page, user, scripted, serve, visit, console }) => {
    const site = failing(4);
    await page.setViewportSize({ width: 1000, height: 1300 });
    await visit(`${await serve(import.meta.url, site)}/`);
    const [chat, other] = two(page, user);
    await expect(chat.alert).toContainText(SENTENCE);
    await expect(other.alert).toContainText(SENTENCE);
    expect(await chat.alert.innerText()).not.toMatch(/500|wasm|Error/i);
    expect(site.asked).toHaveLength(2);
    // What is sent arrives all the same.
    await chat.say("Is anybody there?");
    await expect.poll(() => scripted.to("post").length).toBe(1);
    await expect(chat.messages).toHaveCount(0);
    // Still missing: asked for again, and said again.
    await chat.button("Retry").click();
    await expect.poll(() => site.asked.length).toBe(4);
    await expect(chat.alert).toContainText(SENTENCE);
    await chat.button("Retry").click();
    await expect(chat.own).toContainText("Is anybody there?");
    await expect(chat.lastMessage).toContainText("Fine.");
    await expect(chat.alert).toHaveCount(0);
    await expect(other.alert).toHaveCount(0);
    expect(site.asked).toHaveLength(5);
    await other.ask("hello");
    await expect.poll(() => console.filter((text) => text.includes("could not be loaded")).length).toBe(2);
  });
});

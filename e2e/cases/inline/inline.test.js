// The element as a part of the page, more than once, and moved around.

import { API_KEY, Chat, SERVICE_ORIGIN, Service, expect, test } from "../../fixtures.js";

test("an inline chat is a region named by its heading", async ({ chat }) => {
  await chat.inline();
  await expect(chat.role("region", { name: "Assistant", exact: true })).toBeVisible();
  await expect(chat.heading).toHaveText("Assistant");
  await expect(chat.part("launcher")).toBeHidden();
});

test("two chats talk to different agents as different users, from one download", async ({ page, user }) => {
  const wasm = [];
  page.on("request", (request) => request.url().endsWith(".wasm") && wasm.push(request.url()));
  await page.goto(`/inline/?user-id=${user}`);
  const [demo, travel] = ["Demo", "Travel"].map((name) => {
    const element = page.locator("assent-chat").filter({ has: page.getByRole("heading", { name }) });
    return new Chat(page, user, element);
  });
  await demo.ask("hello");
  await travel.element.scrollIntoViewIfNeeded();
  await expect(travel.messages).toHaveCount(0);
  await travel.ask("hello");
  await expect(demo.messages).toHaveCount(2);
  await expect(demo.lastMessage).toHaveAccessibleName(/^Assent Demo/);
  await expect(travel.lastMessage).toHaveAccessibleName(/^Travel Desk/);
  expect(wasm.length).toBe(new Set(wasm).size);
  expect(await new Service(`${user}-a`).threads("demo")).toHaveLength(1);
  expect(await new Service(`${user}-b`).threads("travel")).toHaveLength(1);
  expect(await new Service(`${user}-b`).threads("demo")).toHaveLength(0);
});

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

test("a chat that is moved keeps its conversation, one that is removed ends", async ({ page, chat }) => {
  await chat.inline();
  await chat.ask("hello");
  await page.evaluate(() => document.body.append(document.querySelector("assent-chat")));
  await expect(chat.messages).toHaveCount(2);
  await chat.input.fill("still here");
  await expect(chat.input).toHaveValue("still here");
  const left = await page.evaluate(async () => {
    const chat = document.querySelector("assent-chat");
    chat.remove();
    await new Promise((resolve) => queueMicrotask(resolve));
    return chat.shadowRoot.querySelectorAll("[part~=panel] > *").length;
  });
  expect(left).toBe(0);
});

test("the page around the chat never scrolls by itself", async ({ page, chat }) => {
  await page.setViewportSize({ width: 800, height: 600 });
  await chat.inline();
  await page.evaluate(() => document.body.style.setProperty("padding-block-end", "3000px"));
  await chat.ask("markdown");
  await chat.ask("hello");
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

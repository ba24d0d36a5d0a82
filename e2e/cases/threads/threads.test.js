// The list of conversations.

import { randomUUID } from "node:crypto";
import { Service, expect, test } from "../../fixtures.js";

const names = (chat) => chat.threads.evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")));

test("conversations are listed newest first, and those of others are not", async ({ chat, service }) => {
  await new Service(`other-${randomUUID()}`).converse("somebody else's");
  await service.converse("first");
  const second = await service.converse("second");
  await service.converse("third");
  await service.call("POST", `/${second.id}/messages`, { content: [{ type: "text", text: "again" }] });
  await chat.inline();
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  expect(await names(chat)).toEqual(["second", "third", "first"]);
});

test("opening a conversation shows its messages and marks its row", async ({ chat, service }) => {
  await service.converse("hello");
  await service.converse("help");
  await chat.inline();
  await chat.thread("hello").click();
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.own).toContainText("hello");
  await expect(chat.thread("hello")).toHaveAttribute("aria-current", "true");
  await expect(chat.thread("help")).not.toHaveAttribute("aria-current");
  await chat.thread("help").click();
  await expect(chat.own).toContainText("help");
  await expect(chat.thread("hello")).not.toHaveAttribute("aria-current");
});

test("a new conversation appears in the list with its first message", async ({ chat, service }) => {
  await service.converse("hello");
  await chat.inline();
  await chat.thread("hello").click();
  await expect(chat.messages).toHaveCount(2);
  await chat.newThread.click();
  await expect(chat.messages).toHaveCount(0);
  await expect(chat.transcript).toContainText("How can I help?");
  expect(await service.threads()).toHaveLength(1);
  await chat.ask("help");
  await expect.poll(() => names(chat)).toEqual(["help", "hello"]);
  await expect(chat.thread("help")).toHaveAttribute("aria-current", "true");
});

test("Enter saves a new name", async ({ chat, service }) => {
  await service.converse("hello");
  await chat.inline();
  await chat.choose("hello", "Rename");
  const box = chat.role("textbox", { name: "Conversation name" });
  await expect(box).toBeFocused();
  await expect(box).toHaveValue("hello");
  await box.fill("Orders");
  await box.press("Enter");
  await expect(chat.thread("Orders")).toBeVisible();
  await expect(chat.button("Actions for Orders")).toBeFocused();
  await expect.poll(async () => (await service.threads())[0].threadName).toBe("Orders");
});

test("Escape leaves the name and the panel as they are", async ({ chat, service }) => {
  await service.converse("hello");
  await chat.launcher({ threads: "side" });
  const requests = chat.record();
  await chat.button("Open chat").click();
  await chat.choose("hello", "Rename");
  const box = chat.role("textbox", { name: "Conversation name" });
  await box.fill("Orders");
  await box.press("Escape");
  await expect(chat.thread("hello")).toBeVisible();
  await expect(box).toBeHidden();
  await expect(chat.role("dialog", { name: "Assistant" })).toBeVisible();
  expect(requests.filter(({ method }) => method === "PUT")).toEqual([]);
});

test("a blank name changes nothing", async ({ chat, service }) => {
  await service.converse("hello");
  await chat.inline();
  const requests = chat.record();
  await chat.choose("hello", "Rename");
  const box = chat.role("textbox", { name: "Conversation name" });
  await box.fill("   ");
  await box.press("Enter");
  await expect(chat.thread("hello")).toBeVisible();
  expect(requests.filter(({ method }) => method === "PUT")).toEqual([]);
});

test.describe("with a service that fails", () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test("a name that the service refuses goes back to what it was, with a sentence", async ({ chat, scripted }) => {
    scripted.addThread("Orders");
    scripted.on.rename = (_, response) => response.writeHead(500).end("<html>oops</html>");
    await chat.inline({ "base-url": scripted.origin });
    await chat.choose("Orders", "Rename");
    await chat.role("textbox", { name: "Conversation name" }).fill("Returns");
    await chat.role("textbox", { name: "Conversation name" }).press("Enter");
    await expect(chat.alert).toContainText("The conversation could not be renamed.");
    await expect(chat.thread("Orders")).toBeVisible();
    delete scripted.on.rename;
    await chat.alert.getByRole("button", { name: "Retry" }).click();
    await expect(chat.thread("Returns")).toBeVisible();
    await expect(chat.alert).toHaveCount(0);
  });
});

test("deleting asks first: Cancel keeps, Delete deletes", async ({ chat, service }) => {
  await service.converse("hello");
  await service.converse("help");
  await chat.inline();
  await chat.thread("hello").click();
  await expect(chat.messages).toHaveCount(2);
  await chat.choose("hello", "Delete");
  await expect(chat.dialog).toBeVisible();
  await expect(chat.dialog).toContainText("“hello”");
  await expect(chat.dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await chat.dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(chat.dialog).toBeHidden();
  expect(await service.threads()).toHaveLength(2);
  await chat.choose("hello", "Delete");
  await chat.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(chat.thread("hello")).toHaveCount(0);
  await expect(chat.dialog).toBeHidden();
  await expect.poll(async () => (await service.threads()).map((thread) => thread.threadName)).toEqual(["help"]);
  await expect(chat.messages).toHaveCount(0);
  await chat.ask("hello");
});

test("a conversation without a name has one all the same", async ({ chat, scripted }) => {
  scripted.addThread("");
  await chat.inline({ "base-url": scripted.origin });
  await expect(chat.thread("Untitled conversation")).toBeVisible();
  await expect(chat.button("Actions for Untitled conversation")).toBeVisible();
});

test("an answer goes on in the background, and every conversation keeps its own draft", async ({ chat, scripted }) => {
  scripted.addThread("Other");
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("Tell me");
  const post = await scripted.nextPost();
  post.begin();
  post.say("Begun");
  await expect(chat.lastMessage).toContainText("Begun");
  await chat.input.fill("for later");
  await chat.thread("Other").click();
  await expect(chat.messages).toHaveCount(0);
  await expect(chat.input).toHaveValue("");
  post.complete("Begun and finished.");
  await chat.thread("New conversation").click();
  await expect(chat.lastMessage).toContainText("Begun and finished.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(chat.input).toHaveValue("for later");
});

test("the list lies over a narrow chat and goes away when something was chosen", async ({ page, chat, service }) => {
  await service.converse("hello");
  await page.setViewportSize({ width: 360, height: 740 });
  await chat.inline();
  await expect(chat.list).toBeHidden();
  await expect(chat.threadsToggle).toHaveAttribute("aria-expanded", "false");
  await chat.threadsToggle.click();
  await expect(chat.threadsToggle).toHaveAttribute("aria-expanded", "true");
  await chat.thread("hello").click();
  await expect(chat.list).toBeHidden();
  await expect(chat.messages).toHaveCount(2);
  await chat.threadsToggle.click();
  await page.keyboard.press("Escape");
  await expect(chat.list).toBeHidden();
});

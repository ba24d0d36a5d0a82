// What waits for the person while the panel is closed: counted as soon as the chat was loaded, and said.

import { expect, test } from "../../fixtures.js";
import { request, tool } from "../../servers/approvals.js";

test("on the next page nothing is fetched before intent, and then what waits is counted", async ({ page, chat }) => {
  const badge = chat.part("badge");
  await chat.panel();
  await chat.asksApproval("approve three");
  // A pointer that rests on the launcher is intent.
  await page.mouse.move(0, 0);
  const fetched = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await page.reload();
  await expect(chat.button("Open chat")).toBeVisible();
  await expect(badge).toBeHidden();
  expect(fetched.filter((path) => path.endsWith(".wasm"))).toEqual([]);
  await chat.button("Open chat").click();
  await expect(chat.input).toBeVisible();
  await chat.newThread.click();
  await chat.button("Close chat").click();
  await expect(badge).toHaveText("3");
  await expect(badge).toBeVisible();
  await expect(chat.button("Open chat, 3 decisions wait")).toBeVisible();
  await expect(chat.role("dialog")).toBeHidden();
  await chat.button("Open chat, 3 decisions wait").click();
  await expect(badge).toBeHidden();
  await chat.threadsToggle.click();
  await chat.thread("approve three").click();
  await chat.button("Deny all").click();
  await chat.submit();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await chat.isAnswered();
  await chat.button("Close chat").click();
  await expect(badge).toBeHidden();
  await expect(chat.button("Open chat")).toBeVisible();
});

test("a request that arrives while the panel is closed is said at once, by name", async ({ page, chat, scripted }) => {
  await chat.panel({ "base-url": scripted.origin });
  const post = await chat.post(scripted, "Settle it");
  await chat.button("Close chat").click();
  const said = page.locator('assent-chat .root > [aria-live="assertive"]');
  await expect(said).toHaveText("");
  request(post, tool("b", "refund_payment"), tool("b", "send_email"));
  await expect(said).toHaveText("2 actions need your approval: Refund payment, Send email.");
  await chat.button("Open chat, 2 decisions wait").click();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
});

test("answers that arrive while the panel is closed are counted, said and divided from what was read", async ({ page, chat, scripted }) => {
  await chat.panel({ "base-url": scripted.origin });
  const post = await chat.post(scripted, "Where is it?");
  await chat.button("Close chat").click();
  await page.evaluate(() => {
    globalThis.unread = [];
    addEventListener("assent:unread", (event) => unread.push(event.detail.count));
  });
  post.complete("In the second hall.");
  const launcher = chat.button("Open chat, 1 new message");
  await expect(launcher).toBeVisible();
  await expect(chat.part("badge")).toHaveText("1");
  expect(await chat.element.evaluate((element) => element.state.unread)).toBe(1);
  await launcher.click();
  await expect(chat.lastMessage.getByRole("separator")).toHaveText("New");
  await expect(chat.part("badge")).toBeHidden();
  expect(await chat.element.evaluate((element) => element.state.unread)).toBe(0);
  expect(await page.evaluate(() => unread)).toEqual([1, 0]);
  await chat.button("Close chat").click();
  await expect(chat.button("Open chat")).toBeVisible();
});

// The element's methods, its state, and the events that the page gets, before the application is there and after the end.

import { composer, file } from "../attachments/files.js";
import { expect, test } from "../../fixtures.js";

/** Calls a method; `done`, or the code of what it was rejected with. */
const call = (chat, name, ...values) =>
  chat.element.evaluate(
    (element, [name, values]) => element[name](...values).then(() => "done", ({ code, message }) => `${code}: ${message}`),
    [name, values],
  );
const state = (chat) => chat.element.evaluate((element) => element.state);

test("send makes a closed launcher load, and is done when the answer is whole", async ({ chat }) => {
  await chat.launcher();
  const heard = await chat.listen("thread-change", "before-send", "message-sent", "event", "answer-complete", "unread");
  expect(await state(chat)).toEqual({ phase: "idle", threadId: null, streaming: false, unread: 0, pendingApprovals: 0, online: true });
  expect(await call(chat, "send", "hello")).toBe("done");
  const { threadId, ...rest } = await state(chat);
  expect(threadId).toBeTruthy();
  expect(rest).toEqual({ phase: "ready", streaming: false, unread: 1, pendingApprovals: 0, online: true });
  expect(await heard("unread")).toEqual([{ count: 1 }]);
  expect(await heard("thread-change")).toEqual([{ threadId }]);
  const content = [{ type: "text", text: "hello" }];
  expect(await heard("before-send")).toEqual([{ threadId: null, content }]);
  expect(await heard("message-sent")).toEqual([{ threadId, content }]);
  const [{ text }] = await heard("answer-complete");
  expect(text.length).toBeGreaterThan(10);
  const events = await heard("event");
  expect(events.map(({ event }) => event.type)).toContain("AGENT_RESPONSE_COMPLETE");
  expect(JSON.stringify(events)).not.toContain("e2e-key");
  await chat.button("Open chat, 1 new message").click();
  await expect(chat.own).toContainText("hello");
  await expect.poll(() => heard("unread")).toEqual([{ count: 1 }, { count: 0 }]);
});

test("properties that were set before the element was defined count", async ({ page, chat, scripted }) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const element = document.querySelector("assent-chat");
      if (!element) return;
      observer.disconnect();
      globalThis.wasEarly = !customElements.get("assent-chat");
      Object.assign(element, { uploader: () => ({ fileId: "file-7" }), linkPolicy: () => false, strings: { message: "Nachricht" }, suggestions: ["Hello"] });
      globalThis.early = element.linkPolicy;
    }).observe(document, { childList: true, subtree: true });
  });
  scripted.hold = true;
  await chat.visit("inline", { "base-url": scripted.origin });
  await expect(chat.role("textbox", { name: "Nachricht" })).toBeVisible();
  expect(await page.evaluate(() => globalThis.wasEarly)).toBe(true);
  expect(await chat.element.evaluate((element) => element.linkPolicy === globalThis.early)).toBe(true);
  await expect(chat.button("Hello")).toBeVisible();
  await composer(chat).choose(file("list.txt"));
  await chat.send.click();
  const post = await scripted.nextPost();
  expect(post.content).toEqual([{ type: "document", fileId: "file-7" }]);
  post.answer("# A heading\n\n[A link](https://shop.example/a)");
  await expect(chat.lastMessage.getByRole("heading", { name: "A heading" })).toBeVisible();
  await expect(chat.lastMessage.getByRole("link")).toHaveCount(0);
});

test("after its removal a chat says that it is not running", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  const element = await chat.element.elementHandle();
  const sent = call(chat, "send", "hello");
  await scripted.nextPost();
  await element.evaluate((element) => element.remove());
  expect(await sent).toMatch(/^unavailable: /);
  const again = await element.evaluate((element) => element.newThread().catch(({ code }) => code));
  expect(again).toBe("unavailable");
  expect(await element.evaluate((element) => element.state.phase)).toBe("idle");
});

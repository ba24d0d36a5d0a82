// The element's methods, its state, and the events that the page gets, before the application is there and after the end.

import { composer, file } from "../attachments/files.js";
import { expect, test } from "../../fixtures.js";

const TYPES = ["thread-change", "before-send", "message-sent", "event", "answer-complete", "unread"];

/** Notes the events from now on, where they arrive last: at the document. */
const listen = (chat) =>
  chat.page.evaluate((types) => {
    globalThis.heard = [];
    for (const type of types) document.addEventListener(`assent:${type}`, ({ detail }) => globalThis.heard.push([type, structuredClone(detail)]));
  }, TYPES);
const heard = (chat, type) =>
  chat.page.evaluate((type) => globalThis.heard.filter(([known]) => known === type).map(([, detail]) => detail), type);

/** Calls a method; `done`, or the code of what it was rejected with. */
const call = (chat, name, ...values) =>
  chat.element.evaluate(
    (element, [name, values]) => element[name](...values).then(() => "done", ({ code, message }) => `${code}: ${message}`),
    [name, values],
  );
const state = (chat) => chat.element.evaluate((element) => element.state);

test("send makes a closed launcher load, and is done when the answer is whole", async ({ chat }) => {
  await chat.launcher();
  await listen(chat);
  expect(await state(chat)).toEqual({ phase: "idle", threadId: null, streaming: false, unread: 0, pendingApprovals: 0, online: true });
  expect(await call(chat, "send", "hello")).toBe("done");
  const { threadId, ...rest } = await state(chat);
  expect(threadId).toBeTruthy();
  expect(rest).toEqual({ phase: "ready", streaming: false, unread: 1, pendingApprovals: 0, online: true });
  expect(await heard(chat, "unread")).toEqual([{ count: 1 }]);
  expect(await heard(chat, "thread-change")).toEqual([{ threadId }]);
  const content = [{ type: "text", text: "hello" }];
  expect(await heard(chat, "before-send")).toEqual([{ threadId: null, content }]);
  expect(await heard(chat, "message-sent")).toEqual([{ threadId, content }]);
  const [{ text }] = await heard(chat, "answer-complete");
  expect(text.length).toBeGreaterThan(10);
  const events = await heard(chat, "event");
  expect(events.map(({ event }) => event.type)).toContain("AGENT_RESPONSE_COMPLETE");
  expect(JSON.stringify(events)).not.toContain("e2e-key");
  await chat.button("Open chat").click();
  await expect(chat.own).toContainText("hello");
  await expect.poll(() => heard(chat, "unread")).toEqual([{ count: 1 }, { count: 0 }]);
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

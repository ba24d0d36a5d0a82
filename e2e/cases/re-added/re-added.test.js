// A chat that the page takes away and puts back: its stream ends, it comes back to the conversation, and nothing is left over.

import { expect, test } from "../embedding/site.js";

test("taken away it is silent, put back it shows the conversation and works", async ({ page, chat, scripted, serve, visit }) => {
  await visit(`${await serve(import.meta.url)}/`);
  await chat.ask("hello");
  const post = await chat.post(scripted, "a long story");
  post.say("Once upon a time");
  await expect(chat.lastMessage).toContainText("Once upon a time");
  const closed = post.closed;
  const chatElement = await chat.element.elementHandle();
  await chatElement.evaluate((element) => element.remove());
  await closed;
  scripted.hold = false;
  await chatElement.evaluate((element) => document.body.append(element));
  await expect(chat.messages.filter({ hasText: "a long story" })).toHaveCount(1);
  await expect(chat.messages.filter({ hasText: "Fine." })).toHaveCount(1);
  await chat.say("hello again");
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(scripted.to("post")).toHaveLength(3);
  expect(scripted.to("create")).toHaveLength(1);
});

/** Notes the memory of every module of the page. */
function noteMemories() {
  globalThis.memories = [];
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = async (...source) => {
    const made = await instantiateStreaming.apply(WebAssembly, source);
    globalThis.memories.push(made.instance.exports.memory);
    return made;
  };
}

/** What the page holds after everything that nobody needs is gone. */
async function kept(page, session) {
  await session.send("HeapProfiler.collectGarbage");
  const { nodes, jsEventListeners, documents } = await session.send("Memory.getDOMCounters");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const modules = await page.evaluate(() => globalThis.memories.map(({ buffer }) => buffer.byteLength));
  return { nodes, jsEventListeners, documents, heap: usedSize, modules };
}

/** Puts a chat in, waits until it can be used, and takes it away, as often as that. */
const cycle = (page, attributes, times) =>
  page.evaluate(
    async ([attributes, times]) => {
      for (let cycle = 0; cycle < times; cycle += 1) {
        const chat = document.createElement("assent-chat");
        for (const name in attributes) chat.setAttribute(name, attributes[name]);
        document.body.append(chat);
        await chat.ready;
        chat.remove();
        // Its end follows in a microtask.
        await null;
      }
    },
    [attributes, times],
  );

test("a hundred times without growth", async ({ page, chat, scripted, user, serve, visit }) => {
  await page.addInitScript(noteMemories);
  await visit(`${await serve(import.meta.url)}/`);
  await chat.ask("hello");
  await chat.isDrawn();
  // The renderer has warmed up, and what comes last is there.
  await page.evaluate(async () => {
    for (let turn = 0; turn < 100; turn += 1) await new Promise((idle) => requestIdleCallback(idle));
  });
  const fetched = () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name).join());
  await expect.poll(fetched).toContain("/assent_history-");
  await chat.element.evaluate((element) => element.remove());
  const attributes = { "base-url": scripted.origin, "agent-id": "demo", "user-id": user, mode: "fullscreen", threads: "hidden" };
  const session = await page.context().newCDPSession(page);
  // Caches of the browser and of the module are filled by then, and as many widgets have ended as can still wait for a timer.
  await cycle(page, attributes, 100);
  const before = await kept(page, session);
  await cycle(page, attributes, 100);
  await expect.poll(async () => (await kept(page, session)).nodes).toBeLessThanOrEqual(before.nodes + 20);
  const after = await kept(page, session);
  expect(after.jsEventListeners).toBeLessThanOrEqual(before.jsEventListeners + 5);
  expect(after.documents).toBe(before.documents);
  expect(after.heap - before.heap).toBeLessThan(200_000);
  // The widget's module and the renderer's. An allocator takes a page more now and then for blocks that do not fit where
  // others were; what each widget left behind, from 655 bytes on, would take one in every hundred.
  expect(before.modules).toHaveLength(2);
  let pages = [before.modules, after.modules];
  for (let more = 0; more < 2 && `${pages[1]}` !== `${pages[0]}`; more += 1) {
    await cycle(page, attributes, 100);
    pages = [pages[1], (await kept(page, session)).modules];
  }
  expect(pages[1]).toEqual(pages[0]);
});

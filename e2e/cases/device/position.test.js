// The reading position in a conversation is kept over a reload.

import { expect, test } from "../../fixtures.js";
import { fromEnd, storeLong } from "../scroll/stored.js";

test.use({ viewport: { width: 800, height: 700 } });

const SCOPE = "assent:";

/** A stored conversation, chosen in the list, and shown at its end. */
async function open(chat, scripted, count) {
  storeLong(scripted, count);
  await chat.inline({ "base-url": scripted.origin });
  await chat.threads.first().click();
  await expect(chat.lastMessage).toContainText(String(count - 1));
  await expect.poll(() => fromEnd(chat)).toBeLessThan(2);
}

/** The first message of which something is seen, and where it is. */
const seen = (chat) =>
  chat.transcript.evaluate((area) => {
    const top = area.getBoundingClientRect().top;
    const first = [...area.querySelectorAll("article")].find((it) => it.getBoundingClientRect().bottom > top);
    const text = first?.textContent?.match(/(Answer|Question) \d+/)?.[0];
    return { text, at: Math.round((first?.getBoundingClientRect().top ?? 0) - top) };
  });

const kept = (chat) =>
  chat.page.evaluate((scope) => Object.keys(localStorage).filter((key) => key.startsWith(scope) && key.includes(":position:")).map((key) => localStorage.getItem(key)), SCOPE);

/** How far the middle of an answer is below the top, or the first message as long as the answer is not among those shown. */
const way = (chat, text) =>
  chat.transcript.evaluate((area, text) => {
    const shown = [...area.querySelectorAll("article")];
    const found = shown.find((it) => it.textContent?.match(/(Answer|Question) \d+/)?.[0] === text);
    const { top, height } = (found ?? shown[0]).getBoundingClientRect();
    return { found: Boolean(found), by: Math.round(top + (found ? height / 2 : 0) - area.getBoundingClientRect().top) };
  }, text);

/** Goes up as a person does, to the middle of an answer, and says what is seen then, once it rests there and is kept. */
async function goUp(chat, message) {
  await chat.transcript.hover();
  const text = `Answer ${message}`;
  let there = { text, at: 0 };
  await expect(async () => {
    const before = await way(chat, text);
    // In Firefox the wheel moves on for a while.
    expect(await way(chat, text)).toEqual(before);
    if (!before.found || Math.abs(before.by) > 1) {
      // At the very top, older messages are on their way.
      if (before.found || before.by < 0) await chat.page.mouse.wheel(0, before.by);
      // Only the wheel moves anything: what is older comes above, and what is seen stays.
      await expect.poll(() => way(chat, text)).not.toEqual(before);
    }
    there = await seen(chat);
    expect(there.text).toBe(text);
    const records = await kept(chat);
    expect(records.map((record) => JSON.parse(record ?? "").message)).toEqual([message]);
    // Halves are rounded one way here and another way there.
    expect(Math.abs(JSON.parse(records[0] ?? "").below - there.at)).toBeLessThanOrEqual(1);
    expect(Math.abs((await way(chat, text)).by)).toBeLessThanOrEqual(1);
  }).toPass({ intervals: [50] });
  return there;
}

const near = (before) => ({ text: before.text, at: expect.closeTo(before.at, -1) });

test("a reload shows what was read, and the end when that was read", async ({ chat, scripted }) => {
  await open(chat, scripted, 60);
  const before = await goUp(chat, 41);
  await chat.page.reload();
  await expect(chat.lastMessage).toContainText("59");
  await expect.poll(() => seen(chat)).toEqual(near(before));
  const jump = chat.button("Jump to latest");
  await expect(jump).toBeVisible();
  // It stays, whatever is drawn later; between two frames it may be on its way.
  await chat.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
  await expect.poll(() => seen(chat)).toEqual(near(before));
  await jump.click();
  await expect.poll(() => kept(chat)).toEqual([]);
  await chat.page.reload();
  await expect(chat.lastMessage).toContainText("59");
  await expect.poll(() => fromEnd(chat)).toBeLessThan(2);
  await expect(jump).toBeHidden();
});

/** Lets all messages of the next page grow once it went back to the reading position: between that and its next frame. */
function growBehind() {
  const { get, set } = /** @type {any} */ (Object.getOwnPropertyDescriptor(Element.prototype, "scrollTop"));
  const grow = (area) => {
    for (const it of area.querySelectorAll("article")) {
      const more = document.createElement("div");
      more.style.height = "9px";
      it.prepend(more);
    }
    // Now, and not with the next frame.
    globalThis.grown = area.scrollHeight;
  };
  Object.defineProperty(Element.prototype, "scrollTop", {
    get,
    set(value) {
      set.call(this, value);
      if (value > 0 && !globalThis.grown) setTimeout(() => grow(this));
    },
  });
}

test("what grows as soon as the reading position is restored moves nothing", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await open(chat, scripted, 60);
  const before = await goUp(chat, 41);
  await chat.page.addInitScript(growBehind);
  await chat.page.reload();
  await expect.poll(() => chat.page.evaluate(() => globalThis.grown)).toBeGreaterThan(0);
  await expect.poll(() => seen(chat)).toEqual(near(before));
});

test("a place that is too far up, or makes no sense, is the end", async ({ chat, scripted }) => {
  await open(chat, scripted, 150);
  await goUp(chat, 141);
  const key = await chat.page.evaluate(() => Object.keys(localStorage).find((it) => it.includes(":position:")) ?? "");
  for (const record of ['{"version":1,"at":1,"message":3,"below":0}', '{"version":1,"at":1,"message":-7,"below":"x"}', '{"version":1,"at":1,"message":9999,"below":0}', "7"]) {
    await chat.page.evaluate(([key, record]) => localStorage.setItem(key, record), [key, record]);
    await chat.page.reload();
    await expect(chat.lastMessage).toContainText("149");
    await expect.poll(() => fromEnd(chat)).toBeLessThan(2);
    expect(await chat.messages.count()).toBeLessThan(60);
  }
});

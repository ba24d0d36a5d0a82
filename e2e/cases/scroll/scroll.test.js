// What an answer does to the scroll position, in each mode, and that the person always decides in the end.

import { expect, test } from "../../fixtures.js";

test.use({ viewport: { width: 800, height: 700 } });

/** Position, end, and how far the last message of the person is below the top of the area. */
const look = (chat) =>
  chat.transcript.evaluate((area) => {
    const top = area.getBoundingClientRect().top;
    const own = [...area.querySelectorAll("[data-role=user]")].at(-1);
    return {
      top: area.scrollTop,
      fromEnd: area.scrollHeight - area.scrollTop - area.clientHeight,
      question: own && own.getBoundingClientRect().top - top,
      page: document.scrollingElement.scrollTop,
    };
  });

/** Notes the largest layout shift from now on, as the browser counts it, without what follows on input. */
async function watchShifts(page) {
  await page.evaluate(() => {
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: "layout-shift" });
  });
  return () => page.evaluate(() => window.shifts);
}

/** A chat with some messages, whose next post waits for the test. */
async function begun(chat, scripted, settings = {}) {
  const stored = Array.from({ length: 12 }, (_, at) => ({
    id: `stored-${at}`,
    role: at % 2 ? "assistant" : "user",
    content: `Stored message ${at + 1}`,
    timestamp: "2026-01-01T00:00:00Z",
  }));
  const { id } = scripted.addThread("Before", stored);
  await chat.inline({ "base-url": scripted.origin, "thread-id": id, ...settings });
  await expect(chat.messages).toHaveCount(12);
  await expect.poll(async () => (await look(chat)).fromEnd).toBeLessThan(2);
}

/** Sends, and gives the post that is to be answered. */
async function asked(chat, scripted) {
  const post = await chat.post(scripted, "Tell me");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "streaming");
  return post;
}

async function lines(chat, post, from, to) {
  for (let line = from; line <= to; line += 1) post.say(`Line ${line}\n\n`);
  await expect(chat.lastMessage).toContainText(`Line ${to}`);
}

test("answer-top: the question goes to the top and stays, while the answer grows and when it ends", { tag: "@firefox" }, async ({ page, chat, scripted, browserName }) => {
  await begun(chat, scripted);
  const post = await asked(chat, scripted);
  await expect.poll(async () => Math.abs((await look(chat)).question - 20)).toBeLessThan(2);
  const shifts = browserName === "chromium" ? await watchShifts(page) : () => 0;
  const { top } = await look(chat);
  await lines(chat, post, 1, 5);
  expect((await look(chat)).top).toBe(top);
  await expect(chat.button("Jump to latest")).toBeHidden();
  await lines(chat, post, 6, 80);
  await expect(chat.button("Jump to latest")).toBeVisible();
  expect((await look(chat)).top).toBe(top);
  post.complete(Array.from({ length: 80 }, (_, at) => `Line ${at + 1}\n\n`).join(""));
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  expect(await look(chat)).toMatchObject({ top, page: 0 });
  expect(await shifts()).toBeLessThan(0.001);
});

/** The position, once a movement that takes some frames has ended. */
const settled = (chat) =>
  chat.transcript.evaluate(async (area) => {
    for (let last = -1; last !== area.scrollTop; ) {
      last = area.scrollTop;
      for (let frame = 0; frame < 6; frame += 1) await new Promise(requestAnimationFrame);
    }
    return area.scrollTop;
  });

test("bottom: the end is followed, and any move up lets go at once", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await begun(chat, scripted, { scroll: "bottom" });
  const post = await asked(chat, scripted);
  await lines(chat, post, 1, 60);
  await expect.poll(async () => (await look(chat)).fromEnd).toBeLessThan(2);
  let line = 61;
  const goUp = {
    wheel: async () => {
      await chat.transcript.hover();
      await page.mouse.wheel(0, -80);
    },
    PageUp: () => chat.transcript.press("PageUp"),
    ArrowUp: () => chat.transcript.press("ArrowUp"),
    "Shift+Space": () => chat.transcript.press("Shift+Space"),
    "scroll bar": () => chat.transcript.evaluate((area) => area.scrollBy(0, -6)),
  };
  for (const [name, act] of Object.entries(goUp)) {
    const before = (await look(chat)).top;
    await act();
    await expect.poll(async () => (await look(chat)).top, name).toBeLessThan(before);
    const top = await settled(chat);
    await lines(chat, post, line, line + 9);
    line += 10;
    expect((await look(chat)).top, name).toBe(top);
    await chat.button("Jump to latest").click();
    await expect.poll(async () => (await look(chat)).fromEnd, name).toBeLessThan(2);
  }
  await lines(chat, post, line, line + 20);
  await expect.poll(async () => (await look(chat)).fromEnd).toBeLessThan(2);
  post.end();
});

/** A finger that draws the messages down. Only Chromium lets a test move one. */
async function drawDown(page, chat) {
  const { x, y, width, height } = await chat.transcript.boundingBox();
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
  const at = (down) => ({ x: x + width / 2, y: y + height / 3 + down });
  await touch("touchStart", at(0));
  for (let down = 10; down <= 120; down += 10) await touch("touchMove", at(down));
  await touch("touchEnd");
  await session.detach();
}

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true });

  test("bottom: a finger that draws down lets go at once", async ({ page, chat, scripted }) => {
    await begun(chat, scripted, { scroll: "bottom" });
    const post = await asked(chat, scripted);
    await lines(chat, post, 1, 60);
    await expect.poll(async () => (await look(chat)).fromEnd).toBeLessThan(2);
    await drawDown(page, chat);
    await expect.poll(async () => (await look(chat)).fromEnd).toBeGreaterThan(40);
    const top = await settled(chat);
    await lines(chat, post, 61, 80);
    expect((await look(chat)).top).toBe(top);
    post.end();
  });
});

// Conversations of thousands of messages: a window of them is drawn, and all of them can be reached.

import { expect, test } from "../../fixtures.js";
import { fromEnd, openLong } from "../scroll/stored.js";

test.use({ viewport: { width: 800, height: 700 } });

test("older messages come while the person scrolls up, and nothing jumps", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await openLong(chat, scripted, 120);
  await chat.transcript.hover();
  // What is seen moves as far as the wheel says, and never by what is added above.
  await chat.transcript.evaluate((area) => {
    window.jumps = [];
    let seen;
    // How far the wheel may still move it: a slow machine draws several turns of it at once.
    let room = 0;
    area.addEventListener("wheel", ({ deltaY }) => (room = Math.min(room + Math.abs(deltaY), 900)), { passive: true });
    const frame = () => {
      const top = area.getBoundingClientRect().top;
      const first = [...area.querySelectorAll("article")].find((it) => it.getBoundingClientRect().bottom > top);
      if (seen?.node.isConnected) {
        const moved = seen.node.getBoundingClientRect().top - seen.at;
        if (Math.abs(moved) > Math.max(400, room + 100)) window.jumps.push(moved);
        room = Math.max(0, room - Math.abs(moved));
      }
      seen = { node: first, at: first.getBoundingClientRect().top };
      next();
    };
    // After the frame is drawn: what is put right within it is never seen.
    const next = () => requestAnimationFrame(() => setTimeout(frame));
    next();
  });
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, -300);
        return chat.messages.first().textContent();
      },
      { intervals: [50], timeout: 40_000 },
    )
    .toMatch(/Question 0(?!\d)/);
  expect(await page.evaluate(() => window.jumps)).toEqual([]);
  await expect(chat.role("button", { name: "Show earlier messages" })).toHaveCount(0);
  await chat.button("Jump to latest").click();
  await expect.poll(() => fromEnd(chat)).toBeLessThan(2);
  await expect(chat.lastMessage).toBeInViewport();
});

test("Home reaches older messages with the keyboard alone", async ({ chat, scripted }) => {
  await openLong(chat, scripted, 100);
  await chat.transcript.focus();
  await expect.poll(async () => {
    await chat.page.keyboard.press("Home");
    return chat.messages.count();
  }, { intervals: [50] }).toBe(100);
  await expect(chat.transcript).toBeFocused();
  await expect.poll(async () => {
    await chat.page.keyboard.press("Home");
    return chat.transcript.evaluate((area) => area.scrollTop);
  }, { intervals: [50] }).toBe(0);
  await expect(chat.messages.first()).toContainText("Question 0");
});

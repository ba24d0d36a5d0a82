// A phone held sideways, with its keyboard: little height is left, and all of it is used.

import { expect, test } from "../../fixtures.js";
import { request, storeRequest, tool } from "../../servers/approvals.js";

const LOW = { width: 844, height: 160 };

/** Returns the part of an element's height that is inside of the window and of the boxes that it scrolls in. */
const seen = (locator) =>
  locator.evaluate((element) => {
    let { top, bottom } = element.getBoundingClientRect();
    for (let box = element.parentElement; box; box = box.parentElement) {
      if (!/auto|scroll|hidden|clip/.test(getComputedStyle(box).overflowY)) continue;
      const around = box.getBoundingClientRect();
      [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
    }
    return Math.min(bottom, innerHeight) - Math.max(top, 0);
  });

for (const mode of ["launcher", "fullscreen"]) {
  test(`${mode}: box, button and a line above them are visible, and a card can be decided`, { tag: "@firefox" }, async ({ page, chat, scripted }) => {
    await page.setViewportSize(LOW);
    if (mode === "launcher") await chat.panel({ "base-url": scripted.origin });
    else await chat.visit("inline", { mode, "base-url": scripted.origin });
    const post = await chat.post(scripted, "Pay them");
    post.say("A line of an answer.");
    await expect(chat.lastMessage).toContainText("A line");
    for (const part of [chat.input, chat.part("stop")]) expect(await seen(part)).toBeGreaterThan(30);
    expect(await seen(chat.transcript)).toBeGreaterThan(48);
    expect(await seen(chat.messages.first().getByText("Pay them"))).toBeGreaterThan(18);
    const asked = tool("b", "pay");
    storeRequest(scripted, post.thread, [asked]);
    request(post, asked);
    await chat.press(chat.button("Deny"));
    await expect.poll(() => scripted.to("post").length).toBe(2);
  });
}

test("a keyboard that lies over the window lies over nothing of the chat", async ({ page, chat }) => {
  await page.addInitScript(() => {
    const view = new EventTarget();
    Object.assign(view, { width: innerWidth, height: innerHeight, offsetTop: 0, scale: 1 });
    Object.defineProperty(globalThis, "visualViewport", { value: view });
  });
  await page.setViewportSize({ width: 390, height: 700 });
  await chat.panel();
  await chat.element.evaluate((element) => element.ready);
  const press = (height, offsetTop = 0, scale = 1) =>
    page.evaluate((now) => { Object.assign(globalThis.visualViewport, now); globalThis.visualViewport.dispatchEvent(new Event("resize")); }, { height, offsetTop, scale });
  const panel = () => chat.part("panel").evaluate((it) => { const { top, bottom } = it.getBoundingClientRect(); return [top, bottom]; });
  expect(await panel()).toEqual([0, 700]);
  await press(400);
  expect(await panel()).toEqual([0, 400]);
  await press(400, 60);
  expect(await panel()).toEqual([60, 460]);
  // Who magnifies the page sees a part of it, and has no keyboard there.
  await press(350, 0, 2);
  expect(await panel()).toEqual([0, 700]);
  await press(700);
  expect(await panel()).toEqual([0, 700]);
});

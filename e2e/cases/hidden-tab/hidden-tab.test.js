// A tab in the background gets no animation frames; a stream is still read to its end there.

import { expect, test } from "../../fixtures.js";

test("an answer arrives whole without animation frames", async ({ page, chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    Object.defineProperty(document, "hidden", { value: true });
    globalThis.requestAnimationFrame = () => 1;
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const state = () => chat.lastMessage.getAttribute("data-state");
  await chat.input.fill("Tell me");
  await chat.input.press("Enter");
  const post = await scripted.nextPost();
  post.begin();
  for (let chunk = 0; chunk < 500; chunk += 1) post.say(`${chunk} `);
  await expect.poll(() => chat.lastMessage.textContent()).toContain("499");
  post.complete("All five hundred.");
  await expect.poll(state).toBe("complete");
  expect(await chat.lastMessage.textContent()).toContain("All five hundred.");
});

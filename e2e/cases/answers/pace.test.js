// How often an answer is drawn while it comes: not with every piece, and less often where more comes than anybody can read.
// The page's clock goes on only when the test says so, after what was said has arrived: a slow machine counts the same.

import { expect, test } from "../../fixtures.js";
import { answer, begun } from "./rich.js";

/** Frames of the page in which something comes, and their milliseconds. */
const FRAMES = 75;
const FRAME = 16;

/** Remembers the end of what came of a stream; `heard(word)` waits for it. */
function listen() {
  const { fetch } = window;
  const decoder = new TextDecoder();
  let end = "";
  let check = () => {};
  window.heard = (word) =>
    new Promise((resolve) => {
      check = () => end.includes(word) && end.endsWith("\n\n") && resolve();
      check();
    });
  window.fetch = async (...request) => {
    const response = await fetch(...request);
    if (response.headers.get("content-type") !== "text/event-stream") return response;
    // Beside the chat, which reads when it draws.
    const [seen, given] = response.body.tee();
    const note = (chunk) => {
      end = (end + decoder.decode(chunk, { stream: true })).slice(-1000);
      check();
    };
    seen.pipeTo(new WritableStream({ write: note })).catch(() => {});
    return new Response(given, response);
  };
}

/** How often an answer is drawn to which each frame brings one more word, after so many bytes that say nothing. */
async function draws(page, chat, scripted, bytes) {
  await page.addInitScript(listen);
  await page.clock.install();
  const post = await begun(chat, scripted);
  await page.evaluate(() => {
    window.draws = new Set();
    const isAnswer = ({ target }) => (target instanceof Element ? target : target.parentElement)?.closest(".answer");
    const look = (changes) => changes.some(isAnswer) && window.draws.add(performance.now());
    const root = document.querySelector("assent-chat").shadowRoot;
    new MutationObserver(look).observe(root, { subtree: true, childList: true, characterData: true });
  });
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
  let text = "";
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const word = `word${frame} `;
    text += word;
    post.write(`:${" ".repeat(bytes)}\n\n`);
    post.say(word);
    await page.evaluate((word) => window.heard(word), word);
    await page.clock.runFor(FRAME);
  }
  const size = await page.evaluate(() => window.draws.size);
  await page.clock.resume();
  post.complete(text);
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(answer(chat)).toHaveText(text.trim());
  return size;
}

// The renderer may come in between, and draws everything once more.
for (const [name, bytes, rest] of [
  ["an answer is drawn about 30 times a second", 0, 30],
  ["an answer that comes in a burst is drawn about ten times a second", 25_000, 100],
]) {
  test(name, async ({ page, chat, scripted }) => {
    const count = await draws(page, chat, scripted, bytes);
    const time = FRAMES * FRAME;
    expect(count).toBeLessThanOrEqual(time / rest + 3);
    expect(count).toBeGreaterThanOrEqual(time / (rest + 2 * FRAME) - 3);
  });
}

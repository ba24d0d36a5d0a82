// An answer while it comes: what is finished stays what and where it is.

import { expect, test } from "../../fixtures.js";
import { answer, begun, RICH, stream } from "./rich.js";

/** Looks at the finished blocks in every frame from now on: each must stay the same element in the same place. */
async function watchBlocks(page) {
  await page.evaluate(() => {
    const root = document.querySelector("assent-chat").shadowRoot;
    const watch = (window.watch = { seen: [], wrong: new Set() });
    const look = () => {
      const answer = [...root.querySelectorAll("[data-role=assistant] .answer")].at(-1);
      const blocks = [...(answer?.querySelectorAll(":scope > .blocks > *") ?? [])];
      const top = answer?.getBoundingClientRect().top;
      // What is open says so; it is at the end.
      const open = blocks.findIndex((block) => block.hasAttribute("data-growing"));
      blocks.slice(0, open < 0 ? blocks.length : open).forEach((element, place) => {
        const box = element.getBoundingClientRect();
        const now = { element, top: box.top - top, height: box.height };
        const before = (watch.seen[place] ??= now);
        const name = `${place}: ${element.textContent.slice(0, 20)}`;
        if (before.element !== element) watch.wrong.add(`another element: ${name}`);
        else if (Math.abs(before.top - now.top) > 0.5) watch.wrong.add(`moved from ${before.top} to ${now.top}: ${name}`);
        else if (Math.abs(before.height - now.height) > 0.5) watch.wrong.add(`grew from ${before.height} to ${now.height}: ${name}`);
      });
      if (blocks.length < watch.seen.length) watch.wrong.add(`${watch.seen.length - blocks.length} blocks are gone`);
      requestAnimationFrame(look);
    };
    look();
  });
}

/** Without what may change once more by its nature: formulas, whose asset comes late, and notes, which are defined late. */
const STEADY = RICH.replace(/\$\$[^]*?\$\$\n\n/g, "").replace(/\$[^$\n]+\$/g, "x").replace(/\[\^\w+\](:.*\n)?/g, "");

test("finished blocks are the same elements in the same places until the end", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  const post = await begun(chat, scripted);
  await watchBlocks(page);
  await stream(page, post, STEADY, 24);
  post.complete(STEADY);
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(answer(chat)).toContainText("That is all.");
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const { blocks, wrong } = await page.evaluate(() => ({ blocks: window.watch.seen.length, wrong: [...window.watch.wrong] }));
  expect(wrong).toEqual([]);
  expect(blocks).toBeGreaterThan(20);
});

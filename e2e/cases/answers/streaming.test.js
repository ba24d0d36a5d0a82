// An answer while it comes: what is finished stays where and what it is, and what is not reads well.

import { expect, test } from "../../fixtures.js";
import { answer, answered, begun, go, RICH, stream } from "./rich.js";

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
  await stream(page, post, STEADY);
  post.complete(STEADY);
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(answer(chat)).toContainText("That is all.");
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const { blocks, wrong } = await page.evaluate(() => ({ blocks: window.watch.seen.length, wrong: [...window.watch.wrong] }));
  expect(wrong).toEqual([]);
  expect(blocks).toBeGreaterThan(20);
});

test("a definition that comes late turns its text into a link, and leaves the other blocks alone", async ({ page, chat, scripted }) => {
  const post = await begun(chat, scripted);
  await stream(page, post, "# First\n\nSee [the terms][t].\n\nAnd more.\n\n");
  await expect(answer(chat)).toContainText("And more.");
  await answer(chat).getByRole("heading", { name: "First" }).evaluate((heading) => (heading.mark = "first"));
  await expect(answer(chat).getByRole("link")).toHaveCount(0);
  await stream(page, post, "[t]: https://www.example.org/terms\n\nThe end.\n");
  await expect(answer(chat).getByRole("link", { name: "the terms" })).toHaveAttribute("href", "https://www.example.org/terms");
  expect(await answer(chat).getByRole("heading", { name: "First" }).evaluate((heading) => heading.mark)).toBe("first");
});

test("what is selected stays selected, in a finished paragraph and in the one that grows", async ({ page, chat, scripted }) => {
  const post = await begun(chat, scripted);
  const select = (text) =>
    answer(chat).getByText(text).evaluate((element, text) => {
      const node = element.firstChild;
      const start = node.data.indexOf(text);
      getSelection().setBaseAndExtent(node, start, node, start + text.length);
    }, text);
  const selected = () =>
    page.evaluate(() => {
      const selection = document.querySelector("assent-chat").shadowRoot.getSelection();
      return String(selection);
    });
  await stream(page, post, "A paragraph that is finished.\n\nA paragraph that gro");
  await expect(answer(chat)).toContainText("that gro");
  await chat.isDrawn();
  await select("is finished");
  await stream(page, post, "ws and grows, **with a strong word** and more");
  await expect(answer(chat)).toContainText("and more");
  expect(await selected()).toBe("is finished");
  await select("that grows");
  await stream(page, post, " and `code` after it.\n\nAnother one.\n");
  await expect(answer(chat)).toContainText("Another one.");
  expect(await selected()).toBe("that grows");
  post.complete("A paragraph that is finished.\n\nA paragraph that grows and grows, **with a strong word** and more and `code` after it.\n\nAnother one.\n");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  expect(await selected()).toBe("that grows");
});

test("what is not finished shows no markers, and never nothing", async ({ page, chat, scripted }) => {
  const text = "The **strong words** and the *slanted ones*, [a link](https://www.example.org/a) and `code`.\n\n```rust\nfn main() {}\n```\n\nThe end.";
  // The reader is there.
  await answered(chat, scripted, "Ready.");
  await chat.isDrawn();
  const post = await go(chat, scripted);
  await page.evaluate(() => {
    const root = document.querySelector("assent-chat").shadowRoot;
    window.snapshots = [];
    const look = () => {
      const answer = [...root.querySelectorAll("[data-role=assistant]")].at(-1)?.querySelector(".answer");
      const text = answer?.textContent ?? "";
      if (text !== window.snapshots.at(-1)) window.snapshots.push(text);
      requestAnimationFrame(look);
    };
    look();
  });
  await stream(page, post, text, 1);
  post.complete(text);
  await expect(answer(chat)).toContainText("The end.");
  const snapshots = await page.evaluate(() => window.snapshots);
  expect(snapshots.length).toBeGreaterThan(40);
  expect(snapshots.filter((shown) => /\*\*|\]\(|https:|`/.test(shown))).toEqual([]);
  const shown = snapshots.map((text) => text.length);
  expect(shown.slice(shown.findIndex(Boolean)).filter((length) => !length)).toEqual([]);
});

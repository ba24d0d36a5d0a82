// Code: coloured late, and without moving anything.

import { expect, test } from "../../fixtures.js";
import { answer, begun, stream } from "./rich.js";

const HIGHLIGHT = /\/assent_highlight[^/]*\.js$/;
const CODE = `fn price(mass: u32) -> Option<u32> {\n    (mass <= 2_000).then_some(490) // ${"and so on, ".repeat(30)}\n}\n`;
const RUST = `\`\`\`rust\n${CODE}\`\`\`\n\n`;

/** Requests for the colours from now on. */
function colours(page) {
  const seen = [];
  page.on("request", (request) => {
    if (HIGHLIGHT.test(new URL(request.url()).pathname)) seen.push(request.url());
  });
  return seen;
}

/** How many words have got a colour: the elements stay as they are. */
const coloured = (page) => page.evaluate(() => CSS.highlights?.get("assent-keyword")?.size ?? 0);

test("a finished block of a known language gets its colours, in the same box", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  const seen = colours(page);
  const post = await begun(chat, scripted);
  await stream(page, post, RUST.slice(0, -5), 40);
  await expect(answer(chat).locator("pre")).toContainText("and so on");
  const box = () => answer(chat).locator("pre").evaluate((pre) => [pre.offsetWidth, pre.offsetHeight, pre.scrollWidth, pre.textContent]);
  await expect(answer(chat).locator("pre")).toContainText("}");
  const before = await box();
  expect(seen).toEqual([]);
  post.say("```\n\nThe end.\n");
  await expect(answer(chat)).toContainText("The end.");
  await expect.poll(() => coloured(page)).toBeGreaterThan(0);
  expect(seen).toHaveLength(1);
  expect(await box()).toEqual(before);
});

test("in forced colours no word of it looks selected", async ({ page, chat, scripted }) => {
  await page.emulateMedia({ forcedColors: "active" });
  const post = await begun(chat, scripted);
  post.say(`${RUST}The end.\n`);
  await expect.poll(() => coloured(page)).toBeGreaterThan(0);
  // A selection has a background and a colour of its own; the words have those of the code around them.
  const drawn = await answer(chat).locator(".lines").first().evaluate((lines) => {
    const of = (pseudo) => getComputedStyle(lines, pseudo);
    return { words: of("::highlight(assent-keyword)").backgroundColor, colours: [of("::highlight(assent-keyword)").color, of().color] };
  });
  expect(drawn.words).toBe("rgba(0, 0, 0, 0)");
  expect(drawn.colours[0]).toBe(drawn.colours[1]);
});

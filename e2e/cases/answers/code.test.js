// Code: copied as it is, wrapped on demand, coloured late and without moving anything.

import { expect, test } from "../../fixtures.js";
import { answer, answered, begun, stored, stream } from "./rich.js";

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

test("code is copied as it was written", async ({ page, context, chat, scripted }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await answered(chat, scripted, RUST);
  await answer(chat).getByRole("button", { name: "Copy code" }).click();
  await expect(answer(chat).getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODE);
});

test("lines are wrapped on demand", async ({ chat, scripted }) => {
  await answered(chat, scripted, RUST);
  const code = answer(chat).locator("pre");
  const isWide = () => code.evaluate((pre) => pre.scrollWidth > pre.clientWidth);
  await expect(answer(chat).getByText("rust", { exact: true })).toBeVisible();
  expect(await isWide()).toBe(true);
  const wrap = answer(chat).getByRole("button", { name: "Wrap lines" });
  await expect(wrap).toHaveAttribute("aria-pressed", "false");
  await wrap.click();
  await expect(wrap).toHaveAttribute("aria-pressed", "true");
  expect(await isWide()).toBe(false);
  await wrap.click();
  expect(await isWide()).toBe(true);
});

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

test("code of no known language needs no colours", async ({ page, chat, scripted }) => {
  const seen = colours(page);
  await answered(chat, scripted, "```nonsense\nfn main() {}\n```\n\n```\nplain\n```\n\n`fn inline() {}`\n\n# The end");
  await expect(answer(chat).getByRole("heading", { name: "The end" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(seen).toEqual([]);
});

test("code that is not on the screen needs none until it is", async ({ page, chat, scripted }) => {
  const seen = colours(page);
  await stored(chat, scripted, [`${RUST}${"A line of text.\n\n".repeat(80)}# The end`]);
  await expect(answer(chat).getByRole("heading", { name: "The end" })).toBeVisible();
  await expect(answer(chat).getByRole("heading", { name: "The end" })).toBeInViewport();
  await page.waitForLoadState("networkidle");
  expect(seen).toEqual([]);
  await answer(chat).locator("pre").scrollIntoViewIfNeeded();
  await expect.poll(() => coloured(page)).toBeGreaterThan(0);
  expect(seen).toHaveLength(1);
});

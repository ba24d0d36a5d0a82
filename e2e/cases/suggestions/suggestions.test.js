// The property `suggestions`: buttons in an empty conversation that send what they say.

import { expect, test } from "../../fixtures.js";

const TEXTS = ["Where is my order?", "Give something back"];
const LONG = "I ordered a lamp and two chairs three weeks ago and got one chair, and now I would like to know where the rest is";

const suggest = (chat, texts) => chat.element.evaluate((element, texts) => (element.suggestions = texts), texts);
const list = (chat) => chat.transcript.getByRole("list", { name: "Suggestions" });
const buttons = (chat) => list(chat).getByRole("button");

test.describe("what is no list of texts", () => {
  test.use({ expectedConsole: /assent-chat: / });

  test("takes them away with a warning, and nothing does without a word", async ({ chat, console: messages }) => {
    await chat.inline();
    // What the page does with its array afterwards changes nothing.
    await chat.element.evaluate((element, texts) => {
      element.suggestions = texts;
      texts.push("later");
    }, TEXTS);
    await expect(buttons(chat)).toHaveText(TEXTS);
    const warnings = () => messages.filter((text) => text.includes("suggestions"));
    const values = ["hello", ["hello", 1], [null, "hello"], { 0: "hello", length: 1 }];
    for (const [place, value] of [...values, null, undefined, false, "", []].entries()) {
      await suggest(chat, TEXTS);
      await expect(buttons(chat)).toHaveText(TEXTS);
      await suggest(chat, value);
      await expect(list(chat)).toHaveCount(0);
      expect(await chat.element.evaluate((element) => element.suggestions?.length ?? null)).toBe(Array.isArray(value) && !value.length ? 0 : null);
      await expect.poll(() => warnings().length).toBe(Math.min(place + 1, values.length));
    }
    expect(warnings()[0]).toContain("warning: assent-chat: suggestions is not an array of strings; it counts as null.");
  });
});

test("long texts wrap, many are scrolled with the messages, and all are large enough for a finger", async ({ page, chat }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await chat.inline();
  await suggest(chat, [LONG, "x".repeat(300), "أين طلبي؟", ...Array.from({ length: 40 }, (_, index) => `Question ${index}`)]);
  await expect(buttons(chat)).toHaveCount(43);
  const sizes = await buttons(chat).evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect()).map(({ width, height }) => [width, height]));
  for (const [width, height] of sizes) {
    expect(height).toBeGreaterThanOrEqual(44);
    expect(width).toBeLessThanOrEqual(360);
  }
  expect(sizes[0][1]).toBeGreaterThan(60);
  const [wide, own, high, shown] = await chat.transcript.evaluate((it) => [it.scrollWidth, it.clientWidth, it.scrollHeight, it.clientHeight]);
  expect(wide).toBe(own);
  expect(high).toBeGreaterThan(shown);
  // Read from the beginning, and the last button can be reached.
  expect(await chat.transcript.evaluate((it) => it.scrollTop)).toBe(0);
  await expect(chat.transcript.getByText("How can I help?")).toBeInViewport();
  await expect(chat.part("jump")).toHaveCount(0);
  await chat.button("Question 39").click();
  await expect(chat.own).toContainText("Question 39");
  await expect(chat.own).toBeInViewport();
  expect(await page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0]);
});

test("a page can style them, and forced colours leave them an edge", async ({ page, chat }) => {
  await chat.visit("inline", { csp: "off" });
  await suggest(chat, TEXTS);
  await expect(buttons(chat)).toHaveCount(2);
  await page.addStyleTag({ content: "assent-chat::part(suggestion) { border-radius: 3px; }" });
  await expect(chat.part("suggestion").first()).toHaveCSS("border-radius", "3px");
  await page.emulateMedia({ forcedColors: "active" });
  await expect(chat.part("suggestion").first()).toHaveCSS("border-style", "solid");
});

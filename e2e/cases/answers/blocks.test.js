// Every kind of block, as assistive technology and a narrow screen have it.

import { expect, test } from "../../fixtures.js";
import { answer, answered, RICH } from "./rich.js";

test.describe("at 360 pixels", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("a wide table scrolls inside itself", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
    await answered(chat, scripted, RICH);
    const table = answer(chat).getByRole("group", { name: "Table" });
    const { inner, outer } = await table.evaluate((frame) => ({ inner: frame.scrollWidth, outer: frame.clientWidth }));
    expect(inner).toBeGreaterThan(outer);
    const last = table.getByRole("columnheader", { name: "Runs on" });
    await table.focus();
    await table.evaluate((frame) => (frame.scrollLeft = frame.scrollWidth));
    await expect(last).toBeInViewport();
    // A page with a scroll bar of its own, as in Firefox, has less than 360 pixels.
    const beyond = await page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);
    expect(beyond).toBe(0);
    const { scroll, client } = await chat.transcript.evaluate((area) => ({ scroll: area.scrollWidth, client: area.clientWidth }));
    expect(scroll).toBe(client);
  });
});

for (const [locale, side] of [["en", "left"], ["ur", "right"]]) {
  test(`the cells of a column begin where it begins, numbers too, in ${locale}`, { tag: locale === "ur" ? "@firefox" : [] }, async ({ chat, scripted }) => {
    const word = locale === "ur" ? "سعر" : "Price";
    await answered(chat, scripted, `| ${word} | ${word} |\n|---|---|\n| 1 | ${word} |\n| ${word} | 2 |\n`, { locale });
    const edges = await answer(chat).getByRole("table").evaluate((table, side) => {
      const edge = (cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return Math.round(range.getBoundingClientRect()[side]);
      };
      return [...table.querySelectorAll("tr")].map((row) => [...row.cells].map(edge));
    }, side);
    const [head, ...rows] = edges;
    expect(head[0] < head[1]).toBe(side === "left");
    for (const row of rows) expect(row).toEqual(head);
  });
}

for (const [locale, own, other, word] of [["en", "ltr", "rtl", "ציטוט"], ["yi", "rtl", "ltr", "quoted"]]) {
  test(`the bar of a quote and the marks of a list stand where their words begin, in a page that is ${own}`, { tag: "@firefox" }, async ({ chat, scripted }) => {
    await answered(chat, scripted, `> ${word}\n\n- - ${word}\n\n> - ${word}\n`, { locale });
    const direction = (element) => element.evaluate((element) => getComputedStyle(element).direction);
    await expect(answer(chat).locator("blockquote")).toHaveCount(2);
    for (const element of await answer(chat).locator("blockquote, ul").all()) expect(await direction(element)).toBe(other);
    expect(await direction(answer(chat))).toBe(own);
  });
}

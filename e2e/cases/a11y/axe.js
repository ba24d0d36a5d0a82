// axe-core in a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "../../fixtures.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Brings axe into the pages that are opened from now on. */
export const bringAxe = (page) => page.addInitScript(AXE);

/** The one rule that is off asks for a contrast of 7 : 1 (level AAA). The widget has 4.5 : 1 (AA), as the demo's theming page says. */
const OFF = "color-contrast-enhanced";

/** Tag of axe's rules about colours. */
export const COLOURS = "cat.color";

/** Violations as lines of rule and place. All other rules are on, also the experimental ones and those that are off by default, or those with a tag. */
export const violations = (page, tag = "") =>
  page.evaluate(async ([off, tag]) => {
    const { axe } = globalThis;
    const rules = axe.getRules(tag && [tag]).map(({ ruleId }) => ruleId);
    const { violations } = await axe.run(document, { resultTypes: ["violations"], runOnly: rules.filter((rule) => rule !== off) });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.flat().join(" ")} ${node.failureSummary}`));
  }, [OFF, tag]);

/** Nothing is found, in light and in dark, where only colours are others: a page and its chats follow at once where nothing moves. */
export async function expectNothingFound(page) {
  for (const [colorScheme, tag] of [["light", ""], ["dark", COLOURS]]) {
    await page.emulateMedia({ colorScheme });
    // What follows from that is drawn, such as the end that was scrolled to.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect.soft(await violations(page, tag), colorScheme).toEqual([]);
  }
}

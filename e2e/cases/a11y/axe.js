// axe-core in a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "../../fixtures.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Brings axe into the pages that are opened from now on. */
export const bringAxe = (page) => page.addInitScript(AXE);

/** The one rule that is off asks for a contrast of 7 : 1 (level AAA). The widget has 4.5 : 1 (AA), as the demo's theming page says. */
const OFF = "color-contrast-enhanced";

/** Violations as lines of rule and place. All other rules are on, also the experimental ones and those that are off by default. */
export const violations = (page) =>
  page.evaluate(async (off) => {
    const { axe } = globalThis;
    const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: ruleId !== off }]));
    const { violations } = await axe.run(document, { resultTypes: ["violations"], rules });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.flat().join(" ")} ${node.failureSummary}`));
  }, OFF);

/** Nothing is found, in light and in dark: a page and its chats follow at once where nothing moves. */
export async function expectNothingFound(page) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    // What follows from that is drawn, such as the end that was scrolled to.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect.soft(await violations(page), colorScheme).toEqual([]);
  }
}

// axe-core in a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "../../fixtures.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Brings axe into the pages that are opened from now on. */
export const bringAxe = (page) => page.addInitScript(AXE);

/** Violations as lines of rule and place. */
export const violations = (page) =>
  page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.flat().join(" ")} ${node.failureSummary}`));
  });

/** Nothing is found, in light and in dark: a page and its chats follow at once where nothing moves. */
export async function expectNothingFound(page) {
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    expect.soft(await violations(page), colorScheme).toEqual([]);
  }
}

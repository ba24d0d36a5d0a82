// axe-core in a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Brings axe into the pages that are opened from now on. */
export const bringAxe = (page) => page.addInitScript(AXE);

/** Violations as lines of rule and place. */
export const violations = (page) =>
  page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.flat().join(" ")} ${node.failureSummary}`));
  });

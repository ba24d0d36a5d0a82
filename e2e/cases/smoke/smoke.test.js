// The conversation of steps.js in the browsers that Playwright drives; e2e/webkit has the one that it does not.

import { test } from "@playwright/test";
import { converse } from "./steps.js";

test("a conversation with an approved action and a drawn answer", { tag: "@firefox" }, async ({ page }) => {
  const element = (find, what) => page.evaluateHandle(find, what);
  await converse({
    open: (path) => page.goto(path),
    run: (work, value) => page.evaluate(work, value),
    click: async (find, what) => (await element(find, what)).click(),
    type: async (find, what, text) => {
      await (await element(find, what)).focus();
      await page.keyboard.type(text);
    },
  });
});

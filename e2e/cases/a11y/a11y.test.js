// axe-core finds nothing in any state of the gallery (`shots/`), with all of its rules, light and dark.

import { expect, test } from "../../fixtures.js";
import { ANSWERS } from "../../shots/answers.mjs";
import { APPROVALS } from "../../shots/approvals.mjs";
import { STATES } from "../../shots/states.mjs";
import { bringAxe, COLOURS, expectNothingFound, violations } from "./axe.js";

test.describe("in light and in dark, nothing is found in", () => {
  test.use({ expectedConsole: /Failed to load resource|agent-id is missing|not loaded/ });

  test.beforeEach(async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await bringAxe(page);
  });

  for (const [name, reach] of Object.entries({ ...STATES, ...ANSWERS, ...APPROVALS })) {
    test(name, async ({ page, chat, scripted }) => {
      await reach({ page, chat, scripted, here: { "base-url": scripted.origin } });
      await expectNothingFound(page);
    });
  }

  test("the list over a narrow chat", async ({ page, chat, scripted }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await STATES.threads({ page, chat, scripted, here: { "base-url": scripted.origin } });
    await expectNothingFound(page);
  });
});

test("axe is at work", async ({ page, chat }) => {
  await bringAxe(page);
  await chat.inline();
  await chat.element.evaluate((element) => element.shadowRoot.querySelector("[part~=send]").removeAttribute("aria-label"));
  await chat.element.evaluate((element) => element.shadowRoot.querySelector("[part~=send]").removeAttribute("title"));
  expect((await violations(page)).join()).toContain("button-name");
  await page.emulateMedia({ colorScheme: "dark" });
  await chat.element.evaluate((element) => element.style.setProperty("--assent-color-text", "light-dark(black, #333)"));
  expect((await violations(page, COLOURS)).join()).toContain("color-contrast");
});

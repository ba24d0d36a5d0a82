// axe-core finds nothing in any state of the gallery (`shots/`), with all of its rules, light and dark; variants of a state are for the long run.

import { expect, test } from "../../fixtures.js";
import { ANSWERS } from "../../shots/answers.mjs";
import { APPROVALS } from "../../shots/approvals.mjs";
import { STATES } from "../../shots/states.mjs";
import { bringAxe, COLOURS, expectNothingFound, violations } from "./axe.js";

/** Variants of other states, of which every run has one. */
const VARIANTS = [
  "answer-streaming-code", "answer-streaming-link", "answer-streaming-list", "answer-streaming-table", "answer-streaming-text",
  "answer-table", "answer-text", "answer-wrapped", "markdown-end",
  "approval-answered-open", "approval-badge", "approval-decided", "approval-deceptive-more", "approval-elsewhere",
  "approval-folded", "approval-one", "approval-submitting", "approval-threads", "approval-typed-end", "approval-unknown", "approval-waiting",
  "error-agent", "error-interrupted", "error-refused", "error-rename", "files-over", "forced-colors", "loading-messages", "right-to-left",
  "right-to-left-arguments", "streaming-answer",
];

test.describe("in light and in dark, nothing is found in", () => {
  test.use({ expectedConsole: /Failed to load resource|shown as plain text|agent-id is missing|not loaded|assent-chat: http/ });

  test.beforeEach(async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await bringAxe(page);
  });

  for (const [name, reach] of Object.entries({ ...STATES, ...ANSWERS, ...APPROVALS })) {
    test(name, { tag: VARIANTS.includes(name) ? "@long" : [] }, async ({ page, chat, scripted }) => {
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

// Whole-page tests: dist/ in real browsers against the real service, from another origin.
// Chromium runs all of them, Firefox a choice.
// Ports come from xtask; the defaults are for running `npx playwright test` by hand.

import { defineConfig } from "@playwright/test";
import { API_KEY, PAGE_ORIGIN, PAGE_PORT, SERVICE_ORIGIN } from "./servers/addresses.js";
import { FIREFOX, HEADLESS_SHELL } from "./servers/browser.js";

/** Tag of tests that `cargo xtask test --long` runs, and not every run: of the demo site, and of what tests of the core or of components say, too. */
const LONG = /@long\b/;

export default defineConfig({
  testDir: "cases",
  testMatch: "**/*.test.js",
  outputDir: "results",
  reporter: [["list"]],
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: PAGE_ORIGIN,
    screenshot: "only-on-failure",
    // Recording takes a seventh of the time; `npx playwright test --trace on` shows what a test did.
    trace: "off",
  },
  projects: [
    {
      name: "chromium",
      grepInvert: LONG,
      use: { browserName: "chromium", launchOptions: HEADLESS_SHELL },
    },
    {
      name: "long",
      grep: LONG,
      use: { browserName: "chromium", launchOptions: HEADLESS_SHELL },
    },
    {
      // What has the tag: a test gets it if its outcome depends on how an engine does something, such as focus, form controls,
      // layout, scrolling, streams, storage, locks, policies, or the life of an element.
      // What the core decides alone, such as statuses, retries and texts, is the same in every engine and is not tagged.
      name: "firefox",
      grep: /@firefox\b/,
      // The channel makes Playwright speak WebDriver BiDi, and so drive a Firefox that it did not build.
      use: { browserName: "firefox", channel: "moz-firefox", launchOptions: FIREFOX },
    },
  ],
  webServer: [
    {
      name: "service",
      command: "node servers/service.js",
      url: `${SERVICE_ORIGIN}/openapi.json`,
      env: { ASSENT_API_KEY: API_KEY },
      gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
    },
    {
      name: "page",
      command: "node servers/static.js",
      port: PAGE_PORT,
    },
  ],
});

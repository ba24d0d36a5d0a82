// Whole-page tests: dist/ in real browsers against the real service, from another origin.
// Chromium runs all of them, Firefox a choice.
// Ports come from xtask; the defaults are for running `npx playwright test` by hand.

import { defineConfig } from "@playwright/test";
import { API_KEY, PAGE_ORIGIN, PAGE_PORT, SERVICE_ORIGIN } from "./servers/addresses.js";
import { BROWSER, FIREFOX } from "./servers/browser.js";

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
    trace: "retain-on-failure",
  },
  projects: [
    {
      name: "chromium",
      use: { browserName: "chromium", launchOptions: BROWSER },
    },
    {
      // Decisions, and what has the tag. `@chromium` takes out what cannot be driven here:
      // `fill` types a line break as Enter, the second click of a double click is a first one, and colour schemes stay as they are.
      name: "firefox",
      grep: /\bapproval\/|@firefox\b/,
      grepInvert: /@chromium\b/,
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

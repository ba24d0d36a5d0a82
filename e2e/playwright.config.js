// Whole-page tests: dist/ in a real browser against the real service, from another origin.
// Ports come from xtask; the defaults are for running `npx playwright test` by hand.

import { defineConfig } from "@playwright/test";
import { API_KEY, PAGE_ORIGIN, PAGE_PORT, SERVICE_ORIGIN } from "./servers/addresses.js";
import { BROWSER } from "./servers/browser.js";

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
    browserName: "chromium",
    launchOptions: BROWSER,
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
  },
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

// The commands that README.md prints, run in a fresh clone as a new user runs them. Nothing is started beforehand.

import { defineConfig } from "@playwright/test";
import shared from "../playwright.config.js";
import { BROWSER } from "../servers/browser.js";

const minutes = (count) => count * 60_000;

export default defineConfig({
  ...shared,
  testDir: ".",
  outputDir: "../results/front-door",
  // One clone, one target folder.
  workers: 1,
  // The crates of the clone are compiled in it, which takes minutes on a busy machine.
  timeout: minutes(20),
  use: { ...shared.use, actionTimeout: minutes(1) },
  projects: [{ name: "chromium", use: { browserName: "chromium", launchOptions: BROWSER } }],
  webServer: [],
});

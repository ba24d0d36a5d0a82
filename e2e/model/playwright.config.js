// A real model on this machine, through the real service, in Chromium: `cargo xtask test --model` starts the model.

import { defineConfig } from "@playwright/test";
import shared from "../playwright.config.js";
import { BROWSER } from "../servers/browser.js";

export default defineConfig({
  ...shared,
  testDir: ".",
  outputDir: "../results/model",
  workers: 1,
  // A model on a busy processor writes a few words a second.
  timeout: 600_000,
  expect: { timeout: 240_000 },
  projects: [{ name: "chromium", use: { browserName: "chromium", launchOptions: BROWSER } }],
  // The service needs the model's agent, so that the test starts its own one.
  webServer: shared.webServer.filter(({ name }) => name === "page").map((server) => ({ ...server, cwd: ".." })),
});

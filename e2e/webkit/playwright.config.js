// The smoke case in WebKit as Debian ships it: the servers and limits of the other whole-page tests, and no browser of Playwright.

import { defineConfig } from "@playwright/test";
import { fileURLToPath } from "node:url";
import shared from "../playwright.config.js";

export default defineConfig({
  ...shared,
  testDir: ".",
  outputDir: "../results/webkit",
  projects: [{ name: "webkit" }],
  webServer: shared.webServer.map((server) => ({ ...server, cwd: fileURLToPath(new URL("..", import.meta.url)) })),
});

// How the system's browsers are started, as root and without a network of their own.

/** Chromium, the whole browser. */
export const BROWSER = {
  executablePath: process.env.ASSENT_CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

/**
 * Chromium's engine without the windows of the browser, which takes half of the processor's time: 22 tests are through in 14 s
 * with it, and in 26 s with the whole browser.
 */
export const HEADLESS_SHELL = {
  ...BROWSER,
  executablePath: process.env.ASSENT_HEADLESS_SHELL ?? "/usr/bin/chromium-headless-shell",
};

/** Firefox; Playwright gives it preferences that keep it off the network. */
export const FIREFOX = {
  executablePath: process.env.ASSENT_FIREFOX ?? "/usr/bin/firefox-esr",
};

/**
 * Sets the size of letters in the settings of a person's Chromium, in pixels, for pages that are opened from now on.
 * @param {import("@playwright/test").Page} page
 * @param {number} size
 */
export async function setFontSize(page, size) {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: size, fixed: size } });
}

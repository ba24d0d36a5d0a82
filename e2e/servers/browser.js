// How the system's browsers are started, as root and without a network of their own.

/** Chromium. */
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

/** Firefox; Playwright gives it preferences that keep it off the network. */
export const FIREFOX = {
  executablePath: process.env.ASSENT_FIREFOX ?? "/usr/bin/firefox-esr",
};

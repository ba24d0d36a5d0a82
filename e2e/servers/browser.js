// How the system's Chromium is started, as root and without a network of its own.

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

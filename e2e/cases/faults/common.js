// What the cases of faults share.

import { expect } from "../../fixtures.js";

/** What a browser says of each request that fails, and the widget of those before the first answer; cases expect it. */
export const EXPECTED = { expectedConsole: /Failed to load resource|blocked by CORS policy|assent-chat: http/ };

/** Lets the page's time run, which is installed, until this holds. */
export async function hurry(page, holds) {
  await expect(async () => {
    await page.clock.runFor(3000);
    await holds();
  }).toPass({ intervals: [100] });
}

// A page under `Cross-Origin-Embedder-Policy: require-corp`, with dist/ and the service on two other origins.

import { converse, expect, test } from "../embedding/site.js";

const HEADERS = { "cross-origin-embedder-policy": "require-corp", "cross-origin-opener-policy": "same-origin" };

test("a conversation on an isolated page", async ({ page, chat, scripted, serve, visit, console }) => {
  const [site, cdn] = [await serve(import.meta.url, { headers: HEADERS }), await serve(import.meta.url)];
  await visit(`${site}/`, { script: `${cdn}/dist/assent.js` });
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await converse(chat, scripted);
  expect(console).toEqual([]);
});

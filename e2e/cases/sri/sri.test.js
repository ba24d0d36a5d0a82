// The loader from another origin with the integrity value of manifest.json; with another value it does not run.

import { readFileSync } from "node:fs";
import { converse, DIST, expect, test } from "../embedding/site.js";

const { files } = JSON.parse(readFileSync(`${DIST}manifest.json`, "utf8"));
const { integrity } = files.find(({ file }) => file === "assent.js");

test("a loader that is what the page says it is starts", async ({ page, chat, scripted, serve, visit }) => {
  const [site, cdn] = [await serve(import.meta.url), await serve(import.meta.url)];
  await visit(`${site}/`, { script: `${cdn}/dist/assent.js`, integrity });
  await converse(chat, scripted);
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  expect(loaded).toContain(`${cdn}/dist/assent.js`);
  expect(loaded.filter((url) => url.startsWith(`${site}/dist/`))).toEqual([]);
});

test.describe("changed on its way", () => {
  test.use({ expectedConsole: /Failed to find a valid digest/ });

  test("a loader that is something else does nothing, and the page goes on", async ({ page, chat, serve, visit, console }) => {
    const changed = readFileSync(`${DIST}assent.js`, "utf8") + "\n";
    const cdn = await serve(import.meta.url, {
      instead: (path, response) => {
        if (path !== "/dist/assent.js") return false;
        response.writeHead(200, { "content-type": "text/javascript", "access-control-allow-origin": "*" }).end(changed);
        return true;
      },
    });
    await visit(`${await serve(import.meta.url)}/`, { script: `${cdn}/dist/assent.js`, integrity });
    await expect.poll(() => console.join()).toContain("Failed to find a valid digest");
    await expect(page.getByRole("heading", { name: "The page" })).toBeVisible();
    expect(await page.evaluate(() => customElements.get("assent-chat") === undefined)).toBe(true);
    await expect(chat.input).toHaveCount(0);
  });
});

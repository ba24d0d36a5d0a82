// A page that no other page may frame, by the very header that docs/SECURITY_HEADERS.md gives.

import { readFileSync } from "node:fs";
import { converse, expect, test } from "../embedding/site.js";

const text = readFileSync(new URL("../../../docs/SECURITY_HEADERS.md", import.meta.url), "utf8");
const [, name, value] = /^([\w-]+): (frame-ancestors .*)$/m.exec(text);

test.describe("asked for by a page that frames it", () => {
  test.use({ expectedConsole: /frame-ancestors/ });

  test("a page that forbids it is shown inside of no other page", async ({ page, chat, scripted, serve, visit, console }) => {
    const frame = page.locator("iframe").contentFrame();
    const framing = `${await serve(import.meta.url)}/`;
    for (const headers of [{}, { [name]: value }]) {
      const framed = `${await serve(import.meta.url, { headers })}/`;
      await visit(framed);
      await converse(chat, scripted);
      const address = page.url();
      await visit(framing);
      await page.evaluate((src) => document.body.append(Object.assign(document.createElement("iframe"), { src })), address);
      if (name in headers) {
        await expect.poll(() => console.join()).toContain(value);
        await expect(frame.locator("assent-chat")).toHaveCount(0);
      } else {
        // One that is left while it loads would say that it was not loaded.
        await frame.locator("assent-chat").evaluate((element) => element.ready);
      }
    }
  });
});

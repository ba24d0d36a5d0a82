// Two versions of the widget on one page, as two parts of a site bring them: both chats work, whichever script came first,
// and a version that cannot be loaded does not take the other along.

import { createReadStream, readFileSync } from "node:fs";
import { basename } from "node:path";
import { Chat } from "../../fixtures.js";
import { DIST, expect, test } from "../embedding/site.js";

const LOADER = readFileSync(`${DIST}assent.js`, "utf8");
const [VERSION] = /(?<=")\d+\.\d+\.\d+(?=")/.exec(LOADER);
const OLD = "0.0.1-old";

/** A copy of dist/ at /old/ that says another version; its files are missing if `gone`. */
function older(gone = false) {
  const changed = LOADER.replace(`"${VERSION}"`, `"${OLD}"`);
  return {
    instead: (path, response) => {
      if (!path.startsWith("/old/")) return false;
      const type = path.endsWith(".wasm") ? "application/wasm" : "text/javascript";
      if (path === "/old/assent.js") response.writeHead(200, { "content-type": type }).end(changed);
      else if (gone) response.writeHead(404).end();
      else createReadStream(DIST + basename(path)).pipe(response.writeHead(200, { "content-type": type }));
      return true;
    },
  };
}

const panels = (page, user) =>
  ["One", "Two"].map((heading) => new Chat(page, user, page.locator(`assent-chat[heading="${heading}"]`)));

/** One panel at a time: they have the same place. */
async function talk(chat) {
  await chat.element.evaluate((element) => element.open());
  await chat.ask("hello");
  await chat.element.evaluate((element) => element.close());
  await expect(chat.role("dialog")).toBeHidden();
}

for (const [name, one, two] of [["the newer first", "/dist", "/old"], ["the older first", "/old", "/dist"]]) {
  test(`both chats work, ${name}`, async ({ page, user, scripted, serve, visit }) => {
    await visit(`${await serve(import.meta.url, older())}/`, { one, two });
    const [first, second] = panels(page, user);
    await talk(first);
    await talk(second);
    await first.element.evaluate((element) => element.remove());
    await talk(second);
    expect(scripted.to("post").map(({ headers }) => headers["x-service-user-id"])).toEqual([`${user}-one`, `${user}-two`, `${user}-two`]);
    // Each version keeps its own account of what it loaded.
    const versions = await page.evaluate(() => Object.keys(globalThis[Symbol.for("assent")]));
    expect(versions.sort()).toEqual([OLD, VERSION].sort());
    await expect(page.locator("assent-chat")).toHaveCount(1);
  });
}

test("a version that came second and lost its files does not matter", async ({ page, user, serve, visit }) => {
  await visit(`${await serve(import.meta.url, older(true))}/`, { one: "/dist", two: "/old" });
  for (const chat of panels(page, user)) await talk(chat);
});

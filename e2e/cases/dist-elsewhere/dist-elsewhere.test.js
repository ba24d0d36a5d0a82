// dist/ copied to any static server, under any path, works on a page of another origin.

import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIST, fileServer } from "../../servers/files.js";
import { serving } from "../../servers/serving.js";
import { expect, test as base } from "../../fixtures.js";
import { textsOf } from "../languages/texts.js";

const test = base.extend({
  /** Address of a copy of dist/ on another origin. */
  elsewhere: async ({ context }, use) => {
    const folder = mkdtempSync(join(tmpdir(), "assent-dist-"));
    cpSync(DIST, folder, { recursive: true });
    const files = fileServer([["/some/where/", `${folder}/`]]);
    await serving(context, async (start) => use(`${await start((...exchange) => files.emit("request", ...exchange))}/some/where`));
    rmSync(folder, { recursive: true });
  },
});

for (const mode of ["launcher", "inline"]) {
  test(`the snippet works from another origin, ${mode}`, async ({ page, chat, elsewhere }) => {
    const fetched = [];
    page.on("request", (request) => request.url().startsWith(elsewhere) && fetched.push(request.url().slice(elsewhere.length)));
    await chat.visit(mode, { script: `${elsewhere}/assent.js` });
    if (mode === "launcher") await chat.button("Open chat").click();
    await chat.ask("hello");
    await expect(chat.lastMessage).toContainText("Hello!");
    // Everything that a browser needs is in the folder, and each file is fetched once; this answer has no formula and no code, and the service lets calls be allowed beforehand.
    const files = readdirSync(DIST).filter((file) => /^assent(_widget|_renderer|_approval|_extras|_history)?(_bg)?(-\w+)?\.(js|wasm)$/.test(file));
    expect(files).toHaveLength(8);
    // What keeps on the device comes last.
    await expect.poll(() => fetched.sort()).toEqual(files.map((file) => `/${file}`).sort());
  });
}

test("the texts of a language come from there, too", async ({ page, chat, elsewhere }) => {
  const asked = page.waitForRequest((request) => request.url().startsWith(`${elsewhere}/locales/fr-`));
  await chat.visit("launcher", { script: `${elsewhere}/assent.js`, locale: "fr" });
  await asked;
  await expect(chat.part("launcher")).toHaveAccessibleName(textsOf("fr").openChat);
});

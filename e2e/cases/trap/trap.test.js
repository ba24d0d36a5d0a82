// The module of the widget ends in a trap, in a function that only the browser calls: a listener, a timer.

import { readFile } from "node:fs/promises";
import { DIST, expect, test } from "../embedding/site.js";

/** A module that traps when it is instantiated: its start function is `unreachable` (WebAssembly, Binary Format). */
const TRAP = "new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 5, 1, 3, 0, 0, 11])))";
/** Answers for the widget's glue with one that traps when the page sends an event `trap`, in a listener or a promise. */
async function withTrap(path, response) {
  if (!/assent_widget-[^/]*\.js$/.test(path)) return;
  const glue = await readFile(`${DIST}${path.slice("/dist/".length)}`, "utf8");
  response.setHeader("content-type", "text/javascript");
  response.end(`${glue}\naddEventListener("trap", ({ detail }) => { if (detail === "promise") Promise.resolve().then(() => { ${TRAP}; }); else ${TRAP}; });`);
}

/** True for what `withTrap` answers. */
const instead = (path, response) => {
  withTrap(path, response);
  return /assent_widget-[^/]*\.js$/.test(path);
};

test.use({ expectedConsole: /assent-chat: stopped\.|RuntimeError|unreachable/ });

for (const where of ["listener", "promise"]) {
  test(`in a ${where}, all chats say so, and can be loaded again`, { tag: "@firefox" }, async ({ page, chat, serve, visit }) => {
    await visit(`${await serve(import.meta.url, { instead })}/`);
    await chat.ask("hello");
    await page.evaluate((detail) => dispatchEvent(new CustomEvent("trap", { detail })), where);
    const stopped = chat.element.getByRole("alert").filter({ hasText: "The chat stopped unexpectedly." });
    await expect(stopped).toBeVisible();
    await chat.element.getByRole("button", { name: "Reload chat" }).click();
    await expect(chat.messages.filter({ hasText: "hello" })).toHaveCount(1);
  });
}

test("a trap of another module of the page is not taken for the chat's", async ({ page, chat, scripted, serve, visit }) => {
  await visit(`${await serve(import.meta.url)}/`);
  await chat.ask("hello");
  await page.evaluate((trap) => new Promise((done) => {
    addEventListener("error", () => done(null), { once: true });
    setTimeout(trap);
  }), TRAP);
  await chat.say("and again");
  await expect(chat.messages.filter({ hasText: "and again" })).toHaveCount(1);
  await expect.poll(() => scripted.to("post")).toHaveLength(2);
});

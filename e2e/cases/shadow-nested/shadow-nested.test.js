// A chat inside the shadow root of a component inside the shadow root of another one.

import { expect, test } from "../embedding/site.js";

test("inline: a conversation, and events that reach the page", async ({ page, chat, serve, visit }) => {
  await page.addInitScript(() => {
    globalThis.heard = [];
    document.addEventListener("assent:ready", (event) => globalThis.heard.push(event.target.localName, event.composedPath()[0].localName));
  });
  await visit(`${await serve(import.meta.url)}/`);
  await chat.ask("hello");
  // To the page the event comes from its own component.
  expect(await page.evaluate(() => globalThis.heard)).toEqual(["site-app", "assent-chat"]);
  await expect(chat.part("panel")).toHaveCSS("display", "flex");
  expect(await chat.role("region", { name: "Assistant", exact: true }).count()).toBe(1);
});

test("launcher: the focus goes in, and comes back out", { tag: "@firefox" }, async ({ page, chat, serve, visit }) => {
  await visit(`${await serve(import.meta.url)}/`, { mode: "launcher" });
  await chat.button("Open chat").click();
  await expect(chat.input).toBeFocused();
  await chat.ask("hello");
  await page.keyboard.press("Escape");
  await expect(chat.role("dialog")).toBeHidden();
  await expect(chat.part("launcher")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("link", { name: "A link of the inner component" })).toBeFocused();
});

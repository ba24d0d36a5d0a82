// Chats whose application is held back.

import { expect } from "../../fixtures.js";

/** Holds the application, or other files, back until the function that is returned is called. */
export async function hold(page, files = /assent_widget_bg.*\.wasm$/) {
  let arrive = () => {};
  const asked = new Promise((resolve) => (arrive = resolve));
  await page.route(files, async (route) => {
    await asked;
    await route.continue();
  });
  return arrive;
}

/** Opens a chat of this mode and waits for the box of the loader. */
export async function visitEarly(chat, mode, settings = {}) {
  if (mode === "launcher") {
    await chat.launcher(settings);
    await chat.button("Open chat").click();
  } else await chat.visit("inline", { mode, ...settings });
  await expect(chat.input).toBeVisible();
  await expect(chat.part("transcript")).toHaveCount(0);
}

/** Waits until the application is there. */
export const alive = (chat) => chat.element.evaluate((element) => element.ready);

/** Where the selection of the box is. */
export const selection = (chat) =>
  chat.input.evaluate(({ selectionStart, selectionEnd, selectionDirection }) => [selectionStart, selectionEnd, selectionDirection]);

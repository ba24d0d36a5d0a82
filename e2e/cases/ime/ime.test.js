// Enter that ends a composition of an input method is not Enter that sends.

import { expect, test } from "../../fixtures.js";

/** Begins a composition where the focus is. */
async function compose(page) {
  const input = await page.context().newCDPSession(page);
  await input.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  return input;
}

test("Enter during a composition does not send, the next one does", async ({ page, chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.input.focus();
  const input = await compose(page);
  await expect(chat.input).toHaveValue("にほん");
  // What the browser sends for every key that an input method takes: "Process", code 229.
  for (const type of ["rawKeyDown", "keyUp"]) {
    await input.send("Input.dispatchKeyEvent", { type, key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 });
  }
  await input.send("Input.insertText", { text: "日本" });
  await input.send("Input.dispatchKeyEvent", { type: "keyUp", key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 });
  await expect(chat.input).toHaveValue("日本");
  await expect(chat.messages).toHaveCount(0);
  await page.keyboard.press("Enter");
  const post = await scripted.nextPost();
  expect(post.text).toBe("日本");
});

test("Escape during a composition closes nothing", async ({ page, chat }) => {
  await chat.panel();
  await expect(chat.input).toBeFocused();
  const input = await compose(page);
  await input.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key: "Escape", code: "Escape", windowsVirtualKeyCode: 229 });
  await expect(chat.role("dialog")).toBeVisible();
});

test("a composition ended by the mouse does not swallow the next Enter", async ({ page, chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.input.focus();
  await compose(page);
  await chat.transcript.click();
  await chat.input.click();
  await page.keyboard.press("Enter");
  expect((await scripted.nextPost()).text).toBe("にほん");
});

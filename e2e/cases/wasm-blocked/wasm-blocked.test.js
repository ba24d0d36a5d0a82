// A policy without 'wasm-unsafe-eval': the person gets a plain sentence, the developer the directive to add, and nothing looks broken.

import { expect, test } from "../embedding/site.js";

const SENTENCE = "The chat can’t run here: this page does not allow WebAssembly.";
const forbid = (scripted) => ({
  headers: { "content-security-policy": `default-src 'none'; script-src 'self'; connect-src 'self' ${scripted.origin}` },
});

test.use({ expectedConsole: /^error: .*wasm-(unsafe-)?eval|Content Security Policy/ });

/** What is said to the developer, after the browser's own message. */
const advice = (console) => console.filter((text) => text.startsWith("error: assent-chat:"));

/** The sentence, without anything that a browser or a policy says, in a box that can be read. */
async function expectSentence(chat) {
  await expect(chat.alert).toBeVisible();
  expect((await chat.alert.innerText()).trim()).toBe(SENTENCE);
  await expect(chat.heading).toHaveText("Assistant");
  const panel = await chat.part("panel").boundingBox();
  const text = await chat.alert.getByText(SENTENCE).boundingBox();
  expect(panel.height).toBeGreaterThan(300);
  expect(text.width).toBeGreaterThan(100);
  expect(text.y).toBeGreaterThan(panel.y);
  expect(text.y + text.height).toBeLessThan(panel.y + panel.height);
  // Trying again would not help.
  await expect(chat.part("panel").getByRole("button")).toHaveCount(0);
}

test("an inline chat says it in its place", async ({ chat, scripted, serve, visit, console }) => {
  await visit(`${await serve(import.meta.url, forbid(scripted))}/`);
  await expectSentence(chat);
  expect(advice(console)).toHaveLength(1);
  for (const directive of ["script-src", "'wasm-unsafe-eval'", "connect-src"]) expect(advice(console)[0]).toContain(directive);
  expect(scripted.requests).toEqual([]);
});

test("the launcher stays whole, opens the sentence, and closes", async ({ page, chat, scripted, serve, visit, console }) => {
  await visit(`${await serve(import.meta.url, forbid(scripted))}/launcher.html`);
  const launcher = chat.part("launcher");
  const before = await launcher.boundingBox();
  expect([before.width, before.height]).toEqual([56, 56]);
  await launcher.click();
  await expectSentence(chat);
  // The directive is given to whoever wants to chat, not to every visitor who points at the launcher.
  expect(advice(console)).toHaveLength(1);
  expect(advice(console)[0]).toContain("'wasm-unsafe-eval'");
  await expect(launcher).toHaveAccessibleName("Close chat");
  await launcher.click();
  await expect(chat.role("dialog")).toBeHidden();
  await expect(launcher).toHaveAccessibleName("Open chat");
  await page.mouse.move(0, 0);
  await expect.poll(() => launcher.boundingBox()).toEqual(before);
  // Opened once more, it is not blank.
  await launcher.click();
  await expect(chat.alert).toHaveText(SENTENCE);
});

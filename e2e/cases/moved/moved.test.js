// A chat that the page moves while an answer streams: the answer, what was typed and the focus's place go on.

import { expect, test } from "../embedding/site.js";

for (const how of ["append", "moveBefore"]) {
  test(`${how}: the stream goes on in the new place`, { tag: how === "append" ? "@firefox" : [] }, async ({ page, chat, scripted, serve, visit }) => {
    await visit(`${await serve(import.meta.url)}/`);
    const post = await chat.post(scripted, "Tell me");
    post.say("Before, ");
    await expect(chat.lastMessage).toContainText("Before,");
    await chat.input.fill("typed meanwhile");
    const lists = scripted.to("list").length;
    await page.evaluate((how) => {
      globalThis.heard = 0;
      document.addEventListener("assent:ready", () => (globalThis.heard += 1));
      const [chat, there] = [document.querySelector("assent-chat"), document.getElementById("there")];
      how === "append" ? there.append(chat) : there.moveBefore(chat, null);
    }, how);
    post.say("and after.");
    await expect(chat.lastMessage).toContainText("Before, and after.");
    await expect(page.locator("#there > assent-chat")).toHaveCount(1);
    await expect(chat.input).toHaveValue("typed meanwhile");
    post.complete("Before, and after.");
    await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
    scripted.hold = false;
    // The stream ends a moment after the answer; until then Enter sends nothing.
    await expect(chat.stop).toHaveCount(0);
    await chat.input.press("Enter");
    await expect(chat.lastMessage).toContainText("Fine.");
    await expect(chat.messages).toHaveCount(4);
    // The same instance all along: it did not start again.
    expect(await page.evaluate(() => globalThis.heard)).toBe(0);
    expect(scripted.to("messages")).toHaveLength(0);
    expect(lists).toBeGreaterThan(0);
  });
}

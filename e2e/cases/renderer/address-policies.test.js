// The properties linkPolicy and imagePolicy: when they may be set, and what happens to a value that is none.

import { expect, test } from "../../fixtures.js";

const answer = (chat) => chat.lastMessage.locator(".answer");
const link = (chat, name) => answer(chat).getByRole("link", { name, exact: true });

/** A finished answer with two links. */
async function answered(chat, scripted) {
  const thread = scripted.addThread("Links");
  scripted.store(thread.id, "user", "links");
  scripted.store(thread.id, "assistant", "# Two\n\n[here](https://shop.example/a) and [there](https://else.example/b)");
  await chat.inline({ "base-url": scripted.origin, "thread-id": thread.id });
  await expect(answer(chat).getByRole("heading", { name: "Two" })).toBeVisible();
}

test("what is on the screen follows another policy, and its end", async ({ chat, scripted }) => {
  await answered(chat, scripted);
  await expect(answer(chat).getByRole("link")).toHaveCount(2);
  await chat.element.evaluate((element) => (element.linkPolicy = (url) => url.hostname === "shop.example"));
  await expect(link(chat, "there")).toHaveCount(0);
  await expect(link(chat, "here")).toBeVisible();
  await expect(answer(chat)).toContainText("here and there");
  await chat.element.evaluate((element) => (element.linkPolicy = null));
  await expect(link(chat, "there")).toBeVisible();
});

test.describe("a policy that is no function", () => {
  test.use({ expectedConsole: /is not a function; / });

  test("is none, with one warning", async ({ chat, scripted, console: messages }) => {
    await answered(chat, scripted);
    await chat.element.evaluate((element) => (element.linkPolicy = "none"));
    await chat.element.evaluate((element) => (element.imagePolicy = ["*"]));
    expect(await chat.element.evaluate((element) => [element.linkPolicy, element.imagePolicy])).toEqual([null, null]);
    await expect(answer(chat).getByRole("link")).toHaveCount(2);
    const warnings = messages.filter((text) => text.includes("is not a function"));
    expect(warnings.map((text) => text.replace(/ http.*/, ""))).toEqual([
      "warning: assent-chat: linkPolicy is not a function; the default rule holds.",
      "warning: assent-chat: imagePolicy is not a function; no images are loaded unasked.",
    ]);
  });
});

// The code that draws queued messages is fetched while one is typed, and again where it could not be.

import { expect, test } from "../../fixtures.js";

const EXTRAS = /assent_extras_bg.*\.wasm$/;

const queued = (chat) => chat.role("group", { name: "Queued" });

test("what has to wait is drawn at once: its code comes while it is typed", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  let requests = 0;
  await page.route(EXTRAS, (route) => {
    requests += 1;
    return route.continue();
  });
  const post = await chat.streaming(scripted, "Hello");
  expect(requests).toBe(0);
  await chat.input.fill("And then?");
  await expect.poll(() => requests).toBe(1);
  await chat.input.press("Enter");
  await expect(queued(chat)).toContainText("And then?");
  await queued(chat).getByRole("button", { name: "Edit" }).click();
  await expect(chat.input).toHaveValue("And then?");
  await expect(chat.input).toBeFocused();
  await expect(queued(chat)).toHaveCount(0);
  post.complete("Hi.");
  await chat.isAnswered();
});

test.describe("without the code", () => {
  test.use({ expectedConsole: /Failed to load resource|ERR_FAILED/ });

  test("a queued message is sent in its turn, and is shown once its code can be fetched", async ({ page, chat, scripted }) => {
    let isThere = false;
    await page.route(EXTRAS, (route) => (isThere ? route.continue() : route.abort()));
    await page.clock.install();
    const post = await chat.streaming(scripted, "Hello");
    await chat.say("And then?");
    await expect(chat.input).toHaveValue("");
    await expect(queued(chat)).toHaveCount(0);
    isThere = true;
    await page.clock.runFor(6_000);
    await expect(queued(chat)).toContainText("And then?");
    post.complete("Hi.");
    const next = await scripted.nextPost();
    expect(JSON.stringify(next.content)).toContain("And then?");
    next.answer("That.");
    await expect(chat.lastMessage).toContainText("That.");
    await expect(queued(chat)).toHaveCount(0);
  });
});

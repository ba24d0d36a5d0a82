// Whatever an answer says, it is text: nothing runs, and nothing is fetched.

import { expect, PAGE_ORIGIN, SERVICE_ORIGIN, test } from "../../fixtures.js";

const answer = (chat) => chat.lastMessage.locator(".answer");

test.describe("on a page without a policy of its own", () => {
  test.beforeEach(async ({ page, chat }) => {
    page.on("dialog", (dialog) => {
      throw new Error(`a dialog was opened: ${dialog.message()}`);
    });
    // Nothing but the page and the service is there to be asked.
    await page.context().route(
      (url) => ![PAGE_ORIGIN, SERVICE_ORIGIN].includes(url.origin),
      (route) => {
        foreign.push(route.request().url());
        return route.abort();
      },
    );
    foreign.length = 0;
    await chat.inline({ csp: "off" });
    await chat.askFormatted("unsafe");
  });
  const foreign = [];

  test("nothing is asked of any other host", async ({ page, chat }) => {
    await test.step("raw HTML is text, and no element of it comes to be", async () => {
      await expect(answer(chat)).toContainText('<b>not bold</b>, <img src="https://tracker.invalid/pixel.png" onerror="alert(1)">');
      await expect(answer(chat)).toContainText('<script>alert("no script")</script>');
      await expect(answer(chat).locator("b, img, script, style, iframe, object, embed, form, [onclick], [onerror]")).toHaveCount(0);
    });
    await test.step("images are placeholders that name their host", async () => {
      await expect(answer(chat)).toContainText("A picture of a parcel");
      await expect(answer(chat)).toContainText("Image not loaded, from tracker.invalid");
    });
    await page.waitForLoadState("networkidle");
    expect(foreign).toEqual([]);
  });
});

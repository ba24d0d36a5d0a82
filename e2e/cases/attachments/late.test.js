// The code that draws files is fetched where a page takes files, and again where it could not be.

import { expect, test } from "../../fixtures.js";
import { composer, file, takeFiles } from "./files.js";

const EXTRAS = /assent_extras_bg.*\.wasm$/;

/** The number of requests for the code so far, and whether it is there. */
async function watch(page) {
  const code = { requests: 0, isThere: true };
  await page.route(EXTRAS, (route) => {
    code.requests += 1;
    return code.isThere ? route.continue() : route.abort();
  });
  return code;
}

test("a page that takes no files does not fetch the code that draws them @firefox", async ({ page, chat, scripted }) => {
  const code = await watch(page);
  await chat.inline({ "base-url": scripted.origin });
  const post = await chat.streaming(scripted, "Hello");
  post.complete("Hi.");
  await expect(chat.lastMessage).toContainText("Hi.");
  expect(code.requests).toBe(0);
  await takeFiles(chat);
  await expect(composer(chat).attach).toBeVisible();
  expect(code.requests).toBe(1);
});

test.describe("without the code", () => {
  test.use({ expectedConsole: /Failed to load resource|ERR_FAILED/ });

  test("files that were dropped are kept, and shown once it can be fetched", async ({ page, chat, scripted }) => {
    const code = await watch(page);
    code.isThere = false;
    await page.clock.install();
    await chat.inline({ "base-url": scripted.origin });
    await takeFiles(chat);
    await expect.poll(() => code.requests).toBe(1);
    await chat.element.evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["a"], "plan.pdf"));
      const event = new DragEvent("drop", { bubbles: true, composed: true, cancelable: true, dataTransfer });
      element.shadowRoot.querySelector(".composer").dispatchEvent(event);
    });
    await expect(composer(chat).files).toHaveCount(0);
    code.isThere = true;
    await page.clock.runFor(6_000);
    await expect(composer(chat).files).toContainText("plan.pdf");
    await composer(chat).choose(file("more.pdf"));
    await expect(composer(chat).files).toHaveCount(2);
  });
});

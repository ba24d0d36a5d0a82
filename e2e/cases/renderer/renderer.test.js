// The renderer comes after the widget: until it is there, and if it never comes, answers are plain text.
// The properties linkPolicy and imagePolicy can be changed, and values that are none are refused.

import { hold } from "../early-box/held.js";
import { expect, test } from "../../fixtures.js";

const RENDERER = /assent_renderer.*\.wasm$/;
const heading = (chat) => chat.lastMessage.getByRole("heading", { name: "Everything an answer can hold" });

test.describe("without a network", () => {
  test.use({ expectedConsole: /Failed to load resource|wasm streaming compile failed|answers are shown as plain text|ERR_INTERNET_DISCONNECTED/ });

  test("the renderer is fetched again once the network is back, and the answer is drawn anew", async ({ page, chat }) => {
    const requested = [];
    page.on("request", (request) => RENDERER.test(request.url()) && requested.push(request.url()));
    const release = await hold(page, RENDERER);
    await chat.inline();
    await chat.ask("markdown");
    await page.context().setOffline(true);
    const failed = page.waitForEvent("console", (message) => message.text().includes("shown as plain text"));
    release();
    await failed;
    await expect(chat.lastMessage).toContainText("# Everything an answer can hold");
    await expect(heading(chat)).toHaveCount(0);
    expect(requested).toHaveLength(1);
    await page.context().setOffline(false);
    await expect(heading(chat)).toBeVisible();
    expect(requested).toHaveLength(2);
  });
});

test.describe("a policy that is no function", () => {
  test.use({ expectedConsole: /is not a function; / });

  test("is none, with one warning, and takes the one before away", async ({ chat, scripted, console: messages }) => {
    const thread = scripted.addThread("Links");
    scripted.store(thread.id, "assistant", "[here](https://shop.example/a) and [there](https://else.example/b)");
    await chat.inline({ "base-url": scripted.origin, "thread-id": thread.id });
    const links = chat.lastMessage.getByRole("link");
    await expect(links).toHaveCount(2);
    await chat.element.evaluate((element) => (element.linkPolicy = (url) => url.hostname === "shop.example"));
    await expect(links).toHaveText(["here"]);
    await chat.element.evaluate((element) => (element.linkPolicy = "none"));
    await chat.element.evaluate((element) => (element.imagePolicy = ["*"]));
    expect(await chat.element.evaluate((element) => [element.linkPolicy, element.imagePolicy])).toEqual([null, null]);
    await expect(links).toHaveCount(2);
    const warnings = messages.filter((text) => text.includes("is not a function"));
    expect(warnings.map((text) => text.replace(/ http.*/, ""))).toEqual([
      "warning: assent-chat: linkPolicy is not a function; it counts as null.",
      "warning: assent-chat: imagePolicy is not a function; it counts as null.",
    ]);
  });
});

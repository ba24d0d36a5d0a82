// The renderer comes after the widget: until it is there, and if it never comes, answers are plain text.
// The properties linkPolicy and imagePolicy can be changed, and values that are none are refused.

import { hold } from "../early-box/held.js";
import { request, tool } from "../../servers/approvals.js";
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

test.describe("without the code of the card", () => {
  test.use({ expectedConsole: /Failed to load resource|ERR_FAILED|answers are shown as plain text/ });

  test("a request says so, and is approved after another attempt @firefox", async ({ page, chat, scripted }) => {
    let isThere = false;
    await page.route(/assent_approval_bg.*\.wasm$/, (route) => (isThere ? route.continue() : route.abort()));
    await chat.inline({ "base-url": scripted.origin });
    request(await chat.post(scripted, "Do it"), tool("b", "one"));
    await expect(chat.approval).toContainText("This request cannot be shown, so that it cannot be approved. Try again, or reload the page.");
    await expect(chat.approval).toHaveAttribute("data-state", "pending");
    isThere = true;
    await chat.approval.getByRole("button", { name: "Try again" }).click();
    await chat.verdict("one", "Approve").click();
    const answer = await scripted.nextPost();
    expect(JSON.stringify(answer.content)).toContain("APPROVED");
  });

  test("the browser asks before a conversation is deleted, and nothing is deleted without that", async ({ page, chat, scripted }) => {
    await page.route(/assent_approval_bg.*\.wasm$/, (route) => route.abort());
    scripted.addThread("Lamp");
    await page.setViewportSize({ width: 1200, height: 800 });
    await chat.inline({ "base-url": scripted.origin });
    const asked = [];
    let agrees = false;
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      return agrees ? dialog.accept() : dialog.dismiss();
    });
    const remove = async () => {
      await chat.role("button", { name: "Actions for Lamp" }).click();
      await chat.role("menuitem", { name: "Delete" }).click();
    };
    await remove();
    await expect.poll(() => asked).toHaveLength(1);
    expect(asked[0]).toContain("“Lamp” and its messages will be deleted");
    expect(scripted.to("remove")).toHaveLength(0);
    agrees = true;
    await remove();
    await expect.poll(() => asked).toHaveLength(2);
    await expect.poll(() => scripted.to("remove")).toHaveLength(1);
    await expect(chat.role("button", { name: "Lamp", exact: true })).toHaveCount(0);
  });

  test("a server that answers with its page of the whole site is no code, and says so", async ({ page, chat, scripted }) => {
    let isThere = false;
    const site = { status: 200, contentType: "text/html", body: "<!doctype html><title>Shop</title>" };
    await page.route(/assent_approval_bg.*\.wasm$/, (route) => (isThere ? route.continue() : route.fulfill(site)));
    await chat.inline({ "base-url": scripted.origin });
    request(await chat.post(scripted, "Do it"), tool("b", "one"));
    await expect(chat.approval).toContainText("This request cannot be shown, so that it cannot be approved.");
    isThere = true;
    await chat.approval.getByRole("button", { name: "Try again" }).click();
    await expect(chat.verdict("one", "Approve")).toBeEnabled();
  });

  test("a server that sends it as another type does no harm", async ({ page, chat, scripted }) => {
    await page.route(/assent_approval_bg.*\.wasm$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "content-type": "text/plain" } });
    });
    await chat.inline({ "base-url": scripted.origin });
    request(await chat.post(scripted, "Do it"), tool("b", "one"));
    await expect(chat.verdict("one", "Approve")).toBeEnabled();
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

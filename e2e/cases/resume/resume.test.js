// An answer of the real service goes on where a connection broke, after a reload, in another tab and on another device.

import { request as send } from "node:http";
import { Chat, expect, SERVICE_ORIGIN, test as base } from "../../fixtures.js";
import { serving } from "../../servers/serving.js";

const test = base.extend({
  /** Starts a server in front of the service that cuts streams, each after one of these numbers of bytes, and then no more. */
  cutting: async ({ context }, use) => {
    await serving(context, (start) => use((...cuts) => start((request, response) => pass(request, response, cuts))));
  },
});

/** Passes a request on; a stream is cut, in the middle of a frame as well, as long as there are cuts. */
function pass(request, response, cuts) {
  const { method, url, headers } = request;
  const onward = send(SERVICE_ORIGIN + url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    const streams = answer.headers["content-type"]?.startsWith("text/event-stream");
    let left = streams ? (cuts.shift() ?? Infinity) : Infinity;
    answer.on("data", (bytes) => {
      if (bytes.length < left) {
        left -= bytes.length;
        response.write(bytes);
      } else {
        response.write(bytes.subarray(0, left), () => response.destroy());
        answer.destroy();
      }
    });
    answer.on("end", () => response.end());
  });
  response.on("close", () => onward.destroy());
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}

/** The text of the last answer, as the chat shows it. */
const shown = (chat) => chat.lastMessage.locator(".answer").innerText();

/** Waits for the end of the long answer, with its formats. */
async function ends(chat) {
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete", { timeout: 30_000 });
  await expect(chat.lastMessage).toContainText("Thank you for walking along.");
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.lastMessage.locator(".answer > .blocks").first()).toBeVisible();
}

const begun = (chat) => expect(chat.lastMessage).toContainText("Chapter 1", { timeout: 15_000 });

test.describe("a connection that is cut", () => {
  // Each cut is a failed request of the browser's.
  test.use({ expectedConsole: /Failed to load resource|ERR_INCOMPLETE_CHUNKED_ENCODING/ });

  test("is taken up again, without a word, and no letter is lost or doubled", { tag: "@firefox" }, async ({ chat, cutting }) => {
    await chat.inline({ "base-url": await cutting(3_000, 10, 20_003, 1, 9_000) });
    await chat.listen("error");
    await chat.say("long answer");
    await begun(chat);
    await ends(chat);
    await expect(chat.alert).toHaveCount(0);
    expect(await chat.page.evaluate(() => globalThis.heard)).toEqual([]);
    const live = await shown(chat);
    await chat.page.reload();
    await ends(chat);
    await expect.poll(() => shown(chat)).toBe(live);
  });
});

/** Notes whether a page is told of an answer that is being written, and whether it reads that on: on a slow machine the answer may be at its end before. */
function watch(page) {
  const seen = { isTold: false, reads: false };
  page.on("response", (response) => {
    if (response.url().includes("/messages/stream")) seen.reads = true;
    else if (response.headers()["assent-answer"]) seen.isTold = true;
  });
  return seen;
}

test("after a reload an answer is shown on while it is written", { tag: "@firefox" }, async ({ chat }) => {
  await chat.inline();
  await chat.say("long answer");
  await begun(chat);
  const seen = watch(chat.page);
  await chat.page.reload();
  await ends(chat);
  expect(seen.reads).toBe(seen.isTold);
});

test("on another device an answer is shown while it is written", async ({ chat, browser }) => {
  await chat.inline();
  await chat.say("slow");
  await expect(chat.lastMessage).toContainText("I speak slowly", { timeout: 15_000 });
  const device = await browser.newContext();
  try {
    const other = new Chat(await device.newPage(), chat.user);
    const seen = watch(other.page);
    await other.page.goto(chat.page.url());
    await other.loaded();
    await other.thread("slow").click();
    for (const it of [other, chat]) {
      await expect(it.lastMessage).toContainText("It is over now.");
      await expect(it.lastMessage).toHaveAttribute("data-state", "complete");
      await expect(it.messages).toHaveCount(2);
    }
    expect(seen.reads).toBe(seen.isTold);
  } finally {
    await device.close();
  }
});

test("in another tab an answer is shown while it is written, and its request can be decided there", async ({ chat }) => {
  await chat.inline();
  await chat.ask("hello");
  const other = await chat.tab();
  await other.inline();
  await other.loaded();
  await expect(other.messages).toHaveCount(2);
  await chat.say("long answer");
  await expect(other.lastMessage).toContainText("Chapter 1", { timeout: 15_000 });
  for (const tab of [chat, other]) {
    await expect(tab.lastMessage).toHaveAttribute("data-state", "complete", { timeout: 30_000 });
    await expect(tab.messages).toHaveCount(4);
  }
  const whole = await shown(chat);
  await expect.poll(() => shown(other)).toBe(whole);
  await chat.asksApproval("approve one");
  await other.decide("refund_payment", "Approve");
  await other.submit();
  for (const tab of [chat, other]) await expect(tab.lastMessage).toContainText("Done: 49.90 EUR are on their way");
});

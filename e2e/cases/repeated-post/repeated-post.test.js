// A post to the real service whose connection breaks is posted again with its key: it is stored once, answered once, and nobody has to look up whether it arrived.

import { request as send } from "node:http";
import { expect, SERVICE_ORIGIN, test as base } from "../../fixtures.js";
import { serving } from "../../servers/serving.js";

/** @typedef {"lost" | "unanswered" | "ended" | "gateway" | "late" | "held" | "held back" | number} Fault what becomes of a post: its connection is closed before the service gets it, or when it has answered; the response ends in order behind its headers; the service gets it, but a proxy says 504; the service gets it when it has answered the next one; nothing is said any more, and the service gets it, or does not; or a number of bytes of the response, and then its end */

const test = base.extend({
  /** A server in front of the service that spoils one post after the other, as long as there are faults. Connections are kept, so that browsers repeat some posts by themselves. */
  rude: async ({ context }, use) => {
    await serving(context, (start) =>
      use(async (/** @type {Fault[]} */ ...faults) => {
        const posts = [];
        const late = [];
        const origin = await start((request, response) => {
          if (request.method !== "POST" || !request.url.endsWith("/messages")) return pass(request, response);
          const fault = faults.shift();
          posts.push({ key: request.headers["idempotency-key"], fault });
          spoil(request, response, fault, late);
        });
        return { origin, posts };
      }),
    );
  },
});

/** Passes a request on; `take` gets the answer instead of the browser, if it is given. */
function pass(request, response, take = (answer) => forwardTo(response, answer)) {
  const { method, url, headers } = request;
  const onward = send(SERVICE_ORIGIN + url, { method, headers, agent: false }, take);
  onward.on("error", () => response.destroy());
  request.pipe(onward);
  return onward;
}

function forwardTo(response, answer) {
  response.writeHead(answer.statusCode, answer.headers);
  answer.pipe(response);
  response.on("close", () => answer.destroy());
}

function spoil(request, response, fault, late) {
  const cut = () => response.destroy();
  if (fault === "lost") request.on("end", cut).resume();
  else if (fault === "held") request.resume();
  else if (fault === "late") {
    late.push(request);
    // With the body, which the service gets later.
    request.kept = [];
    request.on("data", (bytes) => request.kept.push(bytes)).on("end", cut);
  } else if (fault === "unanswered") pass(request, response, (answer) => cut(answer.destroy()));
  else if (fault === "held back") pass(request, response, (answer) => answer.resume());
  else if (fault === "gateway") {
    pass(request, response, (answer) => {
      answer.resume();
      response.writeHead(504, { "access-control-allow-origin": "*", "content-type": "text/html" }).end("<h1>Gateway Time-out</h1>");
    });
  } else if (typeof fault === "number") {
    let left = fault;
    pass(request, response, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.on("data", (bytes) => {
        if (left <= 0) return;
        const piece = bytes.subarray(0, left);
        left -= piece.length;
        response.write(piece, () => left <= 0 && cut(answer.destroy()));
      });
      answer.on("end", () => left > 0 && response.end());
    });
  } else if (fault === "ended") {
    pass(request, response, (answer) => response.writeHead(answer.statusCode, answer.headers).end(answer.destroy() && ""));
  } else {
    pass(request, response, (answer) => {
      forwardTo(response, answer);
      for (const { method, url, headers, kept } of late.splice(0)) send(SERVICE_ORIGIN + url, { method, headers, agent: false }, (answer) => answer.resume()).end(Buffer.concat(kept));
    });
  }
}

/** Notes from now on what the chat says of messages whose outcome is unknown. */
async function watch(chat) {
  await chat.element.evaluate((element) => {
    globalThis.doubts = [];
    const note = () => {
      const doubt = /Checking whether|don’t know whether|Not delivered/.exec(element.shadowRoot.textContent);
      if (doubt) globalThis.doubts.push(doubt[0]);
    };
    new MutationObserver(note).observe(element.shadowRoot, { subtree: true, childList: true, characterData: true });
  });
  return () => chat.page.evaluate(() => globalThis.doubts);
}

/** Author and text of everything that the service stored in the user's only conversation. */
async function stored(service) {
  const [thread] = await service.threads();
  return (await service.messages(thread.id)).map(({ role, content }) => `${role}: ${content}`);
}

/** The posts were one, however often it was made. */
function areOne(posts, least = 2) {
  expect(posts.length).toBeGreaterThanOrEqual(least);
  expect(posts[0].key).toMatch(/^[0-9a-f-]{36}-\d+$/);
  for (const { key } of posts) expect(key).toBe(posts[0].key);
}

// Each fault is a failed request of the browser's.
test.use({ expectedConsole: /Failed to load resource|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/ });

/** @type {Record<string, Fault[]>} */
const FAULTS = {
  "before it reaches the service": ["lost", "lost", "lost"],
  "before the headers of its response": ["unanswered", "unanswered", "unanswered"],
  "in the first event of its response": [20, 1, 40],
  "in order, before its first event": ["ended", "ended"],
  "in the middle of its response": [400],
  "by a proxy that gives up": ["gateway"],
  "in every way, one after the other": ["lost", "unanswered", 10, "gateway", 400],
  "and arrives after all, behind the one that was answered": ["late"],
};

for (const [how, faults] of Object.entries(FAULTS)) {
  test(`a message that is cut off ${how} is stored and answered once`, { tag: "@firefox" }, async ({ chat, service, rude }) => {
    const { origin, posts } = await rude(...faults);
    await chat.inline({ "base-url": origin });
    const doubts = await watch(chat);
    await chat.ask("hello");
    await expect(chat.lastMessage).toContainText("Hello!");
    await expect(chat.messages).toHaveCount(2);
    await expect(chat.alert).toHaveCount(0);
    await chat.ask("thank you");
    expect(await doubts()).toEqual([]);
    areOne(posts.slice(0, -1), typeof faults[0] === "number" && faults.length === 1 ? 1 : 2);
    expect(posts.at(-1).key).not.toBe(posts[0].key);
    const all = await stored(service);
    expect(all).toHaveLength(4);
    expect(all.filter((it) => it.startsWith("user: "))).toEqual(["user: hello", "user: thank you"]);
    await chat.page.reload();
    await expect(chat.messages).toHaveCount(4);
  });
}

// An approval is a post like any other: the ways in which one is lost, and all of them in a row.
for (const [how, faults] of Object.entries(FAULTS).filter(([how]) => /^(before|in every)/.test(how))) {
  test(`an approval that is cut off ${how} is given once`, async ({ chat, service, rude }) => {
    // The first post is the message.
    const { origin, posts } = await rude(Infinity, ...faults);
    await chat.inline({ "base-url": origin });
    await chat.asksApproval("approve one");
    await chat.waitsForDecision();
    const doubts = await watch(chat);
    await chat.approveAll();
    await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
    await chat.isAnswered();
    await expect(chat.alert).toHaveCount(0);
    expect(await doubts()).toEqual([]);
    areOne(posts.slice(1), typeof faults[0] === "number" && faults.length === 1 ? 1 : 2);
    expect(await service.statuses()).toEqual(["APPROVED"]);
    const all = await stored(service);
    expect(all.filter((it) => it.includes("are on their way"))).toHaveLength(1);
  });
}

test("messages that wait behind one that is cut off keep their order, in both tabs", async ({ chat, service, rude }) => {
  const { origin } = await rude(Infinity, "lost", "unanswered", "lost", 10);
  await chat.inline({ "base-url": origin });
  await chat.ask("hello");
  const other = await chat.tab();
  await other.inline({ "base-url": origin });
  await expect(other.messages).toHaveCount(2);
  await chat.say("slow");
  await chat.say("thank you");
  await chat.say("hello");
  for (const tab of [chat, other]) {
    await expect(tab.messages).toHaveCount(8, { timeout: 30_000 });
    await expect(tab.lastMessage).toHaveAttribute("data-state", "complete");
    await expect(tab.own).toHaveText([/hello/, /slow/, /thank you/, /hello/]);
  }
  const all = await stored(service);
  expect(all.filter((it) => it.startsWith("user: "))).toEqual(["user: hello", "user: slow", "user: thank you", "user: hello"]);
});

for (const fault of /** @type {const} */ (["held", "held back"])) {
  test(`after a reload, a message that was ${fault} is stored and answered once`, { tag: "@firefox" }, async ({ chat, service, rude }) => {
    const { origin, posts } = await rude(fault);
    await chat.inline({ "base-url": origin });
    await chat.say("hello");
    await expect.poll(() => posts.length).toBe(1);
    if (fault === "held back") await expect.poll(async () => (await stored(service)).length).toBe(2);
    await chat.page.reload();
    await expect(chat.lastMessage).toContainText("Hello!");
    await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
    await expect(chat.messages).toHaveCount(2);
    areOne(posts, fault === "held" ? 2 : 1);
    expect(await stored(service)).toHaveLength(2);
  });
}

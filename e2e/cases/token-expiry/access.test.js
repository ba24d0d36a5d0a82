// Access: tokens and headers that the page gives.

import { expect, SERVICE_ORIGIN, test } from "../../fixtures.js";

test.use({ expectedConsole: /assent-chat: |Failed to load resource/ });

/** Gives the chat a provider of `token-1`, `token-2` … before anything was requested, and counts its reasons. */
async function start(chat, scripted) {
  await chat.launcher({ "base-url": scripted.origin, without: "api-key" });
  await chat.element.evaluate((element) => {
    globalThis.reasons = [];
    element.tokenProvider = async (reason) => `token-${globalThis.reasons.push(reason)}`;
    element.requestHeaders = () => ({ "X-Csrf": "csrf" });
  });
  await chat.button("Open chat").click();
  await expect(chat.input).toBeVisible();
}

const tokens = (requests) => requests.map(({ headers }) => headers.authorization);

test("a token is asked for once, renewed after a 401, and what was refused is sent once more", async ({ page, chat, scripted }) => {
  await start(chat, scripted);
  await chat.ask("hello");
  expect(new Set(tokens(scripted.requests))).toEqual(new Set(["Bearer token-1"]));
  expect(scripted.requests.every(({ headers }) => headers["x-csrf"] === "csrf")).toBe(true);
  scripted.on.post = (_, response) => {
    delete scripted.on.post;
    response.writeHead(401).end();
  };
  await chat.ask("again");
  expect(await page.evaluate(() => globalThis.reasons)).toEqual(["initial", "expired"]);
  expect(tokens(scripted.to("post"))).toEqual(["Bearer token-1", "Bearer token-1", "Bearer token-2"]);
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain("token-");
});

test("the service, on another origin, takes the headers and cookies that its options allow, and a user of any script", { tag: "@firefox" }, async ({ page, chat }) => {
  await page.context().addCookies([{ name: "session", value: "good", url: SERVICE_ORIGIN }]);
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/messages"));
  await chat.inline({ credentials: "include", "user-id": "世界" });
  await chat.element.evaluate((element) => (element.requestHeaders = () => ({ "X-Trace": "1" })));
  await chat.ask("hello");
  expect(await (await sent).allHeaders()).toMatchObject({ "x-trace": "1", cookie: "session=good" });
});

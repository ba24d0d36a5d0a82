// Access: what the page gives to be sent. When a token is asked for again, the client's tests say.

import { API_KEY, expect, SERVICE_ORIGIN, test } from "../../fixtures.js";

test("the service, on another origin, takes the page's token, headers and cookies that its options allow, and a user of any script", { tag: "@firefox" }, async ({ page, chat }) => {
  await page.context().addCookies([{ name: "session", value: "good", url: SERVICE_ORIGIN }]);
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/messages"));
  await chat.launcher({ credentials: "include", "user-id": "世界", without: "api-key" });
  await chat.element.evaluate((element, token) => Object.assign(element, { requestHeaders: () => ({ "X-Trace": "1" }), tokenProvider: async () => token }), API_KEY);
  await chat.button("Open chat").click();
  await chat.ask("hello");
  expect(await (await sent).allHeaders()).toMatchObject({ "x-trace": "1", cookie: "session=good", authorization: `Bearer ${API_KEY}` });
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(API_KEY);
});

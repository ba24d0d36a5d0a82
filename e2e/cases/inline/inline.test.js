// The element as a part of the page, more than once, and moved around.

import { API_KEY, SERVICE_ORIGIN, expect, test } from "../../fixtures.js";

test("an element below the fold starts when it comes into view", async ({ page, chat }) => {
  await page.setViewportSize({ width: 800, height: 600 });
  await chat.visit("launcher", { without: "agent-id" });
  const fetched = [];
  page.on("request", (request) => fetched.push(request.url()));
  const attributes = { "agent-id": "demo", "base-url": SERVICE_ORIGIN, "api-key": API_KEY, "user-id": chat.user };
  await page.evaluate((attributes) => {
    document.body.style.setProperty("padding-block-start", "3000px");
    const chat = document.createElement("assent-chat");
    for (const name in attributes) chat.setAttribute(name, attributes[name]);
    document.body.append(chat);
  }, attributes);
  await expect(chat.element).toHaveCount(1);
  await page.waitForLoadState("networkidle");
  expect(fetched).toEqual([]);
  const wasm = page.waitForRequest(/\.wasm$/);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await wasm;
});

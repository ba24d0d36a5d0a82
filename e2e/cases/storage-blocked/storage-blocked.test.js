// A browser that forbids the page to store anything: the chat works, and forgets with the page.

import { Chat } from "../../fixtures.js";
import { expect, test } from "../embedding/site.js";

/** What is said beside the warning of the key. */
const messages = (console) => console.filter((text) => !text.includes("api-key"));

test("a frame without an origin: reading the storage throws", async ({ page, user, scripted, serve, visit, console }) => {
  const site = await serve(import.meta.url);
  const query = new URLSearchParams({ csp: "off", without: "api-key", "base-url": scripted.origin });
  await visit(`${site}/`, { query: query.toString() });
  const frame = page.frames().find((frame) => frame.url().includes("/embedding/"));
  const refused = await frame.evaluate(() => {
    try {
      return String(localStorage);
    } catch (error) {
      return error.name;
    }
  });
  expect(refused).toBe("SecurityError");
  const chat = new Chat(page, user, page.frameLocator("iframe").locator("assent-chat"));
  await chat.ask("hello");
  await chat.newThread.click();
  await expect(chat.messages).toHaveCount(0);
  await chat.ask("hello again");
  // Nobody gave a user: one is made up, and is the same for the whole visit.
  const users = new Set(scripted.requests.map(({ headers }) => headers["x-service-user-id"]));
  expect(users.size).toBe(1);
  expect([...users][0].length).toBeGreaterThan(8);
  expect(messages(console)).toEqual([]);
});

for (const [name, forbid] of [
  ["the browser forbids it", () => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(globalThis, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });
    }
  }],
  ["there is none at all", () => {
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(globalThis, name, { value: null });
  }],
]) {
  test(`${name}: an approval is asked and answered`, async ({ page, chat, user, console }) => {
    await page.addInitScript(forbid);
    await page.goto(`/embedding/?${new URLSearchParams({ "user-id": user })}`);
    await chat.say("approve three");
    await chat.approveAll();
    await chat.submit();
    await expect(chat.lastMessage).toContainText("All three are done");
    expect(messages(console)).toEqual([]);
  });
}

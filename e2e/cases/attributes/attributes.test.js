// Attributes: changes take effect at once, and bad values give the default and one warning.

import { expect, PAGE_ORIGIN, test } from "../../fixtures.js";

const set = (chat, name, value) =>
  chat.element.evaluate((element, [name, value]) => element.setAttribute(name, value), [name, value]);
const background = (chat) =>
  chat.part("composer").evaluate((form) => getComputedStyle(form.closest(".app")).backgroundColor);

test("theme follows the system, and then the attribute", async ({ page, chat }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await chat.inline();
  const light = await background(chat);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await background(chat);
  expect(dark).not.toBe(light);
  await set(chat, "theme", "light");
  expect(await background(chat)).toBe(light);
  await set(chat, "theme", "dark");
  await page.emulateMedia({ colorScheme: "light" });
  expect(await background(chat)).toBe(dark);
});

test("threads puts the list beside the messages, or nowhere", async ({ chat }) => {
  await chat.inline();
  await expect(chat.list).toBeVisible();
  await set(chat, "threads", "hidden");
  await expect(chat.list).toBeHidden();
  await expect(chat.threadsToggle).toBeHidden();
  await set(chat, "threads", "side");
  await expect(chat.list).toBeVisible();
});

test("thread-id opens a conversation, at the start and later; new opens an empty one", async ({ chat, service }) => {
  const hello = await service.converse("hello");
  const help = await service.converse("help");
  await chat.inline({ "thread-id": hello.id });
  await expect(chat.own).toContainText("hello");
  await set(chat, "thread-id", help.id);
  await expect(chat.own).toContainText("help");
  await set(chat, "thread-id", "new");
  await expect(chat.messages).toHaveCount(0);
  await expect(chat.transcript).toContainText("How can I help?");
});

test("heading, placeholder and greeting are texts of the page", async ({ chat }) => {
  await chat.inline({ heading: "Ask us", placeholder: "Your question", greeting: "Welcome <b>back</b>" });
  await expect(chat.role("region", { name: "Ask us", exact: true })).toBeVisible();
  await expect(chat.input).toHaveAttribute("placeholder", "Your question");
  await expect(chat.transcript).toContainText("Welcome <b>back</b>");
  await set(chat, "heading", "Ask them");
  await expect(chat.heading).toHaveText("Ask them");
});

test("another agent or user starts over", async ({ chat, service }) => {
  await chat.inline();
  await chat.ask("hello");
  await set(chat, "agent-id", "travel");
  await expect(chat.messages).toHaveCount(0);
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("I plan trips");
  expect(await service.threads("travel")).toHaveLength(1);
  await set(chat, "user-id", `${chat.user}-other`);
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  await expect(chat.threads).toHaveCount(0);
});

test("without a user id one is made, and kept for the next visit", async ({ page, chat }) => {
  const users = [];
  page.on("request", (request) => {
    const id = request.headers()["x-service-user-id"];
    if (id) users.push(id);
  });
  await chat.inline({ without: "user-id" });
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  await page.reload();
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  expect(users.length).toBeGreaterThanOrEqual(2);
  expect(new Set(users).size).toBe(1);
  expect(users[0].length).toBeGreaterThan(8);
});

test("user-id-header renames the header", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin, "user-id-header": "X-Brand-User" });
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  expect(scripted.requests[0].headers["x-brand-user"]).toBe(chat.user);
  expect(scripted.requests[0].headers["x-service-user-id"]).toBeUndefined();
});

test.describe("warnings and a diagnosis", () => {
  test.use({ expectedConsole: /assent-chat: |Failed to load resource/ });

  for (const mode of ["inline", "launcher"]) {
    test(`a missing agent-id gives a readable diagnosis, ${mode}`, async ({ chat, console: messages }) => {
      if (mode === "inline") await chat.visit("inline", { without: "agent-id" });
      else {
        await chat.launcher();
        await chat.element.evaluate((element) => element.removeAttribute("agent-id"));
        await chat.button("Open chat").click();
      }
      await expect(chat.alert).toContainText("its attribute agent-id is missing");
      expect(messages.filter((text) => text.includes("agent-id"))).toHaveLength(1);
      await set(chat, "agent-id", "demo");
      await expect(chat.input).toBeVisible();
    });
  }

  const BAD = [
    ["mode", "sidebar", "inline, launcher, fullscreen"],
    ["theme", "sepia", "auto, light, dark"],
    ["threads", "left", "auto, side, hidden"],
    ["activity", "loud", "brief, full, off"],
    ["credentials", "always", "same-origin, include, omit"],
    ["storage", "cookie", "local, session, none"],
    ["base-url", "ftp://x.example", "http or https"],
    ["user-id-header", "a b", "name of a header"],
  ];

  test("bad values give the defaults and one warning each", async ({ chat, console: messages }) => {
    // The page's own origin answers where the address is bad: it is no chat service.
    await chat.inline(Object.fromEntries(BAD));
    for (const [name, value, allowed] of BAD) {
      const warnings = messages.filter((text) => text.startsWith("warning:") && text.includes(`"${value}"`));
      expect.soft(warnings, name).toHaveLength(1);
      for (const part of [name, value, allowed]) expect.soft(warnings[0]).toContain(part);
    }
  });

  test("a key in the page gives one warning that does not repeat the key", async ({ chat, console: messages }) => {
    await chat.inline({ "api-key": "secret-of-mine" });
    const warnings = messages.filter((text) => text.includes("api-key"));
    expect(warnings).toHaveLength(1);
    expect(messages.join()).not.toContain("secret-of-mine");
  });
});

test("base-url may have a path and a slash at its end", async ({ page, chat }) => {
  const asked = page.waitForRequest((request) => request.url().includes("/api/"));
  await page.route(`${PAGE_ORIGIN}/proxy/**`, (route) => route.fulfill({ json: [] }));
  await chat.inline({ "base-url": "/proxy/chat/" });
  expect((await asked).url()).toBe(`${PAGE_ORIGIN}/proxy/chat/api/assistants/threads/demo`);
});

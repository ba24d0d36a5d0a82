// The message box is there before the application: what is typed, sent and composed meanwhile is taken over.

import { expect, test } from "../../fixtures.js";
import { alive, hold, selection, visitEarly } from "./held.js";

const stored = (page) => page.evaluate(() => localStorage.length + sessionStorage.length);

for (const mode of ["inline", "launcher", "fullscreen"]) {
  test(`text, selection and focus are taken over, ${mode}`, { tag: "@firefox" }, async ({ page, chat, scripted }) => {
    const arrive = await hold(page);
    await visitEarly(chat, mode, { "base-url": scripted.origin });
    await expect(chat.role("status").filter({ hasText: "Loading…" })).toBeVisible();
    await expect(chat.send).toBeDisabled();
    await expect(chat.input).toHaveAttribute("placeholder", "Write a message…");
    if (mode === "launcher") await expect(chat.input).toBeFocused();
    else await chat.input.click();
    await page.keyboard.type("Hello world");
    for (const _ of "world") await page.keyboard.press("Shift+ArrowLeft");
    const before = await selection(chat);
    expect(before).toEqual([6, 11, "backward"]);
    expect(scripted.requests).toEqual([]);
    expect(await stored(page)).toBe(0);
    arrive();
    await alive(chat);
    await expect(chat.input).toHaveValue("Hello world");
    await expect(chat.input).toBeFocused();
    expect(await selection(chat)).toEqual(before);
    for (const part of ["input", "send", "composer"]) await expect(chat.part(part)).toHaveCount(1);
    await page.keyboard.type("there");
    await expect(chat.input).toHaveValue("Hello there");
    await page.keyboard.press("Enter");
    await expect(chat.lastMessage).toContainText("Fine.");
    expect(scripted.to("post").map(({ body }) => JSON.parse(body).content)).toEqual([[{ type: "text", text: "Hello there" }]]);
  });
}

test("what is to be shown is asked for before the application is drawn", async ({ page, chat, scripted }) => {
  const { id } = scripted.addThread("Stored", [{ id: "m1", role: "assistant", content: "Welcome back.", timestamp: "2026-01-01T00:00:00Z" }]);
  await page.addInitScript(() => {
    const send = globalThis.fetch;
    globalThis.asked = [];
    globalThis.fetch = (request, ...more) => {
      const isDrawn = document.querySelector("assent-chat")?.shadowRoot.querySelector(".app") !== null;
      if (request.url?.endsWith("/messages")) globalThis.asked.push(isDrawn ? "after" : "before");
      return send(request, ...more);
    };
  });
  await chat.visit("inline", { "base-url": scripted.origin, "thread-id": id });
  await expect(chat.lastMessage).toContainText("Welcome back.");
  expect(await page.evaluate(() => globalThis.asked)).toEqual(["before"]);
});

test("what was typed before another user came is not theirs", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  const arrive = await hold(page);
  await visitEarly(chat, "launcher", { "base-url": scripted.origin });
  await page.keyboard.type("Secret of the first one");
  await chat.element.evaluate((element) => element.setAttribute("heading", "Help"));
  await expect(chat.input).toHaveValue("Secret of the first one");
  await chat.element.evaluate((element) => element.setAttribute("user-id", "another"));
  await expect(chat.input).toHaveValue("");
  arrive();
  await alive(chat);
  await expect(chat.input).toHaveValue("");
});

test("an early Enter sends once, when the application is there", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  scripted.hold = true;
  const arrive = await hold(page);
  await visitEarly(chat, "launcher", { "base-url": scripted.origin });
  await page.keyboard.press("Enter");
  await expect(chat.input).toHaveValue("");
  await page.keyboard.type("One");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  await expect(chat.input).toHaveAttribute("aria-busy", "true");
  await expect(chat.input).not.toBeEditable();
  await expect(chat.role("status").filter({ hasText: "Sending…" })).toBeVisible();
  await page.keyboard.press("Enter");
  await page.keyboard.type("x");
  await expect(chat.input).toHaveValue("One\ntwo");
  expect(scripted.requests).toEqual([]);
  expect(await stored(page)).toBe(0);
  arrive();
  expect((await scripted.nextPost()).text).toBe("One\ntwo");
  await expect(chat.own).toHaveCount(1);
  await expect(chat.input).toHaveValue("");
  await expect(chat.input).toBeEditable();
  await expect(chat.input).toBeFocused();
  expect(scripted.to("post")).toHaveLength(1);
});

test("an early Enter does not send a draft that nobody saw", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.input.fill("kept");
  const arrive = await hold(page);
  await page.reload();
  await chat.input.fill("typed");
  await chat.input.press("Enter");
  arrive();
  await alive(chat);
  await expect(chat.own).toHaveText(/typed/);
  await expect(chat.input).toHaveValue("kept");
  const posts = () => scripted.to("post").map(({ body }) => JSON.parse(body).content[0].text);
  await expect.poll(posts).toEqual(["typed"]);
});

test("what cannot be sent now stays in the box", async ({ page, chat, scripted }) => {
  scripted.hold = true;
  const arrive = await hold(page);
  await visitEarly(chat, "inline", { "base-url": scripted.origin });
  await chat.element.evaluate((element) => void element.send("of the page").catch(() => {}));
  await chat.input.fill("of the person");
  await chat.input.press("Enter");
  arrive();
  const post = await scripted.nextPost();
  expect(post.text).toBe("of the page");
  await expect(chat.input).toHaveValue("of the person");
  await expect(chat.input).toBeEditable();
  post.complete("Fine.");
  post.end();
  await expect(chat.stop).toHaveCount(0);
  expect(scripted.to("post")).toHaveLength(1);
});

test("a focus elsewhere stays there, and what was sent is sent", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  scripted.hold = true;
  const link = page.getByRole("link", { name: "a link" });
  let arrive = await hold(page);
  await visitEarly(chat, "launcher", { "base-url": scripted.origin });
  await page.keyboard.type("half");
  await link.focus();
  arrive();
  await alive(chat);
  await expect(chat.input).toHaveValue("half");
  await expect(link).toBeFocused();
  await chat.input.fill("");
  await page.unrouteAll();
  arrive = await hold(page);
  await visitEarly(chat, "launcher", { "base-url": scripted.origin });
  await page.keyboard.type("whole");
  await page.keyboard.press("Enter");
  await link.focus();
  arrive();
  expect((await scripted.nextPost()).text).toBe("whole");
  await expect(chat.own).toHaveCount(1);
  await expect(link).toBeFocused();
});

test("a composition is not cut", async ({ page, chat, scripted }) => {
  scripted.hold = true;
  const arrive = await hold(page);
  await visitEarly(chat, "launcher", { "base-url": scripted.origin });
  const input = await page.context().newCDPSession(page);
  await input.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
  await input.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  arrive();
  await page.evaluate(async () => {
    await Object.values(globalThis[Symbol.for("assent")])[0].loading;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  await expect(chat.part("transcript")).toHaveCount(0);
  await expect(chat.input).toHaveValue("にほん");
  await expect(chat.input).toBeEditable();
  await input.send("Input.insertText", { text: "日本" });
  await input.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter });
  await alive(chat);
  await expect(chat.input).toHaveValue("日本");
  await expect(chat.input).toBeFocused();
  expect(scripted.to("post")).toEqual([]);
  await page.keyboard.press("Enter");
  expect((await scripted.nextPost()).text).toBe("日本");
});

test("other words and another mode keep text, selection and focus", async ({ page, chat, scripted }) => {
  const arrive = await hold(page);
  await visitEarly(chat, "inline", { "base-url": scripted.origin });
  await chat.input.click();
  await page.keyboard.type("Hello");
  await page.keyboard.press("ArrowLeft");
  const set = (work) => chat.element.evaluate(work);
  await set((element) => (element.strings = { message: "Nachricht", placeholder: "Schreiben …", send: "Senden", loading: "Lädt …" }));
  await set((element) => element.setAttribute("heading", "Frag uns"));
  const box = chat.role("textbox", { name: "Nachricht" });
  await expect(box).toHaveAttribute("placeholder", "Schreiben …");
  await expect(chat.button("Senden")).toBeDisabled();
  await expect(chat.heading).toHaveText("Frag uns");
  await expect(chat.part("panel")).toContainText("Lädt …");
  await set((element) => element.setAttribute("mode", "fullscreen"));
  await expect(box).toBeFocused();
  arrive();
  await alive(chat);
  await expect(box).toHaveValue("Hello");
  await expect(box).toBeFocused();
  expect(await box.evaluate(({ selectionStart }) => selectionStart)).toBe(4);
});

test("Escape closes the panel, and the text is there when it is opened again", async ({ page, chat, scripted }) => {
  const arrive = await hold(page);
  await visitEarly(chat, "launcher", { "base-url": scripted.origin });
  await page.keyboard.type("Hello");
  await page.keyboard.press("Escape");
  await expect(chat.part("launcher")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.input).toBeFocused();
  await expect(chat.input).toHaveValue("Hello");
  await page.keyboard.press("Escape");
  arrive();
  await alive(chat);
  await expect(chat.part("launcher")).toBeFocused();
  await chat.part("launcher").click();
  await expect(chat.input).toHaveValue("Hello");
});

test.describe("a download that fails", () => {
  test.use({ expectedConsole: /assent-chat: not loaded|Failed to load resource|ERR_/ });

  for (const sends of [false, true]) {
    test(`the text stays below the failure, and is taken over afterwards${sends ? "; what was sent is asked for again" : ""}`, async ({ page, chat, scripted }) => {
      let fail = () => {};
      const failing = new Promise((resolve) => (fail = resolve));
      await page.route(/\.wasm$/, (route) => failing.then(() => route.abort()));
      await visitEarly(chat, "inline", { "base-url": scripted.origin });
      await chat.input.click();
      await page.keyboard.type("Hello");
      if (sends) await page.keyboard.press("Enter");
      fail();
      await expect(chat.alert).toContainText("The chat didn’t load.");
      await expect(chat.input).toHaveValue("Hello");
      await expect(chat.input).toBeEditable();
      await expect(chat.input).toBeFocused();
      const [alert, box] = [await chat.alert.boundingBox(), await chat.part("composer").boundingBox()];
      expect(box.y).toBeGreaterThanOrEqual(alert.y + alert.height);
      await page.keyboard.type(" again");
      await page.keyboard.press("Enter");
      await expect(chat.input).toHaveValue("Hello again");
      await page.unrouteAll();
      await chat.button("Try again").click();
      await alive(chat);
      await expect(chat.input).toHaveValue("Hello again");
      await expect(chat.input).toBeFocused();
      expect(scripted.to("post")).toEqual([]);
      await page.keyboard.press("Enter");
      await expect(chat.own).toContainText("Hello again");
    });
  }
});

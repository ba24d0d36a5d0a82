// The page's language: its own words from the first moment on, formats, and right to left.

import { expect, test } from "../../fixtures.js";

/** Some words in Arabic, and a form for each plural category that occurs here. */
const ARABIC = {
  openChat: "فتح المحادثة",
  closeChat: "إغلاق المحادثة",
  heading: "المساعد",
  loading: "جارٍ التحميل…",
  placeholder: "اكتب رسالة…",
  message: "رسالة",
  send: "إرسال",
  greeting: "كيف أساعدك؟",
};

const give = (chat, texts) => chat.element.evaluate((element, texts) => void (element.strings = texts), texts);

test("the launcher and the chat say the page's words, and read from the right to the left", async ({ page, chat }) => {
  await chat.launcher();
  const launcher = chat.part("launcher");
  const left = async () => (await launcher.boundingBox()).x < page.viewportSize().width / 2;
  expect(await left()).toBe(false);
  await give(chat, ARABIC);
  await chat.element.evaluate((element) => element.setAttribute("locale", "ar"));
  await expect(launcher).toHaveAccessibleName(ARABIC.openChat);
  expect(await left()).toBe(true);
  await launcher.click();
  await expect(chat.role("dialog", { name: ARABIC.heading })).toBeVisible();
  await expect(launcher).toHaveAccessibleName(ARABIC.closeChat);
  await expect(chat.role("textbox", { name: ARABIC.message })).toHaveAttribute("placeholder", ARABIC.placeholder);
  await expect(chat.part("root")).toHaveAttribute("lang", "ar");
  await expect(chat.part("composer")).toHaveCSS("direction", "rtl");
  // Words of the page that are left out are English.
  await expect(chat.button("Conversations")).toBeVisible();
});

test("the language changes while a text is being written", async ({ chat }) => {
  await chat.inline();
  await chat.input.fill("half a mess");
  await give(chat, { message: "Nachricht", send: "Senden" });
  await chat.element.evaluate((element) => element.setAttribute("locale", "de"));
  const input = chat.role("textbox", { name: "Nachricht" });
  await expect(input).toHaveValue("half a mess");
  await input.press("Enter");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(chat.own).toContainText("half a mess");
  await give(chat, null);
  await chat.element.evaluate((element) => element.removeAttribute("locale"));
  await expect(chat.input).toHaveValue("");
  await expect(chat.own).toContainText("half a mess");
  await expect(chat.part("root")).not.toHaveAttribute("dir", /./);
  await expect(chat.part("root")).not.toHaveAttribute("lang");
});

test.describe("a download that fails", () => {
  test.use({ expectedConsole: /assent-chat: not loaded|Failed to load resource|ERR_/ });

  test("what is said before the chat is there is said in the page's words, also those that came late", async ({ page, chat }) => {
    let fail = () => {};
    const failing = new Promise((resolve) => (fail = resolve));
    await page.route(/\.wasm$/, (route) => failing.then(() => route.abort()));
    await chat.launcher();
    const panel = chat.part("panel");
    await chat.button("Open chat").click();
    await expect(panel).toContainText("Loading…");
    await give(chat, ARABIC);
    await expect(panel).toContainText(ARABIC.loading);
    fail();
    await expect(panel).toContainText("The chat could not be loaded.");
    await give(chat, { notLoaded: "Leider nein.", tryAgain: "Noch einmal" });
    await expect(panel).toContainText("Leider nein.");
    await page.unrouteAll();
    await chat.button("Noch einmal").click();
    await expect(chat.input).toBeVisible();
  });
});

test.describe("bad values", () => {
  test.use({ expectedConsole: /assent-chat: (strings|locale)/ });

  test("values that are none: English, one warning, and the chat goes on", async ({ chat, page }) => {
    const warnings = [];
    page.on("console", (message) => /strings|locale/.test(message.text()) && warnings.push(message.text()));
    await chat.inline();
    await chat.input.waitFor();
    await give(chat, "Senden");
    expect(await chat.element.evaluate((element) => element.strings)).toBe(null);
    await chat.element.evaluate((element) => element.setAttribute("locale", "no language"));
    await give(chat, { sned: "Senden" });
    await expect.poll(() => warnings.length).toBe(3);
    expect(warnings[0]).toContain("strings is not an object of texts");
    expect(warnings[1]).toContain('locale="no language"');
    expect(warnings[2]).toContain('strings has "sned"');
    await expect(chat.send).toHaveAccessibleName("Send");
    await expect(chat.part("root")).not.toHaveAttribute("dir", /./);
  await expect(chat.part("root")).not.toHaveAttribute("lang");
    await chat.ask("hello");
  });
});

test("strings that were set before the element was known are taken", async ({ page, chat }) => {
  await page.addInitScript(() =>
    document.addEventListener("readystatechange", () => {
      const element = document.querySelector("assent-chat");
      // Scripts of modules run later.
      if (!element || document.readyState !== "interactive") return;
      globalThis.early = !customElements.get("assent-chat");
      element.strings = { message: "Nachricht" };
    }),
  );
  await chat.visit("inline");
  await expect(chat.role("textbox", { name: "Nachricht" })).toBeVisible();
  expect(await page.evaluate(() => globalThis.early)).toBe(true);
});

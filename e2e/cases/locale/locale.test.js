// The page's language: its own texts from the first moment on, and right to left.

import { expect, test } from "../../fixtures.js";

/** Some texts in Arabic, and a form for each plural category that occurs here. */
const ARABIC = {
  openChat: "فتح المحادثة",
  closeChat: "إغلاق المحادثة",
  heading: "المساعد",
  loading: "جارٍ التحميل…",
  placeholder: "اكتب رسالة…",
  message: "رسالة",
};

const give = (chat, texts) => chat.element.evaluate((element, texts) => void (element.strings = texts), texts);

test("the launcher and the chat have the page's texts, and read from the right to the left", async ({ page, chat }) => {
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
  // Texts of the page that are left out are English.
  await expect(chat.button("Conversations")).toBeVisible();
});

test.describe("a download that fails", () => {
  test.use({ expectedConsole: /assent-chat: not loaded|Failed to load resource|ERR_/ });

  test("what is said before the chat is there is said in the page's texts, also those that came late", async ({ page, chat }) => {
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
    await expect(panel).toContainText("The chat didn’t load.");
    await give(chat, { notLoaded: "Leider nein.", tryAgain: "Noch einmal" });
    await expect(panel).toContainText("Leider nein.");
    await page.unrouteAll();
    await chat.button("Noch einmal").click();
    await expect(chat.input).toBeVisible();
  });
});

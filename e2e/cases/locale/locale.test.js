// The page's language: its own texts from the first moment on, and right to left.

import { expect, test } from "../../fixtures.js";
import { textsOf } from "../languages/texts.js";

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
  // Texts of the page that are left out are those of the language.
  await expect(chat.button(textsOf("ar").conversations)).toBeVisible();
});

test("an English name that is cut ends with \"…\" where the list is written from the right", async ({ page, chat, service }) => {
  await service.converse("The colour of a lamp that came broken with the last delivery");
  await chat.inline({ dir: "rtl", threads: "side" });
  const thread = chat.list.locator("[part=thread]").first();
  await expect(thread.locator(".thread-name")).toHaveCSS("direction", "ltr");
  // What is drawn in the padding, beside the last line.
  const png = (await thread.screenshot()).toString("base64");
  const isDrawn = await page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (it) => it.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const { width, height } = picture;
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(width - 10, height / 2, 8, height / 2 - 4);
    return data.some((value, at) => at % 4 === 0 && value < 128);
  }, png);
  expect(isDrawn).toBe(true);
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

// The attribute `locale` alone gives the chat the texts of a language.

import { expect, test } from "../../fixtures.js";
import { request, tool } from "../../servers/approvals.js";
import { speak, textsOf, watchFetched } from "./texts.js";

const [ENGLISH, FRENCH, GERMAN, ARABIC, BRAZILIAN] = ["en", "fr", "de", "ar", "pt-BR"].map(textsOf);

/** Holds the texts of languages back; what is returned lets them go. */
async function hold(page) {
  let release = () => {};
  const released = new Promise((resolve) => (release = resolve));
  await page.route(/\/locales\//, (route) => released.then(() => route.continue()));
  return release;
}

/** The message box, in whatever language it is named. */
const box = (chat) => chat.element.locator("textarea[part=input]");

test("the launcher is named in the language of the page before the widget is there, and so is the chat", { tag: "@firefox" }, async ({ page, chat }) => {
  const fetched = watchFetched(page);
  const wasm = [];
  page.on("request", (request) => /_bg-/.test(request.url()) && wasm.push(request.url()));
  await chat.visit("launcher", { locale: "fr" });
  const launcher = chat.part("launcher");
  await expect(launcher).toHaveAccessibleName(FRENCH.openChat);
  expect(wasm).toEqual([]);
  await launcher.click();
  await expect(chat.role("dialog", { name: FRENCH.heading })).toBeVisible();
  await expect(chat.role("heading", { name: FRENCH.greeting })).toBeVisible();
  await expect(chat.role("button", { name: FRENCH.conversations, exact: true })).toBeVisible();
  await expect(chat.part("root")).toHaveAttribute("lang", "fr");
  expect(fetched).toEqual(["module", "fr"]);
});

test("two chats of one language fetch it once", async ({ page, chat }) => {
  const fetched = watchFetched(page);
  await chat.visit("launcher", { locale: "fr" });
  await page.evaluate(() => {
    const other = document.querySelector("assent-chat").cloneNode();
    other.id = "second";
    other.setAttribute("locale", "fr-CA");
    document.body.append(other);
  });
  for (const id of [":not(#second)", "#second"]) {
    await expect(page.locator(`assent-chat${id} [part=launcher]`)).toHaveAccessibleName(FRENCH.openChat);
  }
  expect(fetched).toEqual(["module", "fr"]);
});

test("until the language is there the chat is English, and what was typed stays with its focus", { tag: "@firefox" }, async ({ page, chat }) => {
  const release = await hold(page);
  await chat.visit("inline", { locale: "fr" });
  await expect(chat.role("heading", { name: ENGLISH.greeting })).toBeVisible();
  await chat.input.fill("Bonjour");
  await chat.input.press("ArrowLeft");
  release();
  await expect(chat.role("heading", { name: FRENCH.greeting })).toBeVisible();
  await expect(box(chat)).toHaveValue("Bonjour");
  await expect(box(chat)).toBeFocused();
  await page.keyboard.type("-");
  await expect(box(chat)).toHaveValue("Bonjou-r");
});

test.describe("a download that fails", () => {
  test.use({ expectedConsole: /texts are English instead of "fr"|Failed to load resource|ERR_/ });

  test("leaves English; a later change, or the network that is back, brings the language", async ({ page, chat }) => {
    await page.route(/\/locales\/fr-/, (route) => route.abort());
    const failed = page.waitForEvent("console", (message) => /texts are English/.test(message.text()));
    await chat.visit("inline", { locale: "fr" });
    await failed;
    await expect(chat.role("heading", { name: ENGLISH.greeting })).toBeVisible();
    await speak(chat, "de");
    await expect(chat.role("heading", { name: GERMAN.greeting })).toBeVisible();
    await page.unrouteAll();
    await speak(chat, "fr");
    await expect(chat.role("heading", { name: FRENCH.greeting })).toBeVisible();
  });

  test("is tried again when the network is back", async ({ page, chat }) => {
    await page.route(/assent_languages/, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed");
    await chat.launcher({ locale: "fr" });
    await failed;
    await page.unrouteAll();
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(chat.part("launcher")).toHaveAccessibleName(FRENCH.openChat);
  });
});

test("texts of the page win, key by key", async ({ chat }) => {
  await chat.visit("inline", { locale: "fr" });
  const give = (texts) => chat.element.evaluate((element, texts) => void (element.strings = texts), texts);
  await give({ greeting: "Salut !" });
  await expect(chat.role("heading", { name: "Salut !" })).toBeVisible();
  await expect(chat.element.locator(".greeting-hint")).toContainText(FRENCH.greetingHint);
  expect(await chat.element.evaluate((element) => element.strings)).toEqual({ greeting: "Salut !" });
  await give(null);
  await expect(chat.role("heading", { name: FRENCH.greeting })).toBeVisible();
});

test("a region without texts has those of its language, and a language without texts is English without a request", async ({ page, chat }) => {
  const fetched = watchFetched(page);
  await chat.visit("inline", { locale: "PT-pt" });
  await expect(chat.role("heading", { name: BRAZILIAN.greeting })).toBeVisible();
  await speak(chat, "sv");
  await expect(chat.role("heading", { name: ENGLISH.greeting })).toBeVisible();
  await expect(chat.part("root")).toHaveAttribute("lang", "sv");
  expect(fetched).toEqual(["module", "pt-BR"]);
});

test("a change while it runs turns the direction", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await chat.visit("inline", { locale: "de", "base-url": scripted.origin });
  await expect(chat.role("heading", { name: GERMAN.greeting })).toBeVisible();
  await expect(chat.part("composer")).toHaveCSS("direction", "ltr");
  await speak(chat, "ar");
  await expect(chat.role("heading", { name: ARABIC.greeting })).toBeVisible();
  await expect(chat.part("composer")).toHaveCSS("direction", "rtl");
  await expect(chat.role("button", { name: ARABIC.conversations, exact: true })).toBeVisible();
});

for (const settings of [{}, { locale: "en" }, { locale: "en-GB" }, { locale: "EN-us", lang: "fr" }, { lang: "fr" }]) {
  test(`nothing is fetched for English: ${JSON.stringify(settings)}`, async ({ page, chat }) => {
    const fetched = watchFetched(page);
    await chat.inline(settings);
    await chat.ask("hello");
    await chat.loaded();
    expect(fetched).toEqual([]);
  });
}

test("scripts have their names in the language, where the browser knows them, and a note begins where it is read from", async ({ chat, scripted }) => {
  const post = await chat.streaming(scripted, "Do it");
  request(post, tool("b", "one", { toolArguments: { to: "p\u0430y" } }));
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  const mark = chat.element.locator(".argument-value .alike");
  await expect(mark).toHaveAttribute("title", "Cyrillic letters");
  for (const [locale, script, direction] of [["de", "Kyrillisch", "ltr"], ["ar", "السيريلية", "rtl"]]) {
    await speak(chat, locale);
    await expect(mark).toHaveAttribute("title", textsOf(locale)["request.lettersOf"].replace("{script}", script));
    await expect(mark.locator(".alike-script")).toHaveText(script);
    await expect(chat.element.locator(".argument-note")).toHaveCSS("direction", direction);
  }
});

test("a text that comes with the language is checked by no page: nothing is said on the console", async ({ chat, console }) => {
  await chat.visit("inline", { locale: "zh-TW" });
  await expect(chat.role("heading", { name: textsOf("zh-Hant").greeting })).toBeVisible();
  expect(console.filter((text) => /strings has/.test(text))).toEqual([]);
});

// In longer languages, and from right to left, nothing is cut off and nothing stands out: on a small phone, on a wide page,
// and with letters of twice the size.

import { expect, test } from "../../fixtures.js";
import { request, tool } from "../../servers/approvals.js";
import { setFontSize } from "../../servers/browser.js";
import { APPROVALS } from "../../shots/approvals.mjs";
import { STATES } from "../../shots/states.mjs";
import { inLanguage, pseudo, textsOf } from "./texts.js";

const ENGLISH = Object.entries(textsOf("en"));

/** The text that a language has for an English one. */
const say = (texts, english, values = {}) => {
  const [key] = ENGLISH.find(([, text]) => text === english) ?? [];
  return Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), texts[key]);
};

/** Presses a button that has this name in English. What has just appeared under the pointer counts for nothing. */
const press = (chat, texts, english, seen, values) =>
  expect(async () => {
    if (!(await seen.isVisible())) await chat.role("button", { name: say(texts, english, values), exact: true }).first().click({ timeout: 2000 });
    await expect(seen).toBeVisible({ timeout: 500 });
  }).toPass();

const more = async ({ chat }, texts) => press(chat, texts, "More", chat.role("menu"));

const REACH = { ...STATES, ...APPROVALS };

/** Screens: how each is reached in English, and what a change of the language closes. */
const SCREENS = {
  start: [REACH.suggestions],
  menu: [REACH["inline-empty"], more],
  list: [REACH.threads, async ({ chat }, texts) => {
    const name = "Delivery to the islands";
    await press(chat, texts, "Conversations", chat.element.locator("[part~=thread]").first());
    await press(chat, texts, "Actions for {name}", chat.role("menu"), { name });
  }],
  confirmation: [REACH["inline-empty"], async (stage, texts) => {
    await more(stage, texts);
    await stage.chat.role("menuitem", { name: say(texts, "Clear data on this device…") }).click();
    await expect(stage.chat.role("alertdialog")).toBeVisible();
  }],
  activity: [REACH["activity-expanded"], async ({ chat }) => {
    await chat.element.locator(".activity button").first().click();
    await expect(chat.element.locator(".steps")).toBeVisible();
  }],
  approval: [REACH["approval-decided"]],
  deceptive: [REACH["approval-deceptive"]],
  note: [REACH["approval-feedback"]],
  grant: [async ({ chat, scripted, here }) => {
    const post = await chat.streaming(scripted, "Do it", here);
    request(post, tool("b", "one", { toolArguments: { path: "notes", body: "Hello" }, grantScopes: ["thread", "agent"], grantMaxSeconds: 604_800 }));
    await expect(chat.approval).toHaveAttribute("data-state", "pending");
  }, ({ chat }, texts) => press(chat, texts, "Approve and don't ask again", chat.role("button", { name: texts["extra.approveAndAllow"] }))],
  failure: [REACH["error-message"]],
  "failed agent": [REACH["error-agent"]],
  "not loaded": [REACH["launcher-not-loaded"]],
  files: [REACH.files],
};

/** What a person would miss: texts that are cut or stand out of their boxes, and boxes out of the window. */
const defects = (chat) =>
  chat.element.evaluate((element) => {
    const found = new Set();
    const name = (it) => `${it.localName}.${it.className} "${it.textContent.trim().slice(0, 40)}"`;
    const isSeen = (it) => it.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !it.closest(".visually-hidden, .waiting, [inert], svg");
    const scrolls = (it) => it && (/auto|scroll/.test(getComputedStyle(it).overflowX) && it.scrollWidth > it.clientWidth && !it.matches("[part~=transcript]") || scrolls(it.parentElement));
    // Names that people and agents gave are cut with an ellipsis.
    const isName = (it) => it.closest(".thread-name, .subtitle, .file-name, .answer, .arguments dd, [translate=no], h2");
    for (const it of element.shadowRoot.querySelectorAll("*")) {
      if (!isSeen(it) || isName(it) || scrolls(it)) continue;
      const { left, right, width } = it.getBoundingClientRect();
      if (width <= 1) continue;
      if (right > innerWidth + 0.5 || left < -0.5) found.add(`out of the window: ${name(it)} ${left} to ${right}`);
      const hasText = it.matches("button, label, h2, h3, h4, p, legend, summary, dt, [role=menuitem], [role=status], [role=alert]");
      if (!hasText || getComputedStyle(it).display === "inline") continue;
      if (it.scrollWidth > it.clientWidth + 1) found.add(`too wide: ${name(it)} ${it.scrollWidth} in ${it.clientWidth}`);
      const { overflowY } = getComputedStyle(it);
      if (/hidden|clip/.test(overflowY) && it.scrollHeight > it.clientHeight + 1) found.add(`too high: ${name(it)} ${it.scrollHeight} in ${it.clientHeight}`);
    }
    for (const it of element.shadowRoot.querySelectorAll("[part~=transcript], .app, .approvals")) {
      if (it.scrollWidth > it.clientWidth) found.add(`scrolls sideways: ${it.className} ${it.scrollWidth} in ${it.clientWidth}`);
    }
    return [...found];
  });

const LANGUAGES = { "longer English": ["fr", pseudo], German: ["de", () => textsOf("de")], Arabic: ["ar", () => textsOf("ar")] };
/** The size of letters in the settings of the browser, and the windows that are looked at with it. */
const LETTERS = { 16: [{ width: 320, height: 640 }, { width: 1200, height: 800 }], 32: [{ width: 640, height: 900 }] };

test.use({ expectedConsole: /Failed to load resource|not loaded|ERR_/ });
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: "reduce" }));

for (const [letters, windows] of Object.entries(LETTERS)) {
  for (const [screen, [reach, open = async () => {}]] of Object.entries(SCREENS)) {
    test(`in a longer language and from right to left nothing is cut off or stands out: ${screen}, letters of ${letters} px`, async ({ page, chat, scripted }) => {
      const stage = { page, chat, scripted, here: { "base-url": scripted.origin } };
      await setFontSize(page, Number(letters));
      await reach(stage);
      for (const [language, [tag, texts]] of Object.entries(LANGUAGES)) {
        const own = await inLanguage(chat, tag, texts());
        await open(stage, own);
        for (const size of windows) {
          await page.setViewportSize(size);
          expect.soft(await defects(chat), `${language}, ${size.width} px`).toEqual([]);
        }
      }
    });
  }
}

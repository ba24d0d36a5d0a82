// The moment of the hand-over: between any two tasks of the page a key may come, and none is lost.

import { expect, test } from "../../fixtures.js";
import { alive, hold, visitEarly } from "./held.js";

const LETTERS = 80;

/** Types letters into whatever has the focus, one in each task, timer and frame after the application came; returns them. */
const type = (chat) =>
  chat.element.evaluate((element, count) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const { port1, port2 } = new MessageChannel();
    let typed = "";
    const step = (again) => {
      if (root.querySelector(".app") && typed.length < count) {
        const letter = String.fromCharCode(97 + (typed.length % 26));
        typed += letter;
        document.execCommand("insertText", false, letter);
      }
      if (typed.length < count) again(() => step(again));
    };
    const task = (act) => {
      port1.onmessage = act;
      port2.postMessage(null);
    };
    for (const again of [task, setTimeout, requestAnimationFrame]) again(() => step(again));
    return new Promise((resolve) => {
      const look = () => (typed.length < count ? setTimeout(look) : resolve(typed));
      look();
    });
  }, LETTERS);

for (const threads of ["auto", "side"]) {
  for (const [draft, early] of [["", ""], ["", "early "], ["kept", ""], ["kept", "early "]]) {
    test(`no key is lost, threads ${threads}, ${draft || "no"} draft, ${early || "nothing "}typed`, { tag: threads === "side" ? "@long" : [] }, async ({ page, chat, scripted }) => {
      const settings = { "base-url": scripted.origin, threads };
      await chat.inline(settings);
      await chat.input.fill(draft);
      const arrive = await hold(page);
      await visitEarly(chat, "inline", settings);
      await chat.input.click();
      await page.keyboard.type(early);
      const typing = type(chat);
      arrive();
      const typed = await typing;
      await alive(chat);
      await expect(chat.input).toHaveValue(`${draft}${draft && early && "\n"}${early}${typed}`);
      await expect(chat.input).toBeFocused();
    });
  }
}

test("real keys are not lost", async ({ page, chat, scripted }) => {
  const arrive = await hold(page);
  await visitEarly(chat, "launcher", { "base-url": scripted.origin });
  const text = "The quick brown fox jumps over the lazy dog. ".repeat(8);
  const typing = page.keyboard.type(text);
  arrive();
  await typing;
  await alive(chat);
  await expect(chat.input).toHaveValue(text);
});

test("a click on the launcher while the first requests are sent leads into the box", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await page.addInitScript(() => {
    const send = globalThis.fetch;
    globalThis.fetch = (request, ...more) => {
      const element = document.querySelector("assent-chat");
      const root = element?.shadowRoot;
      if (request instanceof Request && !globalThis.opened) {
        globalThis.opened = { phase: element.state.phase, isDrawn: root.querySelector(".app") !== null };
        root.querySelector("[part=launcher]").click();
      }
      return send(request, ...more);
    };
  });
  await chat.launcher({ "base-url": scripted.origin });
  await chat.element.evaluate((element) => element.newThread());
  expect(await page.evaluate(() => globalThis.opened)).toEqual({ phase: "ready", isDrawn: false });
  await expect(chat.input).toBeFocused();
});

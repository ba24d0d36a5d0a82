// A file of dist/ that is missing for a while: the person sees a sentence, and "Try again" works as soon as it is there.

import { expect, test } from "../embedding/site.js";

const SENTENCE = "The chat didn’t load. Check your connection and try again.";

test.use({ expectedConsole: /assent-chat: not loaded\.|Failed to load resource/ });

/** A site on which the files of this pattern are missing until `there` is set. */
function without(pattern) {
  const site = { there: false, asked: 0 };
  site.instead = (path, response) => {
    if (!pattern.test(path)) return false;
    site.asked += 1;
    if (!site.there) response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
    return !site.there;
  };
  return site;
}

for (const [file, pattern] of [["the WebAssembly file", /assent_widget_bg.*\.wasm$/], ["its JavaScript", /assent_widget-.*\.js$/]]) {
  for (const [name, path] of [["inline", ""], ["launcher", "launcher.html"]]) {
    // Once in the other engine is enough.
    const tag = file.includes("WebAssembly") && name === "launcher" ? "@firefox" : [];
    test(`without ${file} there is a second try, ${name}`, { tag }, async ({ page, chat, scripted, serve, visit, console: messages }) => {
      const missing = without(pattern);
      await page.addInitScript(() => {
        globalThis.errors = [];
        document.addEventListener("assent:error", ({ detail }) => globalThis.errors.push(detail));
      });
      await visit(`${await serve(import.meta.url, missing)}/${path}`);
      if (name === "launcher") await chat.button("Open chat").click();
      await expect(chat.alert).toContainText(SENTENCE);
      expect(await chat.alert.innerText()).not.toMatch(/404|wasm|TypeError/i);
      expect(await page.evaluate(() => globalThis.errors)).toEqual([{ code: "not-loaded", message: SENTENCE, recoverable: true }]);
      expect(await chat.element.evaluate((element) => element.state.phase)).toBe("failed");
      expect(await chat.element.evaluate((element) => element.newThread().catch(({ code }) => code))).toBe("unavailable");
      // The developer reads the cause first, and then what else it could be.
      expect(messages.find((text) => text.includes("assent-chat: not loaded."))).toMatch(/not loaded\. \S*Error: .*assent_widget.*Content-Security-Policy/s);
      // Still missing: asked for again, and said again.
      const asked = missing.asked;
      await chat.button("Try again").click();
      await expect.poll(() => missing.asked).toBeGreaterThan(asked);
      await expect(chat.alert).toContainText(SENTENCE);
      expect(scripted.requests).toEqual([]);
      missing.there = true;
      await chat.button("Try again").click();
      await expect(chat.input).toBeFocused();
      await chat.ask("hello");
      await expect(chat.lastMessage).toContainText("Fine.");
    });
  }
}

// Chats that come from somewhere else than markup: `createElement`, `cloneNode`, a template, `innerHTML`, and before they are defined.

import { expect, test } from "../embedding/site.js";

/** Each makes the element from those of the page, inside of it. */
const WAYS = {
  createElement: (markup) => {
    const chat = document.createElement("assent-chat");
    for (const { name, value } of markup.attributes) chat.setAttribute(name, value);
    return chat;
  },
  "the constructor": (markup) => {
    const chat = new (customElements.get("assent-chat"))();
    for (const { name, value } of markup.attributes) chat.setAttribute(name, value);
    return chat;
  },
  importNode: (markup) => document.importNode(markup, true),
  innerHTML: (markup) => {
    const box = document.createElement("div");
    box.innerHTML = markup.outerHTML;
    return box.firstElementChild;
  },
};

for (const [name, make] of Object.entries(WAYS)) {
  test(`${name}`, async ({ page, chat, serve, visit }) => {
    await visit(`${await serve(import.meta.url)}/`);
    await page.evaluate(`document.querySelector("main").append((${make})(document.querySelector("template").content.firstElementChild))`);
    await chat.ask("hello");
  });
}

test("cloneNode of a running chat makes a second one that starts by itself", async ({ page, chat, scripted, serve, visit }) => {
  await visit(`${await serve(import.meta.url)}/`);
  await page.evaluate(() => document.querySelector("main").append(document.importNode(document.querySelector("template").content, true)));
  await chat.ask("hello");
  await chat.input.fill("of the first");
  const cloned = await page.evaluate(async () => {
    const first = document.querySelector("assent-chat");
    const second = first.cloneNode(true);
    first.replaceWith(second);
    await second.ready;
    return first !== second && second.shadowRoot !== first.shadowRoot;
  });
  expect(cloned).toBe(true);
  await expect(chat.transcript).toContainText("Fine.");
  // The draft is the conversation's, whoever shows it.
  await expect(chat.input).toHaveValue("of the first");
  await chat.ask("hello again");
  expect(scripted.to("create")).toHaveLength(1);
});

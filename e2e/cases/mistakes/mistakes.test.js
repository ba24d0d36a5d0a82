// Mistakes that a page's developer makes: the console says what to do about each, and what the page was taken for.

import { PAGE_ORIGIN } from "../../fixtures.js";
import { expect, test } from "../embedding/site.js";

test.use({ expectedConsole: /assent-chat: |Failed to load resource|blocked by CORS policy|Cross-Origin Request Blocked/ });

/** Waits until the widget has said this on the console, and returns the sentence. */
async function said(messages, pattern) {
  await expect.poll(() => messages.filter((text) => text.includes("assent-chat: ")).join("\n")).toMatch(pattern);
  return messages.find((text) => pattern.test(text));
}

test.describe("of the service's address", () => {
  const threads = "/api/assistants/threads/demo";

  test("a service that does not allow the page: the option that does", async ({ chat, scripted, console: messages }) => {
    scripted.cors = false;
    await chat.inline({ "base-url": scripted.origin });
    const sentence = await said(messages, /--allow-origin/);
    expect(sentence).toContain(`assent-chat: ${scripted.origin}${threads}: it does not allow pages of ${PAGE_ORIGIN}. Start the service with --allow-origin ${PAGE_ORIGIN}`);
  });

  test("no answer: the address that was asked", async ({ chat, scripted, console: messages }) => {
    await scripted.refuse();
    await chat.inline({ "base-url": scripted.origin });
    await said(messages, new RegExp(`assent-chat: ${scripted.origin}${threads}: there is no answer`));
  });

  test("a redirect: the address has to be the other one", async ({ chat, scripted, console: messages }) => {
    scripted.on.list = (_, response) => response.writeHead(301, { location: "/elsewhere" }).end();
    await chat.inline({ "base-url": scripted.origin });
    await said(messages, /: it redirects\. base-url has to name the address that it leads to/);
  });

  for (const [name, settings] of [["none", { without: "base-url" }], ["one without http://", { "base-url": "chat.example" }]]) {
    test(`${name}, so that another server answers: what it was taken for`, async ({ chat, console: messages }) => {
      await chat.inline(settings);
      const taken = new RegExp(`assent-chat: \\S+${threads}: status 404, without a word of the service\\. Is it there\\? base-url is taken for ${PAGE_ORIGIN}`);
      await said(messages, taken);
    });
  }

  test("a key that is not the service's: its own words", async ({ chat, console: messages }) => {
    await chat.inline({ "api-key": "another" });
    await said(messages, /assent-chat: \S+: status 401: \S/);
  });

  test("an agent that is not there: its own words; and nothing more once all is right", async ({ chat, console: messages }) => {
    await chat.inline({ "agent-id": "dmo" });
    await said(messages, /assent-chat: \S+\/threads\/dmo: status 404: This agent does not exist\./);
    await chat.element.evaluate((element) => element.setAttribute("agent-id", "demo"));
    await chat.ask("hello");
    const count = messages.length;
    await chat.element.evaluate((element) => element.openThread("none").catch(() => {}));
    expect(messages.slice(count).filter((text) => text.includes("assent-chat: http"))).toEqual([]);
  });
});

test.describe("of script tags", () => {
  /** Adds script tags of the loader with these attributes to a page that has none of them. */
  const tags = (page, ...all) =>
    page.evaluate((all) => {
      for (const attributes of all) {
        const tag = document.createElement("script");
        // In the order of the page, as tags that its HTML has.
        tag.async = false;
        for (const name in attributes) tag.setAttribute(name, attributes[name]);
        document.head.append(tag);
      }
    }, all.map((attributes, at) => ({ type: "module", src: `/dist/assent.js?${at}`, ...attributes })));

  test("no agent: a sentence, and no launcher", async ({ page, chat, scripted, serve, visit, console: messages }) => {
    await visit(`${await serve(import.meta.url)}/empty.html`);
    await tags(page, { "data-base-url": scripted.origin });
    await said(messages, /no launcher without data-agent-id/);
    await expect(chat.element).toHaveCount(0);
  });

  test("attributes without data-: how they are written", async ({ page, chat, serve, visit, console: messages }) => {
    await visit(`${await serve(import.meta.url)}/empty.html`);
    await tags(page, { "agent-id": "demo" });
    await said(messages, /agent-id on a script tag is data-agent-id/);
    await expect(chat.element).toHaveCount(0);
  });

  for (const place of ["last", "first"])
    test(`two launchers in one place, a third one with a name of its own ${place}: the first one, and how both can be there`, async ({ page, chat, user, scripted, serve, visit, console: messages }) => {
      await visit(`${await serve(import.meta.url)}/empty.html`);
      const [demo, travel, tiny] = ["demo", "travel", "tiny"].map((agent) => ({ "data-agent-id": agent, "data-base-url": scripted.origin, "data-user-id": user }));
      const third = { ...tiny, "data-class": "third" };
      await tags(page, ...(place === "last" ? [demo, travel, third] : [third, demo, travel]));
      await said(messages, /one launcher is there; another one, which would lie over it, needs data-id or data-class/);
      await expect(chat.element).toHaveCount(2);
      expect(await chat.element.evaluateAll((all) => all.map((it) => it.getAttribute("agent-id")).sort())).toEqual(["demo", "tiny"]);
      await page.addStyleTag({ content: ".third::part(launcher) { inset-inline-end: 100px; }" });
      for (const element of await chat.element.all()) {
        const button = element.getByRole("button", { name: /^(Open|Close) chat/ });
        await button.click();
        await expect(element.getByRole("dialog")).toBeVisible();
        await button.click();
      }
    });
});

test("of arguments: which one, and its rule", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  const item = /item 1 has to be \{type: "text", text\}/;
  for (const [name, values, rule] of [
    ["send", [""], /send: the message has no file, and no text that is not blank/],
    ["send", [[]], /send: the message has no file/],
    ["send", [], /send: the message has to be a text, or an array of items/],
    ["send", [42], /send: the message has to be a text/],
    ["send", [[{ type: "text" }]], item],
    ["send", [["hello"]], item],
    ["send", [[{ type: "text", text: "a" }, { type: "image", fileId: "f" }]], /item 2 has to be/],
    ["openThread", [""], /openThread: the conversation's id has to be a text that is not blank/],
    ["openThread", [7], /openThread: the conversation's id/],
    ["renameThread", ["t", " "], /renameThread: the name has to be a text that is not blank/],
    ["renameThread", [undefined, "a"], /renameThread: the conversation's id/],
    ["deleteThread", [], /deleteThread: the conversation's id/],
  ]) {
    const call = (element, [name, values]) => element[name](...values).then(() => ({}), ({ code, message, recoverable }) => ({ code, message, recoverable }));
    const { message, ...rest } = await chat.element.evaluate(call, [name, values]);
    expect(message, JSON.stringify([name, values])).toMatch(rule);
    expect(rest).toEqual({ code: "invalid", recoverable: false });
  }
  expect(scripted.to("post")).toEqual([]);
});

test("of functions that give access: their own errors", async ({ page, chat, scripted, console: messages }) => {
  await chat.visit("inline", { "base-url": scripted.origin, without: "api-key" });
  const give = (name, text) =>
    chat.element.evaluate((element, [name, text]) => {
      element[name] = () => { throw new Error(text); };
    }, [name, text]);
  await give("tokenProvider", "the session has ended");
  await chat.say("hello");
  await said(messages, /tokenProvider failed: Error: the session has ended/);
  await chat.element.evaluate((element) => (element.tokenProvider = null));
  await give("requestHeaders", "no tenant yet");
  await chat.button("Try again").last().click();
  await said(messages, /requestHeaders failed: Error: no tenant yet/);
  await page.evaluate(() => document.querySelector("assent-chat").remove());
});

test("a message that is sent right after a change of the agent goes to the new one, and follows `ready`", async ({ page, chat, service }) => {
  await chat.inline();
  await chat.ask("hello");
  await page.evaluate(() => {
    globalThis.order = [];
    for (const type of ["ready", "before-send"]) document.addEventListener(`assent:${type}`, () => globalThis.order.push(type));
  });
  await chat.element.evaluate((element) => {
    element.setAttribute("agent-id", "travel");
    return element.send("to the new agent");
  });
  expect(await page.evaluate(() => globalThis.order)).toEqual(["ready", "before-send"]);
  expect(await service.threads("demo")).toHaveLength(1);
  const [thread] = await service.threads("travel");
  expect((await service.messages(thread.id))[0].content).toContain("to the new agent");
});

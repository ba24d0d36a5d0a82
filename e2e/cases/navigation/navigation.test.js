// Pages that are drawn anew without being loaded: by Turbo, htmx, idiomorph and React, as they are published.
// Their bodies lose what they did not draw, and no module runs a second time.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, test } from "../embedding/site.js";
import { buildSync } from "../../../web/node_modules/esbuild/lib/main.js";

const published = createRequire(import.meta.url);
const file = (name) => readFileSync(published.resolve(name), "utf8");
const LIBRARIES = {
  "turbo.js": () => file("@hotwired/turbo/dist/turbo.es2017-umd.js"),
  "htmx.js": () => file("htmx.org/dist/htmx.js"),
  "idiomorph.js": () => file("idiomorph/dist/idiomorph.js"),
  "react.js": () => {
    const resolveDir = fileURLToPath(new URL("./", import.meta.url));
    const contents = 'export { createElement } from "react"; export { hydrateRoot } from "react-dom/client";';
    const built = buildSync({ stdin: { contents, resolveDir }, bundle: true, write: false, format: "iife", globalName: "react", define: { "process.env.NODE_ENV": '"production"' } });
    return built.outputFiles[0].text;
  },
};

/** A site of three pages, `/one`, `/two` and `/bare`, the last one without the tag; returns its origin. */
async function site(serve, { user, scripted }, { library, place = "body", body = "" }) {
  const tag = `<script type="module" src="/dist/assent.js" data-agent-id="demo" data-base-url="${scripted.origin}" data-user-id="${user}"></script>`;
  const html = (path) => {
    const is = (where) => (place === where && path !== "/bare" ? tag : "");
    const links = ["one", "two", "bare"].map((name) => `<a href="/${name}">${name}</a>`).join(" ");
    return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${path}</title><script src="/${library}"></script>${is("head")}</head><body ${body}><h1>Page ${path}</h1><p>${links}</p>${is("body")}</body></html>`;
  };
  const instead = (path, response) => {
    const script = LIBRARIES[path.slice(1)];
    if (script) response.writeHead(200, { "content-type": "text/javascript" }).end(script());
    else if (["/one", "/two", "/bare"].includes(path)) response.writeHead(200, { "content-type": "text/html" }).end(html(path));
    return response.writableEnded;
  };
  return serve(import.meta.url, { instead });
}

const heading = (page, path) => expect(page.getByRole("heading", { level: 1 })).toHaveText(`Page ${path}`);

/** Opens the chat, types, and has an answer begun. */
async function begin(chat, scripted) {
  await chat.button("Open chat").click();
  const post = await chat.post(scripted, "Tell me");
  post.say("Before, ");
  await expect(chat.lastMessage).toContainText("Before,");
  await chat.input.fill("typed meanwhile");
  return post;
}

/** The open panel went along with its draft and its answer, which was asked for once. */
async function goesOn(chat, scripted, post) {
  await expect(chat.element).toHaveCount(1);
  post.say("and after.");
  await expect(chat.lastMessage).toContainText("Before, and after.");
  await expect(chat.input).toHaveValue("typed meanwhile");
  post.complete("Before, and after.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  expect(scripted.to("post")).toHaveLength(1);
}

for (const [name, options] of [
  ["Turbo, its tag in the head", { library: "turbo.js", place: "head" }],
  ["Turbo, its tag in the body", { library: "turbo.js" }],
  ["htmx, its tag in the head", { library: "htmx.js", place: "head", body: 'hx-boost="true"' }],
  ["htmx, its tag in the body", { library: "htmx.js", body: 'hx-boost="true"' }],
]) {
  test(`${name}: one launcher on each page that has the tag, and the chat goes on`, { tag: "@firefox" }, async ({ page, chat, user, scripted, serve }) => {
    const inHead = options.place === "head";
    await page.goto(`${await site(serve, { user, scripted }, options)}/one`);
    const post = await begin(chat, scripted);
    await page.getByRole("link", { name: "two" }).click();
    await heading(page, "/two");
    await goesOn(chat, scripted, post);
    await page.goBack();
    await heading(page, "/one");
    await expect(chat.element).toHaveCount(1);
    await expect(chat.input).toHaveValue("typed meanwhile");
    await page.getByRole("link", { name: "bare" }).click();
    await heading(page, "/bare");
    // Neither takes a script out of the head: the tag is still there.
    await expect(chat.element).toHaveCount(inHead ? 1 : 0);
    await page.getByRole("link", { name: "one" }).click();
    await heading(page, "/one");
    await expect(chat.element).toHaveCount(1);
    await expect(chat.part("launcher")).toBeVisible();
  });
}

test("React that draws the document anew: the chat goes on", { tag: "@firefox" }, async ({ page, chat, user, scripted, serve }) => {
  await page.goto(`${await site(serve, { user, scripted }, { library: "react.js", place: "head" })}/one`);
  const post = await begin(chat, scripted);
  await page.evaluate(() => {
    const { createElement: el, hydrateRoot } = globalThis.react;
    const tag = document.querySelector("script[type=module]").cloneNode();
    const attributes = Object.fromEntries(tag.getAttributeNames().map((name) => [name, tag.getAttribute(name)]));
    // Other words than the server's: React throws the body away and draws its own.
    const body = el("body", {}, el("h1", {}, "Page of React"));
    const page = el("html", { lang: "en" }, el("head", {}, el("title", {}, "React"), el("script", attributes)), body);
    hydrateRoot(document, page, { onRecoverableError: () => {} });
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page of React");
  await goesOn(chat, scripted, post);
});

test("idiomorph: the launcher stays where the new page has none, and an element is only given other attributes", async ({ page, chat, user, scripted, serve }) => {
  await page.goto(`${await site(serve, { user, scripted }, { library: "idiomorph.js", place: "head" })}/one`);
  const post = await begin(chat, scripted);
  await page.evaluate(() => globalThis.Idiomorph.morph(document.body, "<body><h1>Page of morphing</h1></body>"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page of morphing");
  await goesOn(chat, scripted, post);
  await page.evaluate(() => {
    const chat = document.querySelector("assent-chat"), other = /** @type {Element} */ (chat.cloneNode());
    other.setAttribute("heading", "Help");
    globalThis.Idiomorph.morph(chat, other.outerHTML);
  });
  await expect(chat.heading).toHaveText("Help");
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.input).toHaveValue("typed meanwhile");
});

test("what the page takes away by remove() stays away, and comes back when it is put there again", async ({ page, chat, user, scripted, serve }) => {
  await page.goto(`${await site(serve, { user, scripted }, { library: "htmx.js" })}/one`);
  await expect(chat.element).toHaveCount(1);
  await page.evaluate(() => (globalThis.kept = document.querySelector("assent-chat")).remove());
  await page.evaluate(() => document.body.append(document.createElement("p")));
  await expect(chat.element).toHaveCount(0);
  await page.evaluate(() => document.body.append(globalThis.kept));
  await page.evaluate(() => (document.body.innerHTML = "<h1>Drawn anew</h1>"));
  await expect(chat.element).toHaveCount(1);
});

test("whoever goes through pages quickly keeps the launcher", async ({ page, chat, user, scripted, serve }) => {
  await page.goto(`${await site(serve, { user, scripted }, { library: "htmx.js", place: "head" })}/one`);
  await expect(chat.element).toHaveCount(1);
  await page.evaluate(async () => {
    for (let at = 0; at < 20; at++) {
      history.pushState(null, "", `/one?${at}`);
      document.body.innerHTML = `<h1>Page ${at}</h1>`;
      await null;
    }
  });
  await expect(chat.element).toHaveCount(1);
  await expect(chat.part("launcher")).toBeVisible();
});

test.describe("a page that takes it away again and again", () => {
  test.use({ expectedConsole: /takes the launcher away again and again; it stays away/ });
  test("gets a sentence, and no loop", async ({ page, chat, user, scripted, serve, console: messages }) => {
    await page.goto(`${await site(serve, { user, scripted }, { library: "htmx.js", place: "head" })}/one`);
    await expect(chat.element).toHaveCount(1);
    await page.evaluate(() => {
      const clear = () => document.querySelectorAll("assent-chat").forEach((it) => it.parentNode.removeChild(it));
      new MutationObserver(clear).observe(document.body, { childList: true });
      clear();
    });
    await expect.poll(() => messages.filter((text) => text.includes("again and again")).length).toBe(1);
    await expect(chat.element).toHaveCount(0);
  });
});

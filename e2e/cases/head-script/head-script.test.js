// The script in the head and done before the element is there, twice, and late.

import { readFileSync } from "node:fs";
import { expect, test } from "../embedding/site.js";

/** A site that sends its page up to the mark, and the rest when `finish` is called. */
function slow(file) {
  const site = {};
  const rest = new Promise((resolve) => (site.finish = resolve));
  site.instead = (path, response) => {
    if (path !== `/${file}`) return false;
    const page = readFileSync(new URL(file, import.meta.url), "utf8");
    const [first, second] = page.replace(/\{\{(\w+)\}\}/g, (_, name) => site[name]).split("<!-- the rest -->");
    response.writeHead(200, { "content-type": "text/html" }).write(first);
    rest.then(() => response.end(second));
    return true;
  };
  return site;
}

const defined = (page) => page.evaluate(() => customElements.whenDefined("assent-chat").then(() => document.readyState));

test("before the element: it starts when the parser comes to it", async ({ page, chat, scripted, user, serve }) => {
  const site = slow("before.html");
  site.attributes = `base-url="${scripted.origin}" agent-id="demo" user-id="${user}"`;
  await page.goto(`${await serve(import.meta.url, site)}/before.html`, { waitUntil: "commit" });
  expect(await defined(page)).toBe("loading");
  await expect(chat.element).toHaveCount(0);
  site.finish();
  await chat.ask("hello");
});

test("the tag of the launcher: it waits for the whole page, and comes last", async ({ page, chat, scripted, user, serve }) => {
  const site = slow("tag.html");
  site.data = `data-base-url="${scripted.origin}" data-agent-id="demo" data-user-id="${user}"`;
  await page.goto(`${await serve(import.meta.url, site)}/tag.html`, { waitUntil: "commit" });
  expect(await defined(page)).toBe("loading");
  await expect(chat.element).toHaveCount(0);
  site.finish();
  await chat.button("Open chat").click();
  await chat.ask("hello");
  expect(await page.evaluate(() => document.body.lastElementChild?.localName)).toBe("assent-chat");
});

test("three tags and two addresses: one chat, one application", async ({ page, chat, scripted, serve, visit }) => {
  const fetched = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await visit(`${await serve(import.meta.url)}/twice.html`);
  await chat.ask("hello");
  expect(scripted.to("post")).toHaveLength(1);
  expect(fetched.filter((path) => path.includes("assent_widget_bg"))).toHaveLength(1);
  expect(fetched.filter((path) => path.endsWith("/assent.js"))).toHaveLength(2);
  await expect(chat.element).toHaveCount(1);
});

test("long after the page, put in by a script of its own", async ({ page, chat, scripted, user, serve, visit }) => {
  await visit(`${await serve(import.meta.url)}/empty.html`);
  await page.evaluate(
    ([baseUrl, userId]) => {
      const tag = Object.assign(document.createElement("script"), { type: "module", src: "/dist/assent.js" });
      Object.assign(tag.dataset, { baseUrl, userId, agentId: "demo" });
      document.head.append(tag);
    },
    [scripted.origin, user],
  );
  await chat.button("Open chat").click();
  await chat.ask("hello");
  await expect(chat.element).toHaveCount(1);
});

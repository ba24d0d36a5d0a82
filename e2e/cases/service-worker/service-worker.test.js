// A page whose service worker keeps its files, and passes everything else on.

import { expect, test } from "../embedding/site.js";

const WORKER = `
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (new URL(request.url).origin !== location.origin) return event.respondWith(fetch(request));
  const keep = async () => {
    const response = await fetch(request);
    await (await caches.open("site")).put(request, response.clone());
    return response;
  };
  event.respondWith(caches.match(request).then((kept) => kept ?? keep()));
});`;

test("answers come in pieces through it, and a conversation is there after a reload", async ({ page, chat, scripted, serve, visit }) => {
  const instead = (path, response) => {
    if (path !== "/worker.js") return false;
    response.writeHead(200, { "content-type": "text/javascript" }).end(WORKER);
    return true;
  };
  await visit(`${await serve(import.meta.url, { instead })}/`);
  await page.evaluate(async () => {
    const controlled = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
    await navigator.serviceWorker.register("/worker.js");
    await controlled;
    // What is left in the middle of its downloads says so on the console.
    await document.querySelector("assent-chat").ready;
  });
  await page.reload();
  const post = await chat.post(scripted, "Hello");
  post.say("One, ");
  await expect(chat.lastMessage).toContainText("One,");
  post.say("two.");
  await expect(chat.lastMessage).toContainText("One, two.");
  post.complete("One, two.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await page.reload();
  await expect(chat.lastMessage).toContainText("One, two.");
});

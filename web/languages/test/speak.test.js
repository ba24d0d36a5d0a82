// @ts-check
// Texts are fetched once, go to whoever still wants them, and are fetched again after a failure.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { known } from "../fetch.js";
import { speak } from "../index.js";

/** @import { Given } from "../index.js" */

/** The downloads, each with what ends it. @type {{path: string, end(texts: object | null): void}[]} */
let downloads = [];
/** Listeners of `online`. @type {(() => void)[]} */
let listeners = [];
/** What was said on the console. @type {string[]} */
let warnings = [];

globalThis.fetch = (address) =>
  new Promise((resolve) => {
    const end = (/** @type {object | null} */ texts) => {
      resolve(texts ? Response.json(texts) : new Response("", { status: 503 }));
    };
    downloads.push({ path: new URL(String(address)).pathname, end });
  });
globalThis.addEventListener = (/** @type {string} */ type, /** @type {any} */ listener) => {
  assert.equal(type, "online");
  listeners.push(listener);
};
console.warn = (text) => void warnings.push(text);

beforeEach(() => {
  downloads = [];
  listeners = [];
  warnings = [];
  known.clear();
});

/** A chat with an attribute `locale`. @param {string} locale */
function chatIn(locale) {
  /** @type {Given} */
  const given = {};
  const chat = /** @type {any} */ (new EventTarget());
  Object.assign(chat, { locale, isConnected: true, getAttribute: () => chat.locale });
  /** What it said each time that it was drawn anew. @type {(string | undefined)[]} */
  const said = [];
  const address = (/** @type {string} */ tag) => new URL(`https://cdn.example/locales/${tag}.json`);
  const ask = () => speak(chat, given, address, () => said.push(given.language?.send));
  return { chat, said, ask };
}

/** Waits for a condition. @param {() => unknown} condition */
async function until(condition) {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test("the texts of a language are fetched once for all chats", async () => {
  const [one, two] = [chatIn("fr"), chatIn("fr-CA")];
  const asked = [one.ask(), two.ask()];
  assert.deepEqual(downloads.map(({ path }) => path), ["/locales/fr.json"]);
  downloads[0].end({ send: "Envoyer" });
  await Promise.all(asked);
  const three = chatIn("fr");
  three.ask();
  assert.deepEqual(three.said, ["Envoyer"], "at once");
  await one.ask();
  assert.deepEqual([one.said, two.said], [["Envoyer"], ["Envoyer"]]);
  assert.equal(downloads.length, 1);
});

test("texts that came too late are not taken", async () => {
  const { chat, said, ask } = chatIn("fr");
  const first = ask();
  chat.locale = "de";
  const second = ask();
  downloads[1].end({ send: "Senden" });
  await second;
  downloads[0].end({ send: "Envoyer" });
  await first;
  assert.deepEqual(said, ["Senden"]);
});

test("texts that came after a change to English, of which nobody is told, are not taken", async () => {
  const { chat, said, ask } = chatIn("fr");
  const first = ask();
  chat.locale = "en";
  downloads[0].end({ send: "Envoyer" });
  await first;
  assert.deepEqual(said, []);
});

test("until the next language is there it is English, and so is one without texts", async () => {
  const { chat, said, ask } = chatIn("fr");
  const first = ask();
  downloads[0].end({ send: "Envoyer" });
  await first;
  chat.locale = "sv";
  await ask();
  assert.deepEqual(said, ["Envoyer", undefined]);
  chat.locale = "fr";
  await ask();
  chat.locale = "de";
  ask();
  assert.deepEqual(said, ["Envoyer", undefined, "Envoyer", undefined]);
  assert.equal(downloads.length, 2, "none for Swedish");
});

test("after a failure they are fetched again when the network is back, or are asked for", async () => {
  const { chat, said, ask } = chatIn("fr");
  const first = ask();
  downloads[0].end(null);
  await first;
  await until(() => warnings.length);
  assert.match(warnings[0], /English instead of "fr"/);
  listeners[0]();
  assert.equal(downloads.length, 2);
  downloads[1].end(null);
  await until(() => listeners.length === 2);
  const third = ask();
  downloads[2].end({ send: "Envoyer" });
  await third;
  assert.deepEqual(said, ["Envoyer"]);
  chat.isConnected = false;
  chat.locale = "de";
  listeners[1]();
  assert.equal(downloads.length, 3, "a chat that left the page needs none");
});

test("nothing is drawn anew while an input method composes", async () => {
  const { chat, said, ask } = chatIn("ja");
  const asked = ask();
  chat.dispatchEvent(new Event("compositionstart"));
  downloads[0].end({ send: "送信" });
  await asked;
  assert.deepEqual(said, []);
  chat.dispatchEvent(new Event("compositionend"));
  await until(() => said.length);
  assert.deepEqual(said, ["送信"]);
});

test("something else that was sent in their place is no text", async () => {
  const { said, ask } = chatIn("fr");
  const fetchPage = globalThis.fetch;
  globalThis.fetch = async () => new Response("<!doctype html>");
  await ask();
  globalThis.fetch = fetchPage;
  assert.deepEqual(said, []);
  await until(() => warnings.length);
});

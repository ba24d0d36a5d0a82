// @ts-check
// The number before the title of the page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Chat, Page } from "./support/page.js";

/** A page with a chat in which two decisions wait. @param {string} [notify] */
async function waiting(notify) {
  const page = await Page.open();
  const chat = new Chat(page, notify);
  chat.tells({ t1: 1, t2: 1 });
  return { page, chat };
}

test("a hidden page carries the number, and a visible one its own title", async () => {
  const { page, chat } = await waiting();
  assert.equal(page.title?.text, "The shop");
  page.hide();
  assert.equal(page.title?.text, "(2) The shop");
  chat.tells({ t1: 1 });
  assert.equal(page.title?.text, "(1) The shop");
  chat.tells({ t1: 3 });
  page.hide(false);
  assert.equal(page.title?.text, "The shop");
  assert.equal(page.title?.nodes.length, 1);
});

test("when nothing waits any more, a hidden page has its own title", async () => {
  const { page, chat } = await waiting();
  page.hide();
  chat.tells({});
  assert.equal(page.title?.text, "The shop");
});

test("a title that the page sets meanwhile stays", async () => {
  const { page, chat } = await waiting();
  page.hide();
  /** @type {any} */ (page.title).text = "One article";
  page.hide(false);
  assert.equal(page.title?.text, "One article");
  page.hide();
  assert.equal(page.title?.text, "(2) One article");
  /** @type {any} */ (page.title).text = "(7) Mails";
  chat.tells({});
  assert.equal(page.title?.text, "(7) Mails");
});

test("a framework that writes into the text node of its title goes on to do so", async () => {
  const { page } = await waiting();
  const [own] = /** @type {any} */ (page.title).nodes;
  page.hide();
  own.data = "Another view";
  assert.equal(page.title?.text, "(2) Another view");
  page.hide(false);
  assert.deepEqual(page.title?.nodes, [own]);
});

test("a page that joins its nodes keeps its title", async () => {
  const { page } = await waiting();
  page.hide();
  page.title?.normalize();
  page.hide(false);
  assert.equal(page.title?.text, "The shop");
});

test("a page without a title gets none", async () => {
  const page = await Page.open();
  page.title = null;
  new Chat(page).tells({ t1: 1 });
  page.hide();
  assert.equal(page.title, null);
});

test("several chats count together, and the same thread in two of them counts once", async () => {
  const page = await Page.open();
  const [one, same, other] = [new Chat(page), new Chat(page), new Chat(page)];
  other.attributes["agent-id"] = "other";
  page.hide();
  one.tells({ t1: 2 });
  same.tells({ t1: 2 });
  other.tells({ t1: 1 });
  assert.equal(page.title?.text, "(3) The shop");
  one.isConnected = false;
  one.say([]);
  assert.equal(page.title?.text, "(3) The shop");
  for (const chat of [same, other]) {
    chat.isConnected = false;
    chat.say([]);
  }
  assert.equal(page.title?.text, "The shop");
});

test("a page that is left takes no number into the history", async () => {
  const { page } = await waiting();
  page.happens("pagehide");
  page.hide();
  assert.equal(page.title?.text, "The shop");
  page.happens("pageshow");
  assert.equal(page.title?.text, "(2) The shop");
  page.hide(false);
  assert.equal(page.title?.text, "The shop");
});

test("the attribute decides, also when it changes", async () => {
  for (const notify of ["", "sound", "system  sound"]) {
    const { page } = await waiting(notify);
    page.hide();
    assert.equal(page.title?.text, "The shop", notify);
  }
  const { page, chat } = await waiting("sound\n title");
  page.hide();
  assert.equal(page.title?.text, "(2) The shop");
  chat.set("");
  assert.equal(page.title?.text, "The shop");
  chat.set(null);
  assert.equal(page.title?.text, "(2) The shop");
});

test("unknown words are left out, with one warning", async () => {
  const { page, chat } = await waiting("title bell whistle");
  page.hide();
  assert.equal(page.title?.text, "(2) The shop");
  chat.tells({ t1: 1 });
  assert.deepEqual(page.warnings, ['assent-chat: notify="bell whistle" is not one of title, sound, system; left out.']);
  chat.set("title horn");
  assert.equal(page.warnings.length, 2);
});

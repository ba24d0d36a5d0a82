// An answer with everything in it: what the demo agent says to "rich answer", and ways to let it come.

import { readFileSync } from "node:fs";
import { expect } from "../../fixtures.js";

const SCENARIO = new URL("../../../service/agents/demo/rich-answer.toml", import.meta.url);

/** The whole text. */
export const RICH = [...readFileSync(SCENARIO, "utf8").matchAll(/^text = '''\n?([^]*?)'''/gm)].map(([, text]) => text).join("");

const QUESTION = "Tell me about it.";

/** The blocks of the last answer's text. */
export const answer = (chat) => chat.lastMessage.locator(".answer");

/** A conversation that waits for what the test says next; returns the post. */
export const begun = (chat, scripted, settings = {}) => chat.streaming(scripted, QUESTION, settings);

/** One more question; returns the post. */
export async function go(chat, scripted) {
  const before = await chat.messages.count();
  const post = await chat.post(scripted, QUESTION);
  await expect(chat.messages).toHaveCount(before + 2);
  return post;
}

/** Says a text in pieces, not more than one for each frame of the page. */
export async function stream(page, post, text, length) {
  const characters = [...text];
  for (let at = 0; at < characters.length; at += length) {
    post.say(characters.slice(at, at + length).join(""));
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  }
}

/** Answers the first question of a new conversation with this text, as a whole. */
export async function answered(chat, scripted, text, settings = {}) {
  const post = await begun(chat, scripted, settings);
  await finish(chat, post, text);
}

/** Says a text and ends with it. */
export async function finish(chat, post, text) {
  post.say(text);
  post.complete(text);
  await chat.isAnswered();
}

/** Opens a conversation of stored answers. */
export async function stored(chat, scripted, texts, settings = {}) {
  const thread = scripted.addThread("Stored");
  for (const text of texts) {
    scripted.store(thread.id, "user", "Tell me about it.");
    scripted.store(thread.id, "assistant", text, { handle: "Scripted" });
  }
  await chat.inline({ "base-url": scripted.origin, "thread-id": thread.id, ...settings });
  await expect(chat.transcript).toHaveAttribute("data-state", "ready");
}

// Two tabs of one browser: what is posted and answered in one shows in the other.

import { expect, test } from "../../fixtures.js";
import { posted } from "../approval/posts.js";

/** Two tabs that show the same thread, of which the first has been answered once. */
async function two(chat, scripted) {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("hello");
  const other = await chat.tab();
  const requests = other.record();
  await other.inline({ "base-url": scripted.origin });
  // What hears of other tabs comes last.
  await other.loaded();
  await expect(other.messages).toHaveCount(2);
  return { other, requests };
}

/** The first tab posts, and the agent has begun to answer. */
async function begun(chat, scripted) {
  const post = await chat.post(scripted, "a long story");
  post.say("Once upon");
  return post;
}

const state = (chat, name) => expect(chat.lastMessage).toHaveAttribute("data-state", name);

test("an answer shows in the other tab while it is written, and is posted once, with events in one tab alone", { tag: "@firefox" }, async ({ chat, scripted }) => {
  const { other, requests } = await two(chat, scripted);
  await other.listen("message-sent", "event", "answer-complete", "error", "approval-requested");
  const post = await begun(chat, scripted);
  await other.input.fill("typed meanwhile");
  await expect(other.lastMessage).toContainText("Once upon");
  await expect(other.own.last()).toContainText("a long story");
  await state(other, "streaming");
  await expect(other.stop).toBeVisible();
  post.say(" a time");
  await expect(other.lastMessage).toContainText("Once upon a time");
  post.complete("Once upon a time. The end.");
  for (const tab of [chat, other]) {
    await state(tab, "complete");
    await expect(tab.lastMessage).toContainText("Once upon a time. The end.");
    await expect(tab.messages).toHaveCount(4);
  }
  expect(posted(requests)).toEqual([]);
  expect(await other.page.evaluate(() => globalThis.heard)).toEqual([]);
  await expect(other.input).toHaveValue("typed meanwhile");
  expect(scripted.to("post")).toHaveLength(2);
});

test("where the tab that posted is closed, the other one ends with the stored answer", { tag: "@firefox" }, async ({ chat, scripted }) => {
  const { other } = await two(chat, scripted);
  const post = await begun(chat, scripted);
  await expect(other.lastMessage).toContainText("Once upon");
  await chat.page.close();
  await post.closed;
  scripted.store(post.thread, "assistant", "Once upon a time. The end.", { handle: "@scripted" });
  await expect(other.lastMessage).toContainText("The end.");
  await state(other, "complete");
  await expect(other.messages).toHaveCount(4);
  scripted.hold = false;
  await other.ask("another one");
  expect(scripted.to("post")).toHaveLength(3);
});

// Two tabs of one browser: what is posted, answered, asked, stopped, renamed and deleted in one shows in the other.

import { expect, test } from "../../fixtures.js";
import { json } from "../../servers/scripted.js";
import { answers, posted } from "../approval/posts.js";
import { hearing } from "./device.js";

/** Two tabs that show the same thread, of which the first has been answered once. */
async function two(chat, scripted) {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("hello");
  const other = await chat.tab();
  const requests = other.record();
  await hearing(other, { "base-url": scripted.origin });
  await expect(other.messages).toHaveCount(2);
  scripted.hold = true;
  return { other, requests };
}

/** The first tab posts, and the agent has begun to answer. */
async function begun(chat, scripted) {
  await chat.say("a long story");
  const post = await scripted.nextPost();
  post.begin();
  post.say("Once upon");
  return post;
}

/** Notes what the page is told, as `listen()` of the page. */
async function listen(chat) {
  await chat.element.evaluate((element) => {
    globalThis.told = [];
    for (const type of ["message-sent", "event", "answer-complete", "error", "approval-requested"])
      element.addEventListener(`assent:${type}`, () => globalThis.told.push(type));
  });
  return () => chat.page.evaluate(() => globalThis.told);
}

const state = (chat, name) => expect(chat.lastMessage).toHaveAttribute("data-state", name);

test("an answer shows in the other tab while it is written, and is posted and told of once", { tag: "@firefox" }, async ({ chat, scripted }) => {
  const { other, requests } = await two(chat, scripted);
  const told = await listen(other);
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
  expect(await told()).toEqual([]);

  // Then the other one posts, and the first one follows.
  await expect(other.input).toHaveValue("typed meanwhile");
  await other.input.press("Enter");
  const next = await scripted.nextPost();
  next.begin();
  next.say("And they");
  await expect(chat.own.last()).toContainText("typed meanwhile");
  await expect(chat.lastMessage).toContainText("And they");
  next.complete("And they lived.");
  for (const tab of [chat, other]) {
    await state(tab, "complete");
    await expect(tab.messages).toHaveCount(6);
  }
  expect(scripted.to("post")).toHaveLength(3);
});

test("a tab that is opened in the middle of an answer has it from the beginning", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  const post = await begun(chat, scripted);
  await expect(chat.lastMessage).toContainText("Once upon");
  const other = await chat.tab();
  await other.inline({ "base-url": scripted.origin });
  await expect(other.lastMessage).toContainText("Once upon");
  await expect(other.messages).toHaveCount(2);
  await state(other, "streaming");
  post.say(" a time");
  await expect(other.lastMessage).toContainText("Once upon a time");
  post.complete("Once upon a time. The end.");
  await state(other, "complete");
  await expect(other.lastMessage).toContainText("The end.");
  await expect(other.messages).toHaveCount(2);
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

test("Stop in either tab stops the answer in both", async ({ chat, scripted }) => {
  const { other } = await two(chat, scripted);
  for (const stopping of [other, chat]) {
    const post = await begun(chat, scripted);
    for (const tab of [chat, other]) {
      await expect(tab.stop).toBeVisible();
      await expect(tab.lastMessage).toContainText("Once upon");
    }
    await stopping.stop.click();
    await post.closed;
    for (const tab of [chat, other]) {
      await state(tab, "interrupted");
      await expect(tab.lastMessage).toContainText("You stopped listening.");
      await expect(tab.stop).toHaveCount(0);
    }
  }
});

test("that nothing comes is said in both tabs", async ({ chat, scripted }) => {
  const { other } = await two(chat, scripted);
  await chat.page.clock.install();
  const post = await begun(chat, scripted);
  await expect(other.lastMessage).toContainText("Once upon");
  await expect(chat.lastMessage).toContainText("Once upon");
  await chat.page.clock.runFor(46_000);
  const notes = [chat, other].map((tab) => tab.role("status").filter({ hasText: "Nothing has come for 45 seconds." }));
  for (const note of notes) await expect(note).toBeVisible();
  post.say(" a time");
  for (const note of notes) await expect(note).toBeHidden();
});

test("what is asked in one tab is shown and answered in the other, once", async ({ chat }) => {
  await chat.inline();
  await chat.ask("hello");
  const other = await chat.tab();
  const requests = [chat.record(), other.record()];
  await other.inline();
  await expect(other.messages).toHaveCount(2);
  const told = await listen(other);
  await chat.say("approve one");
  for (const tab of [chat, other]) await expect(tab.approval).toHaveAttribute("data-state", "pending");
  expect(await told()).toEqual([]);
  await other.decide("refund_payment", "Approve");
  await other.submit();
  for (const tab of [chat, other]) {
    await expect(tab.approval).toHaveAttribute("data-state", "answered");
    await expect(tab.lastMessage).toContainText("Done: 49.90 EUR are on their way");
    await state(tab, "complete");
  }
  expect(requests.flatMap(answers)).toHaveLength(1);
});

test("new, renamed and deleted conversations show in the other tab", async ({ chat, scripted }) => {
  const { other } = await two(chat, scripted);
  scripted.hold = false;
  await expect(other.threads).toHaveCount(1);
  scripted.on.create = (_, response) => json(response, 201, scripted.addThread("The second"));
  await chat.newThread.click();
  await chat.ask("hello again");
  await expect(other.threads).toHaveCount(2);
  await other.thread("The second").click();
  await expect(other.messages).toHaveCount(2);
  await other.input.fill("typed here");

  await chat.choose("The second", "Rename");
  await chat.list.getByRole("textbox").fill("A better name");
  await chat.list.getByRole("textbox").press("Enter");
  await expect(other.thread("A better name")).toBeVisible();
  await chat.choose("A better name", "Delete");
  await chat.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(other.threads).toHaveCount(1);
  await expect(other.messages).toHaveCount(0);
  await expect(other.input).toHaveValue("typed here");
  expect(scripted.to("remove")).toHaveLength(1);
});

for (const missing of ["BroadcastChannel", "locks"]) {
  test(`without ${missing} each tab is by itself`, async ({ chat, scripted }) => {
    await chat.page.context().addInitScript((missing) => {
      if (missing === "locks") Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
      else delete globalThis.BroadcastChannel;
    }, missing);
    const { other } = await two(chat, scripted);
    const post = await begun(chat, scripted);
    await expect(chat.lastMessage).toContainText("Once upon");
    post.complete("Once upon a time. The end.");
    await state(chat, "complete");
    await expect(other.messages).toHaveCount(2);
    scripted.hold = false;
    await other.ask("and here");
    await chat.page.reload();
    await expect(chat.messages).toHaveCount(6);
  });
}

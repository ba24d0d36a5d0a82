// How an answer came about is kept on the device: the service stores the answer alone.

import { Chat, expect, test } from "../../fixtures.js";
import { activity, answerWithSteps, recordings, steps } from "./device.js";

test("after a reload the steps are the ones that were seen live", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin, activity: "full" });
  const post = await answerWithSteps(chat, scripted);
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED", "The handbook is away");
  post.write("data: this is not JSON\n\n");
  post.say("Do");
  post.complete("Done.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(steps(chat)).toHaveCount(3);
  const seen = await steps(chat).allTextContents();
  // What records it comes after the message box, and a page that goes before the answer is written has not recorded it.
  await expect.poll(async () => (await recordings(page)).map(({ how }) => how)).toEqual(["closed"]);
  await page.reload();
  await expect(chat.lastMessage).toContainText("Done.");
  await expect(steps(chat)).toHaveText(seen);
  await expect(activity(chat)).toHaveAttribute("data-state", "done");
});

test("another tab shows them too, and a thread that is opened later", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin, activity: "full", threads: "side" });
  (await answerWithSteps(chat, scripted)).complete("Done.");
  await expect(steps(chat)).toHaveCount(2);
  await expect.poll(async () => (await recordings(page)).map(({ how }) => how)).toEqual(["closed"]);
  const other = await chat.tab();
  await other.inline({ "base-url": scripted.origin, activity: "full", "thread-id": "new", threads: "side" });
  await other.threads.first().click();
  await expect(steps(other)).toHaveCount(2);
});

test("of a text that came whole no pieces are kept but the first, and nothing of another user is shown", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  const post = await answerWithSteps(chat, scripted);
  for (const word of ["One ", "two ", "three."]) post.say(word);
  post.complete("One two three.");
  await expect.poll(async () => (await recordings(page)).map(({ how }) => how)).toEqual(["closed"]);
  const [{ frames, question, scope }] = await recordings(page);
  const types = frames.flatMap(([, texts]) => texts.split("\u001e")).map((text) => JSON.parse(text).type);
  expect(types.filter((type) => type === "AGENT_RESPONSE_CHUNK")).toHaveLength(1);
  expect(types.filter((type) => type === "AGENT_RESPONSE_COMPLETE")).toHaveLength(1);
  expect(question).toBe("Look it up");
  expect(scope).toContain(chat.user);
  const other = new Chat(page, `${chat.user}-2`);
  await other.inline({ "base-url": scripted.origin, activity: "full", threads: "side" });
  await other.threads.first().click();
  await expect(other.lastMessage).toContainText("One two three.");
  await expect(activity(other)).toHaveCount(0);
});

test("an answer that the page left is told from what came of it", async ({ page, chat, scripted }) => {
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin, activity: "full" });
  const post = await answerWithSteps(chat, scripted);
  // What records it comes after the message box, and writes what came after some seconds.
  await expect(async () => {
    await page.clock.runFor(4000);
    expect((await recordings(page)).map(({ how }) => how)).toEqual(["lost"]);
  }).toPass({ intervals: [100] });
  scripted.store(post.thread, "assistant", "Done.", { handle: "@scripted" });
  await page.reload();
  await expect(chat.lastMessage).toContainText("Done.");
  await expect(steps(chat)).toHaveCount(2);
  await expect(steps(chat).last()).toHaveAttribute("data-state", "failed");
});

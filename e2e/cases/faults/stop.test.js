// What a person sees where ending an answer at the service fails, and what else may happen while it is asked to.

import { expect, test } from "../../fixtures.js";
import { json } from "../../servers/scripted.js";
import { EXPECTED } from "./common.js";

test.use(EXPECTED);

const STOPPED = "So far.\n\n*This answer was stopped.*";

/** An answer of a service that can end it. */
async function answering(chat, scripted) {
  scripted.extensions = "memory-id, cancel";
  const post = await chat.streaming(scripted, "one");
  post.say("So far.");
  await expect(chat.lastMessage).toContainText("So far.");
  return post;
}

/** Stops an answer, and keeps the service from answering to that; returns the responses that wait. */
async function stop(chat, scripted) {
  const waiting = [];
  scripted.on.cancel = (_, response) => waiting.push(response);
  await chat.stop.click();
  await expect.poll(() => waiting.length).toBe(1);
  return waiting;
}

/** The answer is the stopped one, nothing failed, and nothing was sent twice; the next message is answered. */
async function expectStopped(chat, scripted) {
  await expect(chat.lastMessage).toContainText("This answer was stopped.");
  await chat.isAnswered();
  await expect(chat.alert).toHaveCount(0);
  expect(scripted.to("post")).toHaveLength(1);
  scripted.hold = false;
  await chat.ask("the next message");
  await expect(chat.lastMessage).toContainText("Fine.");
}

test("an answer that could not be stopped is said, goes on, and can be stopped again", async ({ chat, scripted }) => {
  const post = await answering(chat, scripted);
  scripted.on.cancel = (_, response) => json(response, 500, { message: "No disk." });
  await chat.stop.click();
  await expect(chat.alert).toContainText("The answer could not be stopped.");
  delete scripted.on.cancel;
  await chat.alert.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => scripted.to("cancel").length).toBe(2);
  post.complete(STOPPED);
  await expectStopped(chat, scripted);
});

test("a stream that is cut while Stop is on its way ends with the stopped answer", async ({ chat, scripted }) => {
  const post = await answering(chat, scripted);
  const [asked] = await stop(chat, scripted);
  scripted.store(post.thread, "assistant", STOPPED, { handle: "@scripted" });
  post.cut();
  await expect(chat.lastMessage).toContainText("This answer was stopped.");
  // Nothing is being written any more.
  json(asked, 409, { message: "There is no answer under way." });
  await expectStopped(chat, scripted);
  expect(scripted.to("cancel")).toHaveLength(1);
});

test("Stop in two tabs ends the answer in both, whichever of them the service hears", { tag: "@firefox" }, async ({ chat, scripted }) => {
  const post = await answering(chat, scripted);
  const other = await chat.tab();
  await other.inline({ "base-url": scripted.origin });
  await expect(other.lastMessage).toContainText("So far.");
  const waiting = await stop(other, scripted);
  await expect(other.part("composer")).toContainText("Stopping the answer…");
  await chat.stop.click();
  await expect.poll(() => waiting.length).toBe(2);
  json(waiting[0], 409, { message: "There is no answer under way." });
  waiting[1].writeHead(202).end();
  post.complete(STOPPED);
  await expect(other.lastMessage).toContainText("This answer was stopped.");
  await other.isAnswered();
  await expect(other.alert).toHaveCount(0);
  await expectStopped(chat, scripted);
  await expect(other.lastMessage).toContainText("Fine.");
});

test("a page that is reloaded while Stop is on its way ends with the stopped answer", async ({ page, chat, scripted }) => {
  const post = await answering(chat, scripted);
  await stop(chat, scripted);
  await page.reload();
  await expect(chat.lastMessage).toContainText("Reading the rest of the answer");
  scripted.store(post.thread, "assistant", STOPPED, { handle: "@scripted" });
  await expectStopped(chat, scripted);
  expect(scripted.to("cancel")).toHaveLength(1);
});

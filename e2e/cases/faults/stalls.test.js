// Streams that say nothing more: a note says so, and the person can stop or check. A computer that slept, and clocks that are set.

import { expect, test } from "../../fixtures.js";
import { begin, EXPECTED, expectToGoOn } from "./common.js";

test.use(EXPECTED);

const NOTE = "Nothing has come for 45 seconds. The agent may still be at work.";

/** An answer of which nothing comes after its first text, and the note that says so. */
async function stalled(page, chat, scripted) {
  await page.clock.install();
  const post = await begin(chat, scripted);
  post.begin();
  post.say("Half of it");
  await expect(chat.lastMessage).toContainText("Half of it");
  await page.clock.runFor(30_000);
  await expect(chat.element).not.toContainText(NOTE);
  await page.clock.runFor(16_000);
  const note = chat.role("status").filter({ hasText: NOTE });
  await expect(note).toBeVisible();
  await expect(chat.lastMessage).toHaveAttribute("data-state", "streaming");
  return { post, note };
}

test("a stall is said, and not any more once there is a sign of life", async ({ page, chat, scripted }) => {
  const { post, note } = await stalled(page, chat, scripted);
  post.write(": still here\n\n");
  await expect(note).toBeHidden();
  await page.clock.runFor(46_000);
  await expect(note).toBeVisible();
  post.say(", and then the rest");
  await expect(note).toBeHidden();
  post.complete("Half of it, and then the rest.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expectToGoOn(chat, scripted, "my long question");
  expect(scripted.to("post")).toHaveLength(2);
});

test("a stall can be stopped", async ({ page, chat, scripted }) => {
  const { post, note } = await stalled(page, chat, scripted);
  await note.getByRole("button", { name: "Stop" }).click();
  await post.closed;
  await expect(chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  await expect(chat.lastMessage).toContainText("Half of it");
  await expect(note).toBeHidden();
  await expectToGoOn(chat, scripted, "my long question");
});

test("a post that is never answered is a stall, too", async ({ page, chat, scripted }) => {
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  scripted.on.post = ({ id }) => scripted.store(id, "user", "my long question");
  await chat.say("my long question");
  await expect.poll(() => scripted.to("post").length).toBe(2);
  await page.clock.runFor(46_000);
  await expect(chat.role("status").filter({ hasText: NOTE })).toBeVisible();
  scripted.on = {};
  const { id } = scripted.to("post")[1];
  scripted.store(id, "assistant", "It had arrived.", { handle: "@scripted" });
  await chat.role("button", { name: "Check again" }).click();
  await expect(chat.lastMessage).toContainText("It had arrived.");
  await expect(chat.own.last()).toHaveAttribute("data-state", "sent");
  expect(scripted.to("post")).toHaveLength(2);
});

test("a computer that slept for an hour reads what its stream did not bring", async ({ page, chat, scripted }) => {
  await page.clock.install();
  const post = await begin(chat, scripted);
  post.begin();
  post.say("Half of it");
  await expect(chat.lastMessage).toContainText("Half of it");
  scripted.store(post.thread, "assistant", "Half of it, and then the rest.", { handle: "@scripted" });
  await page.clock.fastForward("01:00:00");
  await post.closed;
  await expect(chat.lastMessage).toContainText("Half of it, and then the rest.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(chat.element).not.toContainText(NOTE);
  await expectToGoOn(chat, scripted, "my long question");
});

for (const [name, by] of [
  ["back by a day", -86_400_000],
  ["on by a day", 86_400_000],
]) {
  test(`a clock that is set ${name} changes no order, and no time is negative`, async ({ page, chat, scripted }) => {
    await page.clock.install();
    await chat.inline({ "base-url": scripted.origin });
    await chat.ask("first");
    await page.clock.setSystemTime(Date.now() + by);
    await chat.ask("second");
    await page.clock.runFor(61_000);
    const texts = await chat.messages.evaluateAll((all) => all.map((it) => it.querySelector(".bubble, .answer")?.textContent.trim()));
    expect(texts).toEqual(["first", "Fine.", "second", "Fine."]);
    expect(await chat.element.evaluate((it) => it.shadowRoot.textContent)).not.toMatch(/\bin \d|-\d/);
  });
}

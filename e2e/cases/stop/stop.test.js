// Stop ends the listening, not the answer: the rest can be read later.

import { expect, test } from "../../fixtures.js";

test("Stop keeps what came, and the rest can be read when the agent is done", async ({ chat }) => {
  await chat.inline();
  await chat.say("slow");
  await expect(chat.lastMessage).toContainText("I speak slowly today");
  await chat.input.fill("typed meanwhile");
  await chat.stop.click();
  await expect(chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  await expect(chat.lastMessage).toContainText("You stopped listening.");
  await expect(chat.lastMessage).toContainText("I speak slowly today");
  await expect(chat.input).toHaveValue("typed meanwhile");
  await expect(chat.input).toBeFocused();
  await expect(async () => {
    const again = chat.button("Check again");
    if (await again.isVisible()) await again.click();
    await expect(chat.lastMessage).toContainText("It is over now.", { timeout: 500 });
  }).toPass();
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await chat.ask("hello");
});

test("a double click on Send does not stop the answer", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.input.fill("one");
  await chat.send.dblclick();
  const post = await scripted.nextPost();
  post.answer("Whole.");
  await expect(chat.lastMessage).toContainText("Whole.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  expect(scripted.to("post")).toHaveLength(1);
});

test("Stop closes the connection", { tag: "@firefox" }, async ({ chat, scripted }) => {
  const post = await chat.streaming(scripted, "one");
  await expect(chat.own).toHaveAttribute("data-state", "sent");
  const closed = post.closed;
  await chat.stop.click();
  await closed;
  await expect(chat.send).toBeVisible();
});

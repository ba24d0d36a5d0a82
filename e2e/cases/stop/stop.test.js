// Stop ends the listening, not the answer: the rest can be read later.

import { expect, test } from "../../fixtures.js";

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

// Over HTTP/1.1 browsers have six connections to a server, and each answer that is being written holds one.

import { Chat } from "../../fixtures.js";
import { expect, test } from "../embedding/site.js";

test("a seventh message waits for a connection, and is sent once one is free", { tag: "@firefox" }, async ({ page, user, scripted, serve, visit }) => {
  await page.setViewportSize({ width: 1000, height: 4000 });
  await visit(`${await serve(import.meta.url)}/`);
  const chats = Array.from({ length: 7 }, (_, at) => new Chat(page, user, page.locator(`#chat-${at + 1}`)));
  for (const chat of chats) await expect(chat.input).toBeEnabled();
  const posts = [];
  for (const [at, chat] of chats.slice(0, 6).entries()) {
    posts.push(await chat.post(scripted, `Question ${at + 1}`));
    posts[at].say("Wait. ");
    await expect(chat.lastMessage).toContainText("Wait.");
  }
  const last = chats[6];
  await last.say("Question 7");
  await expect(last.messages.first()).toContainText("Question 7");
  posts[0].complete("Wait. Done.");
  const seventh = await scripted.nextPost();
  expect(seventh.text).toBe("Question 7");
  seventh.answer("Here I am.");
  await expect(last.lastMessage).toContainText("Here I am.");
  for (const post of posts.slice(1)) post.complete("Wait. Done.");
  for (const chat of chats) await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  expect(scripted.to("post")).toHaveLength(7);
});

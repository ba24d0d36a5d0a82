// Pages that end at the worst moment: each text is at the service once, or can still be sent.

import { expect, test } from "../../fixtures.js";
import { EXPECTED } from "../faults/common.js";

test.use(EXPECTED);

const posts = (scripted) => scripted.to("post").map(({ body }) => JSON.parse(body).content[0].text);

test("a message that could not be sent is there after a reload, and can be sent", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  await chat.loaded();
  await chat.page.context().setOffline(true);
  await chat.say("my long question");
  await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
  await chat.page.context().setOffline(false);
  await chat.page.reload();
  await expect(chat.own.last()).toContainText("my long question");
  await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
  expect(posts(scripted)).toEqual(["first"]);
  await chat.own.last().getByRole("button", { name: "Retry" }).click();
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(posts(scripted)).toEqual(["first", "my long question"]);
  await expect(chat.own).toHaveCount(2);
});

test("a first message whose thread was never made is a draft again", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.loaded();
  await chat.page.context().setOffline(true);
  await chat.say("my long question");
  await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
  await chat.page.context().setOffline(false);
  await chat.page.reload();
  await expect(chat.input).toHaveValue("my long question");
  expect(posts(scripted)).toEqual([]);
});

test("a page that ends in the middle of an answer is followed by one that waits for it", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  scripted.hold = true;
  await chat.say("a long story");
  const post = await scripted.nextPost();
  post.begin();
  post.say("Once upon");
  await expect(chat.lastMessage).toContainText("Once upon");
  await chat.page.reload();
  await expect(chat.own.last()).toContainText("a long story");
  post.complete("Once upon a time.");
  await expect(chat.lastMessage).toContainText("Once upon a time.");
  await expect(chat.messages).toHaveCount(4);
  expect(posts(scripted)).toEqual(["first", "a long story"]);
});

test("what a tab that lives could not send is shown in no other tab", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  await chat.loaded();
  await chat.page.context().setOffline(true);
  await chat.say("my long question");
  await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
  await chat.page.context().setOffline(false);
  const other = await chat.tab();
  await other.inline({ "base-url": scripted.origin });
  await expect(other.messages).toHaveCount(2);
  await chat.page.close();
  // It looks a last time some seconds after its start, and its next page looks at once.
  await other.page.reload();
  await expect(other.own.last()).toContainText("my long question");
  await other.own.last().getByRole("button", { name: "Retry" }).click();
  await expect(other.lastMessage).toContainText("Fine.");
  expect(posts(scripted)).toEqual(["first", "my long question"]);
});

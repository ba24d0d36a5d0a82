// What is typed and not sent is there again: after a reload, in its conversation, and in another tab.

import { expect, test } from "../../fixtures.js";

test("a draft is there after a reload, in its conversation", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  await chat.input.fill("half a thought");
  await chat.page.reload();
  await expect(chat.input).toHaveValue("half a thought");
  await chat.newThread.click();
  await expect(chat.input).toHaveValue("");
  await chat.input.fill("another");
  await chat.page.reload();
  await expect(chat.input).toHaveValue("another");
  await chat.threads.first().click();
  await expect(chat.input).toHaveValue("half a thought");
  expect(scripted.to("post")).toHaveLength(1);
});

test("a draft shows in the other tab, and is gone there when it is sent", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  const other = await chat.tab();
  await other.inline({ "base-url": scripted.origin });
  await expect(other.messages).toHaveCount(2);
  await chat.input.fill("typed in one");
  await expect(other.input).toHaveValue("typed in one");
  await other.input.fill("typed in one, and on");
  await expect(chat.input).toHaveValue("typed in one, and on");
  await chat.input.press("Enter");
  await expect(other.input).toHaveValue("");
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(scripted.to("post")).toHaveLength(2);
});

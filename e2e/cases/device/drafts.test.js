// What is typed and not sent is there in another tab, too.

import { expect, test } from "../../fixtures.js";

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

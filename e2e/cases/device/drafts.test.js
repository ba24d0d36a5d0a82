// What is typed and not sent is there again: after a reload, in its conversation, and in another tab.

import { expect, test } from "../../fixtures.js";
import { hearing } from "./device.js";

const SCOPE = "assent:";

/** The names of what is kept in the browser, behind service, agent and user. A draft that was sent is an empty one for a while. */
const kept = (chat, kind) =>
  chat.page.evaluate(
    ([scope, kind]) => {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(scope) && key.includes(`:${kind}:`));
      return keys.filter((key) => JSON.parse(localStorage.getItem(key) ?? "").text !== "");
    },
    [SCOPE, kind],
  );

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

test("nothing is kept of a draft with storage none", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin, storage: "none" });
  await chat.ask("first");
  await chat.input.fill("half a thought");
  await chat.page.evaluate(() => dispatchEvent(new Event("pagehide")));
  expect(await chat.page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  await chat.page.reload();
  await expect(chat.input).toHaveValue("");
});

test("a draft that is sent or cleared is no longer kept", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.input.fill("half a thought");
  await expect.poll(() => kept(chat, "draft")).toHaveLength(1);
  await chat.input.fill("");
  await expect.poll(() => kept(chat, "draft")).toHaveLength(0);
  await chat.ask("first");
  await expect.poll(() => kept(chat, "draft")).toHaveLength(0);
  await expect.poll(() => kept(chat, "outbox")).toHaveLength(0);
});

test("a draft whose conversation was deleted is one draft in all tabs", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  const other = await chat.tab();
  await hearing(other, { "base-url": scripted.origin });
  await chat.input.fill("what I wanted to say");
  await expect(other.input).toHaveValue("what I wanted to say");
  await chat.choose("New conversation", "Delete");
  await chat.role("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(other.messages).toHaveCount(0);
  await expect(other.input).toHaveValue("what I wanted to say");
  await other.input.press("Enter");
  await expect(other.lastMessage).toContainText("Fine.");
  await expect(chat.input).toHaveValue("");
  for (const tab of [chat, other]) {
    await tab.page.reload();
    await tab.newThread.click();
    await expect(tab.input).toHaveValue("");
  }
  expect(scripted.to("post")).toHaveLength(2);
});

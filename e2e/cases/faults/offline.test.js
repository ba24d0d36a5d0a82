// A browser without a network: said, nothing is lost, and what was waiting goes on when the network is back.

import { expect, test } from "../../fixtures.js";
import { begin, EXPECTED, expectToGoOn } from "./common.js";

test.use(EXPECTED);

const HINT = "You are offline. What you write stays here.";

test("what is sent without a network is kept, and sent on wish when it is back", async ({ context, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  await chat.loaded();
  await context.setOffline(true);
  await expect(chat.element).toContainText(HINT);
  await chat.say("my long question");
  const own = chat.own.last();
  await expect(own).toHaveAttribute("data-state", "failed");
  await expect(own.getByRole("alert")).toContainText("You are offline. Try again when you are connected.");
  await chat.input.fill("typed meanwhile");
  await context.setOffline(false);
  await expect(chat.element).not.toContainText(HINT);
  await own.getByRole("button", { name: "Retry" }).click();
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(scripted.to("post")).toHaveLength(2);
  await expect(chat.input).toHaveValue("typed meanwhile");
});

test("an answer that breaks with the network is completed when that is back", async ({ context, page, chat, scripted }) => {
  await page.clock.install();
  const post = await begin(chat, scripted);
  post.begin();
  post.say("Half of it");
  await expect(chat.lastMessage).toContainText("Half of it");
  await chat.loaded();
  await context.setOffline(true);
  post.cut();
  await expect(chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  await page.clock.runFor(60_000);
  await expect(chat.lastMessage).toContainText("Reading the rest of the answer");
  scripted.store(post.thread, "assistant", "Half of it, and then the rest.", { handle: "@scripted" });
  await context.setOffline(false);
  await expect(chat.lastMessage).toContainText("Half of it, and then the rest.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expectToGoOn(chat, scripted, "my long question");
});

// What a person allows beforehand, with an agent that has a model and real tools.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "../../fixtures.js";
import { callsAll, says } from "../../servers/model.js";
import { at, later, test, write, written } from "./open.js";

test("a call that is allowed beforehand runs without a question, after a crash too, until it is taken back", async ({ chat, open }) => {
  const replies = [];
  const again = () => later(() => replies[0]);
  const { desk } = await open(again(), says("Written."), again(), says("Once more."), later(() => replies[1]), says("Not that."), again(), says("Last."));
  replies.push(callsAll(write(desk, "a")), callsAll(write(desk, "b")));
  await chat.inline(at(desk));
  await chat.asksApproval("Write a file");
  await chat.waitsForDecision();
  await chat.press(chat.button("Approve and don't ask again"));
  await expect(chat.role("radio", { name: "In this conversation" })).toBeChecked();
  await expect(chat.role("checkbox", { name: "Only with the same “path”" })).toBeChecked();
  await chat.press(chat.button("Approve and allow"));
  await expect(chat.lastMessage).toContainText("Written.");
  await chat.isAnswered();

  // Given, and not yet used.
  await desk.killed();
  rmSync(join(desk.files, "a"));
  await chat.ask("The same again");
  await expect(chat.lastMessage).toContainText("Once more.");
  await expect(chat.approval).toHaveCount(1);
  expect(written(desk, "a")).toEqual([true]);
  // The step says why it ran, and leads to what is allowed.
  await chat.part("activity").last().getByRole("button").first().click();
  await chat.part("activity").last().getByRole("button", { name: "You allowed this" }).click();
  await expect(chat.role("dialog", { name: "What I allowed" })).toContainText("used once");
  await chat.page.keyboard.press("Escape");

  await chat.ask("Another file");
  await expect(chat.approval).toHaveCount(2);
  await chat.press(chat.button("Deny"));
  await expect(chat.lastMessage).toContainText("Not that.");
  await chat.isAnswered();
  expect(written(desk, "b")).toEqual([false]);

  await chat.button("More").click();
  await chat.role("menuitem", { name: "What I allowed" }).click();
  const list = chat.role("dialog", { name: "What I allowed" });
  await expect(list).toContainText("Write file");
  await expect(list).toContainText("In “Write a file”, used once");
  await list.getByRole("button", { name: "Stop allowing" }).click();
  await expect(list).toContainText("Nothing.");
  await chat.page.keyboard.press("Escape");
  await expect(chat.button("More")).toBeFocused();
  await chat.ask("The same once more");
  await expect(chat.approval).toHaveCount(3);
  await expect(chat.approval.last()).toHaveAttribute("data-state", "pending");
});

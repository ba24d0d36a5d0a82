// Several chats on one page, and several conversations in one chat, each with something to decide.

import { Chat, expect, test } from "../../fixtures.js";
import { answers } from "./posts.js";
import { asked, request, storeRequest, tool } from "./tools.js";
import { kept } from "./vault.js";

test("two chats of one page that submit at the same moment post once", async ({ page, chat }) => {
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  const requests = chat.record();
  await chat.element.evaluate((element) => element.after(element.cloneNode()));
  const pair = [0, 1].map((place) => new Chat(page, chat.user, page.locator("assent-chat").nth(place)));
  for (const one of pair) await expect(one.approval).toHaveAttribute("data-state", "pending");
  await pair[0].decide("refund_payment", "Approve");
  await pair[1].decide("refund_payment", "Deny");
  await page.evaluate(() => {
    const named = (element) => [...element.shadowRoot.querySelectorAll("button")].find((button) => button.textContent === "Submit decisions");
    for (const button of [...document.querySelectorAll("assent-chat")].map(named)) button.click();
  });
  for (const one of pair) await expect(one.approval).toHaveAttribute("data-state", "answered");
  expect(answers(requests)).toHaveLength(1);
  const states = await Promise.all(pair.map((one) => one.tool("refund_payment").getAttribute("data-state")));
  expect(new Set(states).size).toBe(1);
  expect(await kept(pair[0])).toEqual([]);
});

test("a decision is sent while another conversation is being answered", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")], { threads: "side" });
  await chat.newThread.click();
  await chat.say("Count to three");
  const counting = await scripted.nextPost();
  counting.begin();
  counting.say("One, two");
  await expect(chat.lastMessage).toContainText("One, two");
  await chat.threads.filter({ hasText: "Needs approval" }).click();
  await chat.decide("one", "Approve");
  await chat.submit();
  const answer = await scripted.nextPost();
  expect(answer.content[0].toolApprovalResult[0].approvalResult).toBe("APPROVED");
  counting.complete("One, two, three");
  answer.answer("Fine.");
  await expect(chat.lastMessage).toContainText("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await chat.threads.and(chat.element.locator("[aria-current=true]")).click();
  await expect(chat.transcript).toContainText("Fine.");
});

test("two conversations wait at once, and each is answered in its own", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")], { threads: "side" });
  await chat.newThread.click();
  await chat.say("And this");
  const post = await scripted.nextPost();
  // The same ids: only the conversation differs.
  storeRequest(scripted, post.thread, tool("b", "one"));
  request(post, tool("b", "one"));
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.decide("one", "Deny");
  await chat.submit();
  const answer = await scripted.nextPost();
  expect(answer.thread).toBe(post.thread);
  answer.answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await chat.threads.filter({ hasText: "Needs approval" }).click();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
});

test("choices in two cards do not touch each other, whatever the ids are", async ({ chat, scripted }) => {
  const named = (batch, id, name) => tool(batch, name, { toolExecutionId: id });
  await asked(chat, scripted, [named("a/b", "c", "one"), named("a", "b/c", "two")]);
  await expect(chat.approval).toHaveCount(2);
  await chat.decide("one", "Approve");
  await chat.decide("two", "Deny");
  await expect(chat.tool("one").getByRole("radio", { name: "Approve" })).toBeChecked();
  await expect(chat.tool("two").getByRole("radio", { name: "Deny" })).toBeChecked();
});

test("a conversation that is deleted takes what it waited for along", async ({ chat }) => {
  await chat.launcher();
  await chat.button("Open chat").click();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.threadsToggle.click();
  await chat.choose("approve one", "Delete");
  await chat.dialog.getByRole("button", { name: "Delete" }).click();
  await expect(chat.threads).toHaveCount(0);
  await chat.button("Close chat").click();
  await expect(chat.part("badge")).toBeHidden();
  expect(await kept(chat)).toEqual([]);
});

test("another user in the same element is asked nothing", async ({ chat }) => {
  await chat.launcher();
  await chat.button("Open chat").click();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.button("Close chat").click();
  await expect(chat.part("badge")).toBeVisible();
  await chat.element.evaluate((element) => element.setAttribute("user-id", "somebody-else-in-this-element"));
  await expect(chat.part("badge")).toBeHidden();
  await chat.button("Open chat").click();
  await expect(chat.input).toBeVisible();
  await expect(chat.approval).toHaveCount(0);
});

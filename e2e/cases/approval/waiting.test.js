// While a decision is pending: what can be written, and who learns that somebody is needed.

import { expect, test } from "../../fixtures.js";
import { answers, posted, results } from "./posts.js";
import { asked, tool } from "./tools.js";

const question = (chat) => chat.role("group", { name: "What should happen with your message?" });
const texts = (requests) => posted(requests).map((body) => body.content.find((item) => item.type === "text")?.text);

/** Sends a text while one tool waits, which asks what is meant. */
async function sendMeanwhile(chat, text) {
  await chat.inline();
  await chat.say("approve one");
  await chat.waitsForDecision();
  await chat.say(text);
  await expect(question(chat)).toBeVisible();
  await expect(chat.input).toHaveValue(text);
}

test("as feedback it stops the actions with these words", async ({ chat }) => {
  const requests = chat.record();
  await sendMeanwhile(chat, "Take order 4712 instead");
  await chat.button("Stop the actions and send as feedback").click();
  await expect(chat.lastMessage).toContainText("I stopped and paid nothing");
  await expect(chat.lastMessage).toContainText("Take order 4712 instead");
  await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "ABORTED_WITH_FEEDBACK");
  await expect(chat.input).toHaveValue("");
  expect(answers(requests)).toHaveLength(1);
  expect(results(answers(requests)[0])[0].approvalResult).toBe("ABORTED_WITH_FEEDBACK");
  expect(texts(requests)).toEqual(["approve one", "Take order 4712 instead"]);
  await expect(chat.own).toHaveCount(2);
});

test("afterwards it is sent by itself, once, when the answer is whole", async ({ chat }) => {
  const requests = chat.record();
  await sendMeanwhile(chat, "hello");
  await chat.button("Send after the decision").click();
  await expect(question(chat)).toHaveCount(0);
  await expect(chat.input).toHaveValue("");
  await expect(chat.part("composer")).toContainText("Will be sent when the agent has finished:");
  await expect(chat.part("composer")).toContainText("hello");
  expect(posted(requests)).toHaveLength(1);
  await chat.decide("refund_payment", "Approve");
  await chat.submit();
  await expect(chat.own).toHaveCount(2);
  await expect(chat.own.last()).toContainText("hello");
  await expect(chat.messages).toHaveCount(5);
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(chat.part("composer")).not.toContainText("Will be sent");
  expect(texts(requests)).toEqual(["approve one", undefined, "hello"]);
});

test("afterwards means after a second request, too", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve twice");
  await chat.waitsForDecision();
  await chat.say("hello");
  await chat.button("Send after the decision").click();
  await chat.decide("read_customer", "Approve");
  await chat.submit();
  await expect(chat.tool("update_customer")).toBeVisible();
  await expect(chat.part("composer")).toContainText("Will be sent when the agent has finished:");
  await chat.decide("update_customer", "Deny");
  await chat.submit();
  await expect(chat.own.last()).toContainText("hello");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  expect(texts(requests)).toEqual(["approve twice", undefined, undefined, "hello"]);
});

test("what waits can be taken back", async ({ chat }) => {
  const requests = chat.record();
  await sendMeanwhile(chat, "hello");
  await chat.button("Send after the decision").click();
  await chat.button("Take back").click();
  await expect(chat.input).toHaveValue("hello");
  await expect(chat.input).toBeFocused();
  await chat.decide("refund_payment", "Deny");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Nothing was paid out");
  await expect(chat.input).toHaveValue("hello");
  expect(posted(requests)).toHaveLength(2);
});

test("a text sent meanwhile asks what is meant; keep writing leaves all as it was, and it can be sent after the decision", async ({ chat }) => {
  const requests = chat.record();
  await sendMeanwhile(chat, "hello");
  await expect(question(chat).getByRole("button")).toHaveText([
    "Stop the actions and send as feedback",
    "Send after the decision",
    "Keep writing",
  ]);
  expect(posted(requests)).toHaveLength(1);
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.button("Keep writing").click();
  await expect(question(chat)).toHaveCount(0);
  await expect(chat.input).toHaveValue("hello");
  await expect(chat.input).toBeFocused();
  await chat.decide("refund_payment", "Deny");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Nothing was paid out");
  // Until the answer and its stream have ended, the text would have to wait again.
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(chat.stop).toHaveCount(0);
  await chat.input.press("Enter");
  await expect(chat.own).toHaveCount(2);
  expect(texts(requests)).toEqual(["approve one", undefined, "hello"]);
});

test("a text waits through an answer that fails, as a draft", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await chat.say("hello");
  await chat.button("Send after the decision").click();
  await chat.decide("one", "Approve");
  await chat.submit();
  const answer = await scripted.nextPost();
  answer.begin();
  answer.send("ERROR", "The agent is away.");
  answer.end();
  await expect(chat.input).toHaveValue("hello");
  await expect(chat.stop).toHaveCount(0);
  expect(scripted.to("post")).toHaveLength(2);
});

test("a conversation that is not shown has a mark until it is answered", async ({ chat }) => {
  await chat.inline({ threads: "side" });
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  const row = chat.threads.filter({ hasText: "approve one" });
  await chat.newThread.click();
  await chat.ask("hello");
  await expect(row).toContainText("Needs approval");
  await expect(row).toHaveAccessibleName("approve one");
  await expect(row).toHaveAccessibleDescription("Needs approval");
  await expect(chat.threads.filter({ hasText: "hello" })).not.toContainText("Needs approval");
  await row.click();
  await chat.decide("refund_payment", "Deny");
  await chat.submit();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(row).not.toContainText("Needs approval");
});

test("the mark is there after a reload, and goes when another tab answers", async ({ page, chat }) => {
  await chat.inline({ threads: "side" });
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.newThread.click();
  await chat.ask("hello");
  await page.reload();
  const row = chat.threads.filter({ hasText: "approve one" });
  await expect(row).toContainText("Needs approval");
  const other = await chat.tab();
  await other.inline({ threads: "side" });
  await other.thread("approve one").click();
  await other.decide("refund_payment", "Deny");
  await other.submit();
  await expect(other.approval).toHaveAttribute("data-state", "answered");
  await expect(row).not.toContainText("Needs approval");
});

test("the closed launcher counts the actions, says it, and stops when they are answered", async ({ chat }) => {
  const [badge, said] = [chat.part("badge"), chat.element.locator("#waiting")];
  await chat.launcher();
  await expect(badge).toBeHidden();
  await chat.button("Open chat").click();
  await chat.say("approve three");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await expect(badge).toBeHidden();
  await chat.button("Close chat").click();
  await expect(badge).toBeVisible();
  await expect(badge).toHaveText("3");
  await expect(said).toHaveText("3 actions need your approval");
  await expect(chat.part("launcher")).toHaveAccessibleName("Open chat");
  await expect(chat.part("launcher")).toHaveAccessibleDescription("3 actions need your approval");
  await chat.button("Open chat").click();
  await expect(badge).toBeHidden();
  await chat.button("Deny all").click();
  await chat.submit();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await chat.button("Close chat").click();
  await expect(badge).toBeHidden();
  await expect(said).toHaveText("");
});

test("the badge goes when another tab answers", async ({ chat }) => {
  await chat.launcher();
  await chat.button("Open chat").click();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  const other = await chat.tab();
  await other.inline();
  await chat.button("Close chat").click();
  await expect(chat.part("badge")).toHaveText("1");
  await other.decide("refund_payment", "Deny");
  await other.submit();
  await expect(chat.part("badge")).toBeHidden();
});

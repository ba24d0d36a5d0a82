// Several tabs of one browser, and other devices: one answer, and everybody sees the truth.

import { expect, test } from "../../fixtures.js";
import { answers, posted, results } from "./posts.js";
import { asked, tool } from "./tools.js";
import { kept, keptRequests } from "./vault.js";

const ELSEWHERE = "This was decided somewhere else; what was chosen here was not used.";

test("two tabs that submit at the same moment post once, and both end with the truth", { tag: "@firefox" }, async ({ chat, service }) => {
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  const other = await chat.tab();
  const requests = [chat.record(), other.record()];
  await other.inline();
  await expect(other.approval).toHaveAttribute("data-state", "pending");
  await chat.decide("refund_payment", "Approve");
  await other.decide("refund_payment", "Deny");
  const buttons = await Promise.all([chat, other].map((tab) => tab.button("Submit decisions").elementHandle()));
  await Promise.all(buttons.map((button) => button.evaluate((button) => button.click())));
  for (const tab of [chat, other]) await expect(tab.approval).toHaveAttribute("data-state", "answered");
  const sent = requests.flatMap(answers);
  expect(sent).toHaveLength(1);
  const [{ approvalResult }] = results(sent[0]);
  for (const tab of [chat, other]) await expect(tab.tool("refund_payment")).toHaveAttribute("data-state", approvalResult);
  const [winner, loser] = approvalResult === "APPROVED" ? [chat, other] : [other, chat];
  await expect(loser.approval).toContainText(ELSEWHERE);
  await expect(winner.approval).not.toContainText(ELSEWHERE);
  const [thread] = await service.threads();
  const stored = (await service.messages(thread.id)).flatMap((message) => message.toolExecutionHumanApprovalRequest ?? []);
  expect(stored.map((run) => run.status)).toEqual([approvalResult]);
});

test("while one tab's answer is on its way another posts nothing, and learns what became of it", async ({ chat, scripted }) => {
  const { decide } = await asked(chat, scripted, [tool("b", "one")]);
  const other = await chat.tab();
  await other.inline({ "base-url": scripted.origin });
  await chat.decide("one", "Approve");
  await other.decide("one", "Deny");
  await chat.submit();
  const answer = await scripted.nextPost();
  await other.submit();
  await expect(other.approval).toHaveAttribute("data-state", "submitting");
  await expect(other.approval).toContainText("Another tab is answering this. What you chose here was not sent.");
  decide("APPROVED");
  answer.answer("Fine.");
  await expect(other.approval).toHaveAttribute("data-state", "answered");
  await expect(other.tool("one")).toHaveAttribute("data-state", "APPROVED");
  await expect(other.approval).toContainText(ELSEWHERE);
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(scripted.to("post")).toHaveLength(2);
});

test("an answer in one tab shows in the other without a reload, and nothing can be posted there", async ({ chat }) => {
  await chat.inline();
  await chat.say("approve three");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  const other = await chat.tab();
  const requests = other.record();
  await other.inline();
  await other.decide("send_email", "Approve");
  await chat.button("Deny all").click();
  await chat.submit();
  await expect(other.approval).toHaveAttribute("data-state", "answered");
  await expect(other.approval).toContainText(ELSEWHERE);
  await expect(other.tool("send_email")).toHaveAttribute("data-state", "DENIED");
  await expect(other.button("Submit decisions")).toHaveCount(0);
  await expect(other.approval.getByRole("radio")).toHaveCount(0);
  await expect(other.transcript).toContainText("Nothing was done");
  expect(answers(requests)).toEqual([]);
});

test("a request that arrives in one tab can be answered in another that was open before", { tag: "@firefox" }, async ({ chat }) => {
  await chat.inline();
  await chat.ask("hello");
  const other = await chat.tab();
  await other.inline();
  await expect(other.messages).toHaveCount(2);
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  // The card comes by one way, and what it is answered with by another.
  await expect.poll(() => kept(other)).toHaveLength(1);
  await other.decide("refund_payment", "Approve");
  await other.submit();
  await expect(other.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "APPROVED");
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  await expect.poll(() => kept(chat)).toEqual([]);
});

test("words that can no longer stop anything are in the message box", async ({ chat }) => {
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  const other = await chat.tab();
  await other.inline();
  await other.button("Stop and give feedback").click();
  await other.role("textbox", { name: "Feedback" }).fill("Take order 4712 instead");
  await chat.decide("refund_payment", "Deny");
  await chat.submit();
  await expect(other.approval).toHaveAttribute("data-state", "answered");
  await expect(other.input).toHaveValue("Take order 4712 instead");
});

test("a text that waits for the decision is a draft once somebody else has decided", async ({ chat }) => {
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  const other = await chat.tab();
  const requests = other.record();
  await other.inline();
  await other.waitsForDecision();
  await other.say("and then?");
  await other.button("Send after the decision").click();
  await chat.decide("refund_payment", "Deny");
  await chat.submit();
  await expect(other.approval).toHaveAttribute("data-state", "answered");
  await expect(other.input).toHaveValue("and then?");
  expect(posted(requests)).toEqual([]);
});

test.describe("on another device", () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test("an answer that came too late changes nothing, and the card says what became of it", async ({ chat, service }) => {
    await chat.inline();
    await chat.say("approve one");
    await chat.decide("refund_payment", "Approve");
    const [request] = await keptRequests(chat);
    const [thread] = await service.threads();
    const denied = [{ type: "tool_approval_result", toolApprovalResult: [{ ...request, approvalResult: "DENIED" }] }];
    await service.call("POST", `/${thread.id}/messages`, { content: denied });
    const requests = chat.record();
    await chat.submit();
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
    await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "DENIED");
    await expect(chat.approval).toContainText(ELSEWHERE);
    await expect(chat.lastMessage).toContainText("Nothing was paid out");
    expect(answers(requests)).toHaveLength(1);
    expect(await kept(chat)).toEqual([]);
    await chat.ask("hello");
  });
});

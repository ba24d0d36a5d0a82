// Several tabs of one browser: one answer, and everybody sees the truth.

import { expect, test } from "../../fixtures.js";
import { answers, results } from "./posts.js";
import { kept } from "./pending.js";

const ELSEWHERE = "Already decided in another tab or device.";

test("two tabs that submit at the same moment post once, and both end with the truth", { tag: "@firefox" }, async ({ chat, service }) => {
  await chat.inline();
  await chat.asksApproval("approve one");
  const other = await chat.tab();
  const requests = [chat.record(), other.record()];
  await other.inline();
  await expect(other.approval).toHaveAttribute("data-state", "pending");
  const buttons = await Promise.all([chat.verdict("refund_payment", "Approve"), other.verdict("refund_payment", "Deny")].map((button) => button.elementHandle()));
  for (const button of buttons) await button.waitForElementState("enabled");
  await Promise.all(buttons.map((button) => button.evaluate((button) => button.click())));
  for (const tab of [chat, other]) await expect(tab.approval).toHaveAttribute("data-state", "answered");
  const sent = requests.flatMap(answers);
  expect(sent).toHaveLength(1);
  const [{ approvalResult }] = results(sent[0]);
  for (const tab of [chat, other]) await expect(tab.tool("refund_payment")).toHaveAttribute("data-state", approvalResult);
  const [winner, loser] = approvalResult === "APPROVED" ? [chat, other] : [other, chat];
  await expect(loser.approval).toContainText(ELSEWHERE);
  await expect(winner.approval).not.toContainText(ELSEWHERE);
  expect(await service.statuses()).toEqual([approvalResult]);
});

test("a request that arrives in one tab can be answered in another that was open before", { tag: "@firefox" }, async ({ chat }) => {
  await chat.inline();
  await chat.ask("hello");
  const other = await chat.tab();
  await other.inline();
  await expect(other.messages).toHaveCount(2);
  await chat.asksApproval("approve one");
  // The card comes by one way, and what it is answered with by another.
  await expect.poll(() => kept(other)).toHaveLength(1);
  await other.decide("refund_payment", "Approve");
  await other.submit();
  await expect(other.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "APPROVED");
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  await expect.poll(() => kept(chat)).toEqual([]);
});

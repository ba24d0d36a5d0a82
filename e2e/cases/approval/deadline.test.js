// The end of waiting for a decision (extension `expiry`), as the card tells it.

import { expect, test } from "../../fixtures.js";
import { request, stored, tool } from "../../servers/approvals.js";

const MINUTE = 60_000;

/** A chat whose agent waits ten minutes for a decision about one tool; returns the thread, and when it was asked. */
async function asked(page, chat, scripted) {
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin });
  const post = await chat.post(scripted, "Do it");
  const at = await page.evaluate(() => Date.now());
  const item = tool("b", "one", { expiresAt: new Date(at + 10 * MINUTE).toISOString() });
  const store = (status, more) => {
    const waiting = stored(item, status, { expiresAt: item.expiresAt, ...more });
    return scripted.store(post.thread, "assistant", "", { handle: "@scripted", toolExecutionHumanApprovalRequest: [waiting] });
  };
  request(post, item);
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await expect(chat.stop).toHaveCount(0);
  return { store };
}

test("the time that is left is told from half of it on, and its end is not a person's @firefox", async ({ page, chat, scripted }) => {
  const { store } = await asked(page, chat, scripted);
  const line = chat.approval.locator(".deadline");
  const said = chat.approval.getByRole("status");
  await page.clock.runFor(4 * MINUTE);
  await expect(line).toHaveText("");
  await page.clock.runFor(2 * MINUTE);
  await expect(line).toHaveText(/^4 minutes left to decide, until /);
  await expect(said.filter({ hasText: /decide|decision/ })).toHaveCount(0);
  await page.clock.runFor(3 * MINUTE + 30_000);
  await expect(line).toHaveText(/^(2\d|30) s left to decide$/);
  await expect(said.filter({ hasText: "Less than a minute is left to decide." })).toHaveCount(1);
  store("DENIED", { decidedBy: "timeout" });
  await page.clock.runFor(40_000);
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("one")).toContainText("No decision in time: nothing was done.");
  await expect(chat.approval).not.toContainText("Decided somewhere else");
});

test("a decision before the end is sent, and nothing is said of an end any more", async ({ page, chat, scripted }) => {
  await asked(page, chat, scripted);
  await page.clock.runFor(6 * MINUTE);
  await expect(chat.approval.locator(".deadline")).toHaveText(/left to decide/);
  await chat.verdict("one", "Deny").click();
  const answer = await scripted.nextPost();
  expect(JSON.stringify(answer.content)).toContain("expiresAt");
  answer.answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.approval.locator(".deadline")).toHaveCount(0);
});

// Nothing runs without a decision, a batch is decided and sent as a whole, and what was asked goes back unchanged.

import { expect, test } from "../../fixtures.js";
import { json } from "../../servers/scripted.js";
import { reach } from "../keyboard/reach.js";
import { posted, verdicts } from "./posts.js";
import { tool } from "../../servers/approvals.js";
import { asked } from "./asked.js";

test("one tool: it is shown whole, waits, and is approved", { tag: "@firefox" }, async ({ chat, service }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.asksApproval("approve one");
  const card = chat.tool("refund_payment");
  await expect(card).toHaveAttribute("data-state", "PENDING_HUMAN_APPROVAL");
  for (const text of ["Payments", "Finance", "4711", "49.90 EUR", "Card ending in 4242", "Arrived broken"]) {
    await expect(card).toContainText(text);
  }
  await expect(chat.button("Deny with a note…")).toBeVisible();
  for (const name of ["Approve all", "Deny all", /^Submit/]) await expect(chat.role("button", { name })).toHaveCount(0);
  expect(posted(requests)).toHaveLength(1);
  await chat.decide("refund_payment", "Approve");
  await expect(chat.input).toBeFocused();
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(card).toHaveAttribute("data-state", "APPROVED");
  await expect(card).toContainText("Approved");
  const [, answer] = posted(requests);
  expect(answer.content).toHaveLength(1);
  expect(verdicts(answer)).toEqual(["refund_payment: APPROVED"]);
  expect(await service.statuses()).toEqual(["APPROVED"]);
});

test("several tools: each is chosen for, and all are sent together", { tag: "@firefox" }, async ({ chat, service }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.asksApproval("approve three");
  await chat.waitsForDecision();
  await expect(chat.approval).toContainText("3 actions need your approval. Nothing runs until you decide.");
  await expect(chat.submitButton).toHaveAccessibleName("Submit");
  await expect(chat.submitButton).toBeDisabled();
  const verdicts = { refund_payment: "Approve", send_email: "Deny", delete_file: "Approve" };
  for (const [tool, verdict] of Object.entries(verdicts)) {
    await expect(chat.verdict(tool, verdict)).toHaveAttribute("aria-pressed", "false");
    await chat.decide(tool, verdict);
    await expect(chat.verdict(tool, verdict)).toHaveAttribute("aria-pressed", "true");
  }
  expect(posted(requests)).toHaveLength(1);
  await expect(chat.submitButton).toHaveAccessibleName("Submit: 2 approved, 1 denied");
  await chat.submit();
  await expect(chat.input).toBeFocused();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  expect(await service.statuses()).toEqual(["APPROVED", "DENIED", "APPROVED"]);
});

test("what was not on the screen yet is reviewed before all is approved", async ({ page, chat }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  await chat.inline();
  await chat.asksApproval("approve three");
  const all = chat.role("button", { name: /^(Review next|Approve all)$/ });
  const chosen = chat.approval.getByRole("button", { name: "Approve", exact: true, pressed: true });
  await expect(all).toHaveAccessibleName("Review next");
  await expect(all).toHaveAccessibleDescription(/not reviewed yet\.$/);
  await all.press("Enter");
  await expect(chosen).toHaveCount(0);
  // Each press shows one more, until all were on the screen: then it approves.
  await expect(async () => {
    await all.press("Enter");
    await expect(chosen).toHaveCount(3, { timeout: 500 });
  }).toPass();
});

test("the foot of the card stays in view, and so do the words of the agent above it", async ({ page, chat }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await chat.inline();
  await chat.asksApproval("approve three");
  await chat.waitsForDecision();
  await expect(chat.submitButton).toBeInViewport({ ratio: 1 });
  await expect(chat.approval).toContainText("0 of 3 decided");
  const above = await chat.lastMessage.locator(".answer").evaluate((answer) => {
    const area = answer.closest("[part=transcript]").getBoundingClientRect();
    return answer.getBoundingClientRect().bottom - area.top;
  });
  expect(above).toBeGreaterThan(16);
  await expect(chat.part("jump")).toHaveCount(0);
});

test.describe("a refusal", () => {
  test.use({ expectedConsole: /Failed to load resource.* 400/ });

  test("a refused decision is shown, with its reason and what to do", async ({ page, chat, scripted }) => {
    await page.setViewportSize({ width: 360, height: 480 });
    await asked(chat, scripted, ["one", "two", "three"].map((name) => tool("b", name)));
    scripted.on.post = (_, response) => json(response, 400, { error: "The answer does not fit" });
    await chat.button("Deny all").press("Enter");
    await chat.submit();
    await expect(chat.alert).toHaveText("Your decision was not accepted: The answer does not fit. Check it and submit again.");
    await expect(chat.alert).toBeInViewport();
    await expect(chat.submitButton).toBeEnabled();
  });
});

test("a mouse in a tool is no look at all of its request", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 360, height: 480 });
  const toolArguments = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`field ${at}`, "1"]));
  await asked(chat, scripted, [tool("b", "pay", { toolArguments })]);
  // At once to its end: what is between was never there.
  await chat.verdict("pay", "Deny").scrollIntoViewIfNeeded();
  await chat.tool("pay").click({ position: { x: 4, y: 4 } });
  await expect(chat.verdict("pay", "Approve")).toBeDisabled();
  await reach(page, chat.verdict("pay", "Deny"));
  await expect(chat.verdict("pay", "Approve")).toBeEnabled();
});

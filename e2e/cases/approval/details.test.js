// What became of a tool run, at its card, for whoever asks later (extension `executions`).

import { expect, test } from "../../fixtures.js";
import { tool } from "../../servers/approvals.js";
import { json } from "../../servers/scripted.js";
import { asked } from "./asked.js";

const AT = "2026-01-31T12:00:00.000Z";
const step = (name, hash, more = {}) => ({ step: name, at: AT, hash, ...more });
const details = (chat, name) => chat.tool(name).getByRole("button", { name: "Details", exact: true });

/** Denies a request, and waits until the card is decided. */
async function denied(chat, scripted) {
  await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Deny");
  (await scripted.nextPost()).answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
}

test.describe("a service that tells it", () => {
  test.use({ expectedConsole: /Failed to load resource.* 500 / });
  test("each step is told in words, and a step with other arguments is marked", { tag: "@firefox" }, async ({ chat, scripted }) => {
    scripted.extensions = "cancel, executions";
    const steps = [
      step("proposed", "a1", { arguments: '{"path":"/one","mode":1}' }),
      step("shown", "a1", { arguments: '{"path":"/one","mode":1}', by: "rule", rule: "ask \u202efiles", policy: "0123456789ab" }),
      step("decided", "b2", { decision: "approved", by: "person", grantId: "grant-1" }),
      step("effective", "b2", { arguments: '{"path":"/two","more":true}' }),
      step("run", "b2"),
      step("result", "c3", { outcome: "succeeded", text: "It is <b>done</b>." }),
    ];
    let fails = true;
    scripted.on.execution = (_, response) => (fails ? json(response, 500, {}) : json(response, 200, { toolExecutionId: "execution-one", steps }));
    await denied(chat, scripted);
    expect(scripted.requests.filter((it) => it.endpoint === "execution")).toEqual([]);

    const button = details(chat, "one");
    await expect(button).toHaveAttribute("aria-expanded", "false");
    await button.click();
    await expect(chat.tool("one")).toContainText("What happened could not be loaded.");
    fails = false;
    await chat.tool("one").getByRole("button", { name: "Try again" }).click();
    await expect(button).toBeFocused();
    const items = chat.tool("one").getByRole("listitem");
    await expect(items).toHaveCount(6);
    const { path } = scripted.requests.findLast((it) => it.endpoint === "execution");
    expect(path).toBe("/api/assistants/executions/execution-one");

    await expect(items.nth(0)).toContainText("Proposed by the agent");
    await expect(items.nth(0)).toContainText("path: /one");
    await expect(items.nth(0)).toContainText("SHA-256 a1");
    await expect(items.nth(0).locator("time")).toHaveAttribute("datetime", AT);
    await expect(items.nth(1)).toContainText("Shown to you");
    await expect(items.nth(1)).toContainText("version 0123456789ab of the policy");
    await expect(items.nth(1)).not.toContainText("\u202e");
    await expect(items.nth(1)).not.toContainText("path:");
    await expect(items.nth(2)).toContainText("Approved");
    await expect(items.nth(2)).toContainText("by a person");
    await expect(items.nth(2)).toContainText("and allowed from now on");
    await expect(items.nth(3)).toContainText("May run");
    await expect(items.nth(3)).toContainText("Changed path: /two");
    await expect(items.nth(3)).toContainText("New more: true");
    await expect(items.nth(3)).toContainText("Not included any more mode: 1");
    await expect(items.nth(4)).toContainText("Began to run");
    await expect(items.nth(5)).toContainText("Succeeded");
    await expect(items.nth(5)).toContainText("It is <b>done</b>.");
    // The arguments of the decision are other ones than those that were shown, and nothing else is.
    await expect(items.filter({ hasText: "Not the arguments of the step before" })).toHaveCount(1);
    await expect(items.nth(2)).toContainText("Not the arguments of the step before");

    await button.click();
    await expect(items).toHaveCount(0);
  });
});

test("a service that does not tell it is not asked, and a card that waits has no details", async ({ chat, scripted }) => {
  await denied(chat, scripted);
  await expect(details(chat, "one")).toHaveCount(0);
  expect(scripted.requests.filter((it) => it.endpoint === "execution")).toEqual([]);
});

test("the service of this repository tells the steps of its agents", async ({ chat }) => {
  await chat.inline();
  await chat.asksApproval("approve one");
  await expect(details(chat, "refund_payment")).toHaveCount(0);
  await chat.decide("refund_payment", "Approve");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await details(chat, "refund_payment").click();
  const items = chat.tool("refund_payment").getByRole("listitem");
  await expect(items).toContainText([/Proposed by the agent/, /Shown to you/, /Approved.*by a person/, /May run/]);
  await expect(items.filter({ hasText: "Not the arguments" })).toHaveCount(0);
});

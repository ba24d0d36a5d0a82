// Arguments that a person corrects before approving, where the service lets them.

import { expect, test } from "../../fixtures.js";
import { tool } from "../../servers/approvals.js";
import { json } from "../../servers/scripted.js";
import { asked } from "./asked.js";

const BODY = { "/body": '{"type":"string","maxLength":12}', "/copies": '{"type":"integer","minimum":1}' };

function mail(name = "send") {
  return tool("b", name, {
    toolArguments: { to: "ann@example.org", body: "Hello you", copies: "1" },
    editable: ["/body", "/copies"],
    editableSchemas: BODY,
  });
}

/** Opens the text field of an argument. */
async function edit(chat, name) {
  const field = chat.approval.getByRole("textbox", { name });
  // A click on what has just appeared under the pointer counts for nothing.
  await expect(async () => {
    await chat.approval.getByRole("button", { name: `Edit ${name}`, expanded: false }).click();
    await expect(field).toBeFocused({ timeout: 500 });
  }).toPass();
  return field;
}

test("a corrected value is shown as a difference and goes with the approval", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await asked(chat, scripted, [mail()]);
  await expect(chat.approval.getByRole("button", { name: /^Edit/ })).toHaveText(["Edit body", "Edit copies"]);
  const body = await edit(chat, "body");
  await expect(body).toHaveValue("Hello you");
  await body.fill("Hello Ann");
  await expect(chat.approval.locator(".difference")).toContainText("Hello Ann");
  await expect(chat.approval.locator(".difference")).toContainText("Was:");
  await chat.approval.getByRole("button", { name: "Close" }).click();
  await expect(body).toHaveCount(0);
  await expect(chat.approval.getByRole("button", { name: "Edit body" })).toBeFocused();
  await expect(async () => {
    await chat.verdict("send", "Approve").click({ timeout: 500 });
    await expect(chat.approval).toHaveAttribute("data-state", "submitting", { timeout: 500 });
  }).toPass();
  const post = await scripted.nextPost();
  const [result] = post.content[0].toolApprovalResult;
  expect(result.editedArguments).toEqual({ to: "ann@example.org", body: "Hello Ann", copies: "1" });
  expect(result.toolArguments).toEqual({ to: "ann@example.org", body: "Hello you", copies: "1" });
  post.answer("Sent.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.approval).toContainText("You changed body");
  await chat.approval.getByRole("button", { name: /^Arguments of/ }).click();
  await expect(chat.approval.locator(".difference")).toContainText("Hello Ann");
});

test("what the tool does not take is said while typing, and nothing is approved with it", async ({ chat, scripted }) => {
  await asked(chat, scripted, [mail()]);
  const copies = await edit(chat, "copies");
  for (const [value, sentence] of [
    ["two", "This has to be a whole number."],
    ["1.5", "This has to be a whole number."],
    ["0", "Too small: 1 at least"],
  ]) {
    await copies.fill(value);
    await expect(copies).toHaveAttribute("aria-invalid", "true");
    await expect(copies).toHaveAccessibleDescription(sentence);
    await expect(chat.verdict("send", "Approve")).toBeDisabled();
    await expect(chat.approval).toContainText("Correct what you changed to approve.");
  }
  // It stays while the field is closed, and can be denied.
  await copies.press("Escape");
  await expect(chat.approval).toBeVisible();
  await expect(chat.verdict("send", "Approve")).toBeDisabled();
  await expect(chat.verdict("send", "Deny")).toBeEnabled();
  await edit(chat, "copies");
  await chat.approval.getByRole("button", { name: "Undo change" }).click();
  await expect(copies).toHaveValue("1");
  await expect(copies).toHaveAttribute("aria-invalid", "false");
  await expect(chat.verdict("send", "Approve")).toBeEnabled();
  await expect(chat.approval.locator(".difference")).toHaveCount(0);
});

test("deceptive characters in a correction are warned of as in a request", async ({ chat, scripted }) => {
  await asked(chat, scripted, [mail()]);
  const body = await edit(chat, "body");
  await body.fill("p\u0430y\u200b");
  await expect(chat.approval.locator(".difference")).toContainText("invisible character");
});

test("the key E opens the first value, and a letter sends nothing", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await asked(chat, scripted, [mail("send"), mail("copy")]);
  const sent = chat.record();
  await chat.input.press("Alt+ArrowUp");
  await expect(chat.tool("send")).toBeFocused();
  await page.keyboard.press("e");
  const body = chat.tool("send").getByRole("textbox", { name: "body" });
  await expect(body).toBeFocused();
  await expect(body).toHaveValue("Hello you");
  // In the field the letters are letters.
  await body.press("End");
  await page.keyboard.type("ade");
  await expect(body).toHaveValue("Hello youade");
  await page.keyboard.press("Escape");
  await expect(chat.tool("send").getByRole("button", { name: "Edit body" })).toBeFocused();
  await page.keyboard.press("a");
  await expect(chat.tool("copy")).toBeFocused();
  await page.keyboard.press("d");
  await expect(chat.submitButton).toBeFocused();
  expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
  await page.keyboard.press("Enter");
  const post = await scripted.nextPost();
  const [first, second] = post.content[0].toolApprovalResult;
  expect(first.editedArguments.body).toBe("Hello youade");
  expect(second.editedArguments).toBeUndefined();
});

test("without the extension nothing can be changed", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "send")]);
  await expect(chat.verdict("send", "Approve")).toBeEnabled();
  await expect(chat.approval.getByRole("button", { name: /^Edit/ })).toHaveCount(0);
});

test.describe("a refusal", () => {
  test.use({ expectedConsole: /Failed to load resource.* 400/ });

  test("a refused correction is kept, with the sentence of the service at its tool", async ({ chat, scripted }) => {
    await asked(chat, scripted, [mail()]);
    const error = "What was changed is not allowed. No secrets.";
    scripted.on.post = (_, response) =>
      json(response, 400, {
        message: "The decision cannot be taken as it is.",
        error: "Invalid tool approval result",
        details: { batchId: "b", issues: [{ toolExecutionId: "execution-send", error }] },
      });
    const body = await edit(chat, "body");
    await body.fill("Hi secret");
    await chat.verdict("send", "Approve").press("Enter");
    await expect(chat.approval.getByRole("alert").filter({ hasText: "No secrets." })).toBeVisible();
    await expect(chat.approval.locator(".difference")).toContainText("Hi secret");
    await edit(chat, "body");
    await expect(body).toHaveValue("Hi secret");
  });
});

/** What the service has stored of the only request: approved, with these arguments if they were changed. */
function storeApproved(scripted, thread, edited) {
  const message = scripted.stored.get(thread).find((it) => it.toolExecutionHumanApprovalRequest);
  const [item] = message.toolExecutionHumanApprovalRequest;
  Object.assign(item, { status: "APPROVED" }, edited && { editedArguments: edited });
}

const HELLO_ANN = { to: "ann@example.org", body: "Hello Ann", copies: "1" };

test.describe("a connection that breaks", () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test("what was corrected is told by what is stored, where the answer's stream breaks", { tag: "@firefox" }, async ({ chat, scripted }) => {
    await asked(chat, scripted, [mail()]);
    const body = await edit(chat, "body");
    await body.fill("Hello Ann");
    await chat.verdict("send", "Approve").press("Enter");
    const post = await scripted.nextPost();
    expect(post.content[0].toolApprovalResult[0].editedArguments).toEqual(HELLO_ANN);
    storeApproved(scripted, post.thread, HELLO_ANN);
    post.begin();
    post.cut();
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
    await expect(chat.tool("send")).toHaveAttribute("data-state", "APPROVED");
    await expect(chat.approval).toContainText("You changed body");
  });
});

test("what another tab approved meanwhile is not what is being corrected in this one", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await asked(chat, scripted, [mail()]);
  // A page behind another one has no focus in Firefox.
  const body = await edit(chat, "body");
  await body.fill("Hello Ann");
  await expect(chat.approval.locator(".difference")).toContainText("Hello Ann");
  const other = await chat.tab();
  await other.inline({ "base-url": scripted.origin });
  await expect(other.approval).toHaveAttribute("data-state", "pending");
  await expect(other.approval).not.toContainText("Hello Ann");
  await other.decide("send", "Approve");
  const post = await scripted.nextPost();
  expect(post.content[0].toolApprovalResult[0].editedArguments).toBeUndefined();
  storeApproved(scripted, post.thread);
  post.answer("Sent.");
  for (const tab of [chat, other]) {
    await expect(tab.approval).toHaveAttribute("data-state", "answered");
    await expect(tab.tool("send")).toHaveAttribute("data-state", "APPROVED");
    await expect(tab.approval).not.toContainText("You changed");
    await expect(tab.approval).not.toContainText("Hello Ann");
  }
});

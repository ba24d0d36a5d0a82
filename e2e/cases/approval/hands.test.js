// Quick hands: few keys and one decision for what is alike, and no click that was meant for something else.

import { expect, test } from "../../fixtures.js";
import { tool } from "../../servers/approvals.js";
import { asked } from "./asked.js";

/** Ten calls of one tool with the same value. */
const reads = Array.from({ length: 10 }, (_, n) =>
  tool("batch", "read_file", { toolExecutionId: `execution-${n}`, toolArguments: { path: "/notes" }, grantScopes: ["thread"], grantMaxSeconds: 3600 }),
);

/** Presses a key where the focus is, and counts it. */
function keyboard(page) {
  const count = { keys: 0 };
  const press = async (key) => {
    await page.keyboard.press(key);
    count.keys += 1;
  };
  return { press, count };
}

test("three tools, of which one has to be opened first, take at most ten keys", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 800, height: 900 });
  await asked(chat, scripted, [
    tool("batch", "refund"),
    tool("batch", "send", { toolArguments: { text: "All of it. ".repeat(100) } }),
    tool("batch", "drop"),
  ]);
  await chat.input.press("Alt+ArrowUp");
  const { press, count } = keyboard(page);
  await expect(chat.tool("refund")).toBeFocused();
  await press("a");
  await expect(chat.tool("send")).toBeFocused();
  // What is not read yet is not approved.
  await press("a");
  await expect(chat.tool("send")).toBeFocused();
  const open = chat.tool("send").getByRole("button", { name: /^Show all/ });
  while (!(await open.evaluate((it) => it.matches(":focus")))) await press("Tab");
  await press("Enter");
  await expect(chat.verdict("send", "Approve")).toBeEnabled();
  await press("a");
  await expect(chat.tool("drop")).toBeFocused();
  await press("d");
  await expect(chat.submitButton).toBeFocused();
  await press("Enter");
  await expect(chat.approval).toHaveAttribute("data-state", "submitting");
  expect(count.keys).toBeLessThanOrEqual(10);
});

test("letters alone send nothing", async ({ page, chat, scripted }) => {
  await asked(chat, scripted, [tool("batch", "refund"), tool("batch", "send")]);
  const sent = chat.record();
  await chat.input.press("Alt+ArrowUp");
  for (const key of ["a", "d"]) await page.keyboard.press(key);
  await expect(chat.submitButton).toBeFocused();
  for (const key of ["a", "d", "e", "s"]) await page.keyboard.press(key);
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
});

test("ten equal reads are one decision", async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 800, height: 700 });
  await asked(chat, scripted, reads);
  // All of them are looked at.
  const seen = chat.button("Approve all");
  await expect(async () => {
    // It becomes the other one once the last request was on the screen, which may be just now.
    if (!(await seen.count())) await chat.button("Review next").click({ delay: 20, timeout: 1_000 });
    await expect(seen).toBeVisible({ timeout: 100 });
  }).toPass();
  const last = chat.tool("read_file").last();
  await last.getByRole("button", { name: "Approve and don't ask again" }).click();
  await chat.button("Approve and allow").click();
  await expect(chat.approval.getByRole("status").filter({ hasText: "9 more actions" })).toBeVisible();
  await expect(chat.approval.getByRole("button", { name: "Approve", exact: true, pressed: true })).toHaveCount(9);
  await expect(chat.submitButton).toHaveText("Submit: 10 approved");
  await expect(chat.submitButton).toBeFocused();
  // Each can be decided otherwise.
  await chat.tool("read_file").first().getByRole("button", { name: "Deny", exact: true }).press("Enter");
  await expect(chat.submitButton).toHaveText("Submit: 9 approved, 1 denied");
  await chat.submitButton.press("Enter");
  await expect(chat.approval).toHaveAttribute("data-state", "submitting");
});

test("the click that brings back the window decides nothing, and the next one does", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await asked(chat, scripted, [tool("batch", "refund"), tool("batch", "send")]);
  const deny = chat.verdict("refund", "Deny");
  await deny.hover();
  // The test's browser says that it has the focus, whatever happens.
  await page.evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new FocusEvent("blur"));
    delete document.hasFocus;
  });
  await deny.click();
  await page.evaluate(() => window.dispatchEvent(new FocusEvent("focus")));
  await expect(deny).toHaveAttribute("aria-pressed", "false");
  await expect(async () => {
    await deny.click();
    await expect(deny).toHaveAttribute("aria-pressed", "true", { timeout: 100 });
  }).toPass();
});

test("who comes from a frame of the page needs no second click", async ({ page, chat, scripted }) => {
  await asked(chat, scripted, [tool("batch", "refund"), tool("batch", "send")]);
  await page.evaluate(() => {
    const frame = document.createElement("iframe");
    frame.style.cssText = "position: fixed; inset-block-start: 0; inset-inline-end: 0; inline-size: 150px; block-size: 60px";
    document.body.append(frame);
    frame.contentDocument.body.append(document.createElement("input"));
  });
  await page.frameLocator("iframe").locator("input").click();
  const deny = chat.verdict("refund", "Deny");
  await deny.click();
  await expect(deny).toHaveAttribute("aria-pressed", "true");
});

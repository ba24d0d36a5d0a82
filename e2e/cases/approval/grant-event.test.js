// What the page hears of calls that are allowed beforehand.

import { expect, test } from "../../fixtures.js";
import { tool } from "../../servers/approvals.js";
import { asked } from "./asked.js";

test("the page hears of what is allowed beforehand once the service has it", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one", { grantScopes: ["thread"], grantMaxSeconds: 28800 })]);
  const heard = await chat.listen("grant", "approval-answered");
  const allow = chat.approval.getByRole("button", { name: "Approve and allow" });
  // A click on what has just appeared under the pointer counts for nothing.
  await expect(async () => {
    await chat.approval.getByRole("button", { name: "Approve and don't ask again" }).click();
    await expect(allow).toBeVisible({ timeout: 500 });
  }).toPass();
  await allow.click();
  const post = await scripted.nextPost();
  expect(await heard("grant")).toEqual([]);
  post.answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  const [result] = post.content[0].toolApprovalResult;
  const threadId = (await heard("approval-answered"))[0].threadId;
  expect(await heard("grant")).toEqual([
    { threadId, batchId: "b", executionId: "execution-one", toolId: "id-one", grant: { scope: "thread", when: { "/path": "same" } } },
  ]);
  expect(result.grant).toEqual({ scope: "thread", when: { "/path": "same" } });
});

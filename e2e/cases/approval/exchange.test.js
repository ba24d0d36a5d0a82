// What goes over the wire with a decision, and what happens when the service does not take it.

import { json } from "../../servers/scripted.js";
import { expect, test } from "../../fixtures.js";
import { request, tool } from "./tools.js";

test("the request goes back as it came, and only approvalResult is changed", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("Do it");
  const post = await scripted.nextPost();
  const item =
    '{"zeta":1.50,"toolId":"t","toolName":"odd_tool","toolProvider":"P","toolCategory":"C","toolExecutionId":"e",' +
    '"toolExecutionBatchId":"b","toolMemoryId":"m","toolArguments":{"z":"1","a":"\\u00e9","n":"10.0"},' +
    '"extra":{"big":12345678901234567890,"list":[1e3,null]},"approvalResult":"PENDING_HUMAN_APPROVAL","alpha":true}';
  post.begin();
  const event = post.event("TOOL_EXECUTION_APPROVAL_REQUEST", "", { toolExecutionApprovalRequest: ["@"] });
  post.write(event.replace('"@"', () => item));
  post.end();
  await chat.decide("odd_tool", "Deny");
  await chat.button("Submit decisions").click();
  const answer = await scripted.nextPost();
  expect(answer.raw).toContain(item.replace("PENDING_HUMAN_APPROVAL", "DENIED"));
  answer.answer("Fine.");
  await expect(chat.lastMessage).toContainText("Fine.");
});

test.describe("with a service that fails", () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test("a refused answer says why, keeps the decisions, and can be sent again", async ({ chat, scripted }) => {
    scripted.hold = true;
    await chat.inline({ "base-url": scripted.origin });
    await chat.say("Do it");
    request(await scripted.nextPost(), tool("b", "one"), tool("b", "two"));
    await chat.decide("one", "Approve");
    await chat.decide("two", "Deny");
    const wellBehaved = scripted.on.post;
    scripted.on.post = (_, response) =>
      json(response, 400, {
        error: "Invalid approval answer",
        details: { batchId: "b", issues: [{ toolExecutionId: "execution-two", error: "This tool was changed meanwhile." }] },
      });
    await chat.button("Submit decisions").click();
    await expect(chat.approval).toHaveAttribute("data-state", "failed");
    await expect(chat.approval.getByRole("alert")).toContainText("This tool was changed meanwhile.");
    await expect(chat.tool("one").getByRole("radio", { name: "Approve" })).toBeChecked();
    await expect(chat.tool("two").getByRole("radio", { name: "Deny" })).toBeChecked();
    scripted.on.post = wellBehaved;
    await chat.button("Submit decisions").click();
    (await scripted.nextPost()).answer("Fine.");
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
    await expect(chat.lastMessage).toContainText("Fine.");
  });

  test("a decision whose outcome is unknown is never sent again by itself", async ({ chat, scripted }) => {
    scripted.hold = true;
    await chat.inline({ "base-url": scripted.origin });
    await chat.say("Do it");
    const post = await scripted.nextPost();
    const asked = tool("b", "one");
    request(post, asked);
    const { toolId, toolName: name, toolExecutionId, toolExecutionBatchId: executionBatchId, toolArguments } = asked;
    const stored = { toolId, name, provider: "Provider", category: "Category", toolExecutionId, executionBatchId, toolArguments };
    scripted.store(post.thread, "assistant", "", {
      handle: "@scripted",
      toolExecutionHumanApprovalRequest: [{ ...stored, status: "APPROVED" }],
    });
    await chat.decide("one", "Approve");
    scripted.on.post = (_, response) => response.socket.destroy();
    await chat.button("Submit decisions").click();
    // The stored messages say that it arrived.
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
    await expect(chat.tool("one")).toHaveAttribute("data-state", "APPROVED");
    expect(scripted.to("post")).toHaveLength(2);
  });
});

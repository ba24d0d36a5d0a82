// A decision is sent once: whatever is pressed, and whatever happens meanwhile.

import { json } from "../../servers/scripted.js";
import { expect, test } from "../../fixtures.js";
import { answers } from "./posts.js";
import { asked, request, storeRequest, tool } from "./tools.js";

test("a double click sends once", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve three");
  await chat.button("Approve all").click();
  await expect(chat.button("Submit decisions")).toBeEnabled();
  await chat.button("Submit decisions").evaluate((button) => {
    button.click();
    button.click();
  });
  await expect(chat.lastMessage).toContainText("All three are done");
  expect(answers(requests)).toHaveLength(1);
});

test("Enter and a click at the same moment send once", { tag: "@firefox" }, async ({ page, chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve one");
  await chat.decide("refund_payment", "Deny");
  const submit = chat.button("Submit decisions");
  await expect(submit).toBeEnabled();
  await submit.focus();
  const { x, y, width, height } = await submit.boundingBox();
  await Promise.all([page.keyboard.press("Enter"), page.mouse.click(x + width / 2, y + height / 2)]);
  await expect(chat.lastMessage).toContainText("Nothing was paid out");
  expect(answers(requests)).toHaveLength(1);
});

test("a double click on the stop stops once", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("approve one");
  await chat.button("Stop and give feedback").click();
  await chat.role("textbox", { name: "Feedback" }).fill("Wrong order");
  await expect(chat.button("Stop these actions")).toBeEnabled();
  await chat.button("Stop these actions").evaluate((button) => {
    button.click();
    button.click();
  });
  await expect(chat.lastMessage).toContainText("I stopped and paid nothing");
  expect(answers(requests)).toHaveLength(1);
  await expect(chat.own.filter({ hasText: "Wrong order" })).toHaveCount(1);
});

test("while the agent still speaks the decision can be made, and sent once it has ended", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("Do it");
  const post = await scripted.nextPost();
  storeRequest(scripted, post.thread, tool("b", "one"));
  post.begin();
  post.send("TOOL_EXECUTION_APPROVAL_REQUEST", "", { toolExecutionApprovalRequest: [tool("b", "one")] });
  await chat.decide("one", "Approve");
  await expect(chat.button("Submit decisions")).toBeDisabled();
  await expect(chat.approval).toContainText("You can submit when the agent has finished speaking.");
  await chat.stop.click();
  await chat.submit();
  const answer = await scripted.nextPost();
  expect(answer.content[0].toolApprovalResult[0].approvalResult).toBe("APPROVED");
  answer.answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  expect(scripted.to("post")).toHaveLength(2);
});

test("Stop while a decision is on its way does not send it again, and finds out what became of it", async ({ chat, scripted }) => {
  const { decide } = await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Approve");
  await chat.submit();
  await scripted.nextPost();
  await expect(chat.approval).toHaveAttribute("data-state", "submitting");
  decide("APPROVED");
  await chat.stop.click();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("one")).toHaveAttribute("data-state", "APPROVED");
  expect(scripted.to("post")).toHaveLength(2);
});

test("Stop after a decision was accepted leaves it decided", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Deny");
  await chat.submit();
  const answer = await scripted.nextPost();
  answer.begin();
  answer.say("I go on without");
  await expect(chat.lastMessage).toContainText("I go on without");
  await chat.stop.click();
  await expect(chat.stop).toHaveCount(0);
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("one")).toHaveAttribute("data-state", "DENIED");
  await expect(chat.button("Submit decisions")).toHaveCount(0);
  expect(scripted.to("post")).toHaveLength(2);
});

test("a tool that is asked for again with other arguments has to be decided anew", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("Do it");
  const post = await scripted.nextPost();
  post.begin();
  const send = (...tools) => post.send("TOOL_EXECUTION_APPROVAL_REQUEST", "", { toolExecutionApprovalRequest: tools });
  send(tool("b", "one"), tool("b", "two"));
  await chat.decide("one", "Approve");
  await chat.decide("two", "Approve");
  send(tool("b", "one", { toolArguments: { path: "/elsewhere" } }));
  await expect(chat.tool("one")).toContainText("/elsewhere");
  await expect(chat.tool("one").getByRole("radio", { name: "Approve" })).not.toBeChecked();
  await expect(chat.tool("two").getByRole("radio", { name: "Approve" })).toBeChecked();
  post.end();
  await expect(chat.stop).toHaveCount(0);
  await expect(chat.button("Submit decisions")).toBeDisabled();
});

test.describe("at a service that refuses", () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test("nothing is sent again before the person asks for it", async ({ chat, scripted }) => {
    await asked(chat, scripted, [tool("b", "one")]);
    scripted.on.post = (_, response) => json(response, 400, { message: "Not now." });
    await chat.decide("one", "Approve");
    await chat.submit();
    await expect(chat.approval).toHaveAttribute("data-state", "failed");
    // The stored messages were read again meanwhile, and say that it is still to be decided.
    await expect.poll(() => scripted.to("messages").length).toBeGreaterThan(0);
    expect(scripted.to("post")).toHaveLength(2);
    scripted.on = {};
    await chat.submit();
    (await scripted.nextPost()).answer("Fine.");
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
    expect(scripted.to("post")).toHaveLength(3);
  });
});

test("a batch that is asked for again after its answer is another card", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Approve");
  await chat.submit();
  request(await scripted.nextPost(), tool("b", "one"));
  await expect(chat.approval).toHaveCount(2);
  await expect(chat.approval.first()).toHaveAttribute("data-state", "answered");
  await expect(chat.approval.last()).toHaveAttribute("data-state", "pending");
  await expect(chat.approval.last().getByRole("radio", { name: "Approve" })).not.toBeChecked();
});

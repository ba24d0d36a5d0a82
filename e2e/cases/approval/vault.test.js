// A pending request can be answered after a reload, after a crash, and in another page; what nobody needs is gone.

import { expect, test } from "../../fixtures.js";
import { answers, verdicts } from "./posts.js";
import { asked, storeRequest, tool } from "./tools.js";
import { kept, keptRequests } from "./vault.js";

/** Makes the browser forbid local storage to the pages of a context that are opened from now on. */
const blockStorage = (context) =>
  context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    Object.defineProperty(Window.prototype, "localStorage", { configurable: true, get: refuse });
    Object.defineProperty(window, "localStorage", { configurable: true, get: refuse });
  });

const UNANSWERABLE = "It can only be answered where it arrived";

test("after a reload the request is answered, and nothing of it is left", { tag: "@firefox" }, async ({ page, chat, service }) => {
  await chat.inline();
  await chat.say("approve three");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  expect(await kept(chat)).toHaveLength(3);
  for (const request of await keptRequests(chat)) expect(request.toolMemoryId).not.toBe("");
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await expect(chat.tool("send_email")).toContainText("your lamp arrived broken");
  const requests = chat.record();
  await chat.decide("refund_payment", "Deny");
  await chat.decide("send_email", "Approve");
  await chat.decide("delete_file", "Deny");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("I did what you approved and left the rest");
  expect(answers(requests).map(verdicts)).toEqual([["refund_payment: DENIED", "send_email: APPROVED", "delete_file: DENIED"]]);
  const [thread] = await service.threads();
  const runs = (await service.messages(thread.id)).flatMap((message) => message.toolExecutionHumanApprovalRequest ?? []);
  expect(runs.map((run) => run.status)).toEqual(["DENIED", "APPROVED", "DENIED"]);
  expect(await kept(chat)).toEqual([]);
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("send_email")).toHaveAttribute("data-state", "APPROVED");
});

test("after a reload the actions can be stopped with words", async ({ page, chat }) => {
  await chat.inline();
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await page.reload();
  await chat.button("Stop and give feedback").click();
  await chat.role("textbox", { name: "Feedback" }).fill("Ask Ada first");
  await chat.button("Stop these actions").click();
  await expect(chat.lastMessage).toContainText("Ask Ada first");
  await expect.poll(() => kept(chat)).toEqual([]);
});

test("a page that goes away in the middle of the stream leaves a request that a new page answers", { tag: "@firefox" }, async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("Do it");
  const post = await scripted.nextPost();
  storeRequest(scripted, post.thread, tool("b", "one"), tool("b", "two"));
  post.begin();
  post.send("TOOL_EXECUTION_APPROVAL_REQUEST", "", { toolExecutionApprovalRequest: [tool("b", "one"), tool("b", "two")] });
  await expect(chat.tool("two")).toBeVisible();
  const next = await chat.tab();
  await chat.page.close();
  await next.inline({ "base-url": scripted.origin });
  await next.button("Approve all").click();
  await next.submit();
  const answer = await scripted.nextPost();
  expect(answer.content[0].toolApprovalResult.map((result) => result.toolMemoryId)).toEqual(["memory", "memory"]);
  answer.answer("Fine.");
  await expect(next.approval).toHaveAttribute("data-state", "answered");
  expect(await kept(next)).toEqual([]);
});

test("a request in a conversation that is not shown survives a reload, too", async ({ page, chat }) => {
  await chat.inline({ threads: "side" });
  await chat.say("approve one");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.newThread.click();
  await chat.ask("hello");
  await page.reload();
  await chat.thread("approve one").click();
  await chat.decide("refund_payment", "Approve");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
  expect(await kept(chat)).toEqual([]);
});

test("decided elsewhere while no page was open: nothing is left either", async ({ page, chat, scripted }) => {
  const { decide } = await asked(chat, scripted, [tool("b", "one")]);
  expect(await kept(chat)).toHaveLength(1);
  decide("DENIED");
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("one")).toHaveAttribute("data-state", "DENIED");
  await expect.poll(() => kept(chat)).toEqual([]);
});

test("what was asked of one user, or of one agent, cannot be answered as another", async ({ chat, scripted }) => {
  const { thread } = await asked(chat, scripted, [tool("b", "one")]);
  for (const settings of [{ "user-id": "somebody-else" }, { "agent-id": "somebody-else" }]) {
    const other = await chat.tab();
    await other.inline({ "base-url": scripted.origin, "thread-id": thread, ...settings });
    await expect(other.approval).toHaveAttribute("data-state", "unanswerable");
    expect(await kept(chat)).toHaveLength(1);
    await chat.page.reload();
    await expect(chat.approval).toHaveAttribute("data-state", "pending");
  }
});

test.describe("where the browser forbids storage", () => {
  test("a request is answered within its page", async ({ context, chat }) => {
    await blockStorage(context);
    await chat.inline();
    await chat.say("approve one");
    await chat.decide("refund_payment", "Approve");
    await chat.submit();
    await expect(chat.lastMessage).toContainText("Done: 49.90 EUR are on their way");
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
  });

  test("after a reload it says that it cannot be answered here, and posts nothing", async ({ context, page, chat }) => {
    await blockStorage(context);
    await chat.inline({ threads: "side" });
    await chat.say("approve one");
    await expect(chat.approval).toHaveAttribute("data-state", "pending");
    await page.reload();
    const requests = chat.record();
    await chat.thread("approve one").click();
    await expect(chat.approval).toHaveAttribute("data-state", "unanswerable");
    await expect(chat.approval).toContainText(UNANSWERABLE);
    await expect(chat.approval.getByRole("radio")).toHaveCount(0);
    await chat.input.fill("and then?");
    await chat.input.press("Enter");
    await expect(chat.send).toBeDisabled();
    expect(answers(requests)).toEqual([]);
    expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
  });
});

test("where the storage is full a request is answered within its page", { tag: "@firefox" }, async ({ page, chat }) => {
  await chat.inline();
  await chat.ask("hello");
  await page.evaluate(() => {
    for (let size = 1 << 22; size >= 1; size >>= 1) {
      try {
        for (;;) localStorage.setItem(`full-${size}-${localStorage.length}`, "x".repeat(size));
      } catch {
        // Smaller pieces follow.
      }
    }
  });
  await chat.say("approve three");
  await chat.button("Approve all").click();
  await chat.submit();
  await expect(chat.lastMessage).toContainText("All three are done");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
});

test("where the storage is cleared under a card, it asks again once the service is known to wait", async ({ page, chat, scripted }) => {
  await page.clock.install();
  await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Approve");
  await page.evaluate(() => localStorage.clear());
  await chat.submit();
  await expect(async () => {
    await page.clock.fastForward(10_000);
    await expect(chat.approval).not.toHaveAttribute("data-state", "submitting", { timeout: 500 });
  }).toPass({ intervals: [100] });
  await expect(chat.tool("one").getByRole("radio", { name: "Approve" })).toBeChecked();
  expect(scripted.to("post")).toHaveLength(1);
  await chat.submit();
  (await scripted.nextPost()).answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  expect(await kept(chat)).toEqual([]);
});

test("a request that only the service knows is shown whole, says why it cannot be answered, and leads on", async ({ page, chat }) => {
  await chat.inline();
  await chat.say("approve three");
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await page.evaluate(() => Object.keys(localStorage).forEach((key) => key.includes(":approval:") && localStorage.removeItem(key)));
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "unanswerable");
  await expect(chat.approval).toContainText(UNANSWERABLE);
  for (const [name, text] of [
    ["refund_payment", "49.90 EUR"],
    ["send_email", "your lamp arrived broken"],
    ["delete_file", "/cases/4711/kitchen.jpg"],
  ]) {
    await expect(chat.tool(name)).toContainText(text);
    await expect(chat.tool(name)).toHaveAttribute("data-state", "PENDING_HUMAN_APPROVAL");
  }
  await expect(chat.approval.getByRole("radio")).toHaveCount(0);
  for (const name of ["Approve all", "Deny all", "Submit decisions", "Stop and give feedback"]) {
    await expect(chat.button(name)).toHaveCount(0);
  }
  await expect(chat.part("composer")).toContainText("This conversation waits for a decision that cannot be made here.");
  await chat.button("Start a new conversation").click();
  await expect(chat.messages).toHaveCount(0);
  await expect(chat.input).toBeFocused();
  await chat.ask("hello");
});

// What the page learns about approvals, and how it can object.

import { expect, test } from "../../fixtures.js";
import { asked, request, tool } from "./tools.js";

const TYPES = ["assent:approval-requested", "assent:before-approval", "assent:approval-answered"];

/** Notes the events from now on, where they arrive last: at the document. */
const listen = (chat) =>
  chat.page.evaluate((types) => {
    globalThis.heard = [];
    for (const type of types) {
      document.addEventListener(type, ({ detail, cancelable, composed, target }) =>
        globalThis.heard.push({ type, detail, cancelable, composed, target: target.localName }),
      );
    }
  }, TYPES);
const heard = (chat, type) => chat.page.evaluate((type) => globalThis.heard.filter((event) => event.type === type), `assent:${type}`);

/** Makes the page object to everything, or not any more. */
const object = (chat, objects) =>
  chat.element.evaluate((element, objects) => {
    element.objects ??= (event) => event.preventDefault();
    if (objects) element.addEventListener("assent:before-approval", element.objects);
    else element.removeEventListener("assent:before-approval", element.objects);
  }, objects);

async function open(chat, scripted) {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await listen(chat);
  await chat.say("Do it");
  const post = await scripted.nextPost();
  const pay = tool("b", "pay", { toolArguments: { amount: "49.90 EUR", to: "Ada" } });
  request(post, pay, tool("b", "mail"));
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  return post.thread;
}

test("assent:approval-requested says what is asked, and nothing of what only the answer needs", async ({ chat, scripted }) => {
  const threadId = await open(chat, scripted);
  const events = await heard(chat, "approval-requested");
  expect(events).toEqual([
    {
      type: "assent:approval-requested",
      cancelable: false,
      composed: true,
      target: "assent-chat",
      detail: {
        threadId,
        batchId: "b",
        tools: [
          {
            executionId: "execution-pay",
            toolId: "id-pay",
            name: "pay",
            provider: "Provider",
            category: "Category",
            arguments: [["amount", "49.90 EUR"], ["to", "Ada"]],
          },
          {
            executionId: "execution-mail",
            toolId: "id-mail",
            name: "mail",
            provider: "Provider",
            category: "Category",
            arguments: [["path", "/mail"]],
          },
        ],
      },
    },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/memory/i);
});

test("two batches in one request are told one by one", async ({ chat }) => {
  await chat.inline();
  await listen(chat);
  await chat.say("batches together");
  await expect(chat.approval).toHaveCount(2);
  const events = await heard(chat, "approval-requested");
  expect(events.map(({ detail }) => detail.tools.map((tool) => tool.name))).toEqual([["order_stock", "move_stock"], ["send_newsletter"]]);
  expect(new Set(events.map(({ detail }) => detail.batchId)).size).toBe(2);
});

test("assent:before-approval can keep a decision from being sent, and it can be sent later", async ({ chat, scripted }) => {
  const threadId = await open(chat, scripted);
  await object(chat, true);
  await chat.decide("pay", "Approve");
  await chat.decide("mail", "Deny");
  await chat.submit();
  await expect(chat.approval).toHaveAttribute("data-state", "failed");
  await expect(chat.approval.getByRole("alert")).toContainText("This page did not let this be sent.");
  await expect(chat.tool("pay").getByRole("radio", { name: "Approve" })).toBeChecked();
  await expect(chat.tool("mail").getByRole("radio", { name: "Deny" })).toBeChecked();
  const [event] = await heard(chat, "before-approval");
  expect(event.cancelable).toBe(true);
  expect(event.detail).toEqual({
    threadId,
    batchId: "b",
    decisions: [
      { executionId: "execution-pay", name: "pay", decision: "APPROVED" },
      { executionId: "execution-mail", name: "mail", decision: "DENIED" },
    ],
    feedback: null,
  });
  expect(scripted.to("post")).toHaveLength(1);
  await object(chat, false);
  await chat.submit();
  (await scripted.nextPost()).answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  expect(await heard(chat, "before-approval")).toHaveLength(2);
  expect(scripted.to("post")).toHaveLength(2);
});

test.describe("where the page's code fails", () => {
  test.use({ expectedConsole: /the page is broken/ });

  test("a listener that throws forbids, whoever else agrees, and the decisions stay", { tag: "@firefox" }, async ({ chat, scripted }) => {
    await open(chat, scripted);
    await chat.element.evaluate((element) => {
      element.broken = () => {
        throw new Error("the page is broken");
      };
      element.addEventListener("assent:before-approval", element.broken);
    });
    await chat.decide("pay", "Approve");
    await chat.decide("mail", "Deny");
    await chat.submit();
    await expect(chat.approval).toHaveAttribute("data-state", "failed");
    await expect(chat.approval.getByRole("alert")).toContainText("This page did not let this be sent.");
    await expect(chat.tool("pay").getByRole("radio", { name: "Approve" })).toBeChecked();
    expect(await heard(chat, "before-approval")).toHaveLength(1);
    expect(scripted.to("post")).toHaveLength(1);
    // An error of the page that has nothing to do with the question is no objection.
    await chat.element.evaluate((element) => {
      element.removeEventListener("assent:before-approval", element.broken);
      setTimeout(element.broken);
    });
    await chat.submit();
    (await scripted.nextPost()).answer("Fine.");
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
    expect(scripted.to("post")).toHaveLength(2);
  });
});

test("a stop can be kept back, too, and its words stay", async ({ chat, scripted }) => {
  await open(chat, scripted);
  await object(chat, true);
  await chat.button("Stop and give feedback").click();
  await chat.role("textbox", { name: "Feedback" }).fill("Ask Ada first");
  await chat.button("Stop these actions").click();
  await expect(chat.approval).toHaveAttribute("data-state", "failed");
  await expect(chat.role("textbox", { name: "Feedback" })).toHaveValue("Ask Ada first");
  await expect(chat.own).toHaveCount(1);
  const [{ detail }] = await heard(chat, "before-approval");
  expect(detail.feedback).toBe("Ask Ada first");
  expect(detail.decisions.map(({ decision }) => decision)).toEqual(["ABORTED_WITH_FEEDBACK", "ABORTED_WITH_FEEDBACK"]);
  expect(scripted.to("post")).toHaveLength(1);
});

test("assent:approval-answered comes once, and not before the service has accepted", async ({ chat, scripted }) => {
  const threadId = await open(chat, scripted);
  await chat.button("Approve all").click();
  await chat.submit();
  const answer = await scripted.nextPost();
  await expect(chat.approval).toHaveAttribute("data-state", "submitting");
  expect(await heard(chat, "approval-answered")).toEqual([]);
  answer.begin();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  answer.complete("Fine.");
  await expect(chat.lastMessage).toContainText("Fine.");
  const events = await heard(chat, "approval-answered");
  expect(events).toHaveLength(1);
  expect(events[0].detail).toEqual({
    threadId,
    batchId: "b",
    decisions: [
      { executionId: "execution-pay", name: "pay", decision: "APPROVED" },
      { executionId: "execution-mail", name: "mail", decision: "APPROVED" },
    ],
    feedback: null,
  });
  expect(await heard(chat, "before-approval")).toHaveLength(1);
});

test.describe("with a service that fails", () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test("a refused answer is not told as answered", async ({ chat, scripted }) => {
    await open(chat, scripted);
    scripted.on.post = (_, response) => response.writeHead(400).end();
    await chat.button("Deny all").click();
    await chat.submit();
    await expect(chat.approval).toHaveAttribute("data-state", "failed");
    expect(await heard(chat, "approval-answered")).toEqual([]);
  });

  test("an answer that was lost and had arrived is told as answered", async ({ chat, scripted }) => {
    const { decide } = await asked(chat, scripted, [tool("b", "pay")]);
    await listen(chat);
    await chat.decide("pay", "Approve");
    decide("APPROVED");
    scripted.on.post = (_, response) => response.socket.destroy();
    await chat.submit();
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
    expect((await heard(chat, "approval-answered")).map(({ detail }) => detail.decisions[0].decision)).toEqual(["APPROVED"]);
  });
});

test("a page may use the chat while it is asked", async ({ chat, scripted }) => {
  await open(chat, scripted);
  await chat.element.evaluate((element) =>
    element.addEventListener("assent:before-approval", () => {
      element.setAttribute("heading", "Busy");
      element.setAttribute("activity", "off");
      element.uploader = () => ({ fileId: "1" });
    }),
  );
  await chat.button("Deny all").click();
  await chat.submit();
  (await scripted.nextPost()).answer("Fine.");
  await expect(chat.lastMessage).toContainText("Fine.");
  await expect(chat.role("heading", { name: "Busy" })).toBeVisible();
});

test("a page that removes the chat while it is asked ends it, and nothing is posted", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await open(chat, scripted);
  await chat.element.evaluate((element) => element.addEventListener("assent:before-approval", () => element.remove()));
  await chat.button("Deny all").click();
  await chat.submit();
  await expect(chat.element).toHaveCount(0);
  expect(await heard(chat, "approval-answered")).toEqual([]);
});

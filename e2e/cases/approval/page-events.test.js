// What the page learns about approvals, and how it can object.

import { expect, test } from "../../fixtures.js";
import { request, tool } from "./tools.js";

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

test("events come from the element, and the page can keep an answer, which is sent later", async ({ chat, scripted }) => {
  const threadId = await open(chat, scripted);
  const about = { composed: true, target: "assent-chat" };
  expect(await heard(chat, "approval-requested")).toMatchObject([{ cancelable: false, ...about, detail: { threadId, batchId: "b" } }]);
  await chat.element.evaluate((element) => element.addEventListener("assent:before-approval", (event) => event.preventDefault(), { once: true }));
  await chat.button("Deny all").click();
  await chat.submit();
  await expect(chat.approval.getByRole("alert")).toContainText("This page did not let this be sent.");
  const decisions = ["pay", "mail"].map((name) => ({ executionId: `execution-${name}`, name, decision: "DENIED" }));
  const detail = { threadId, batchId: "b", decisions, feedback: null };
  expect(await heard(chat, "before-approval")).toEqual([{ type: "assent:before-approval", cancelable: true, ...about, detail }]);
  expect(scripted.to("post")).toHaveLength(1);
  await chat.submit();
  (await scripted.nextPost()).answer("Fine.");
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(await heard(chat, "approval-answered")).toEqual([{ type: "assent:approval-answered", cancelable: false, ...about, detail }]);
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

// How the page objects to an answer, where its own code fails. What it is told of requests and answers, the host's tests say.

import { expect, test } from "../../fixtures.js";
import { tool } from "../../servers/approvals.js";
import { asked } from "./asked.js";

test.use({ expectedConsole: /the page is broken/ });

test("a listener that throws forbids, whoever else agrees, and the decisions stay", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "pay"), tool("b", "mail")]);
  const heard = await chat.listen("before-approval", "approval-answered");
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
  await expect(chat.approval.getByRole("alert")).toContainText("This page didn’t let this be sent.");
  await expect(chat.verdict("pay", "Approve")).toHaveAttribute("aria-pressed", "true");
  expect(await heard("before-approval")).toHaveLength(1);
  expect(scripted.to("post")).toHaveLength(1);
  // One that prevents it forbids it, too.
  await chat.element.evaluate((element) => {
    element.removeEventListener("assent:before-approval", element.broken);
    element.addEventListener("assent:before-approval", (event) => event.preventDefault(), { once: true });
  });
  await chat.submit();
  await expect.poll(() => heard("before-approval")).toHaveLength(2);
  expect(scripted.to("post")).toHaveLength(1);
  // An error of the page that has nothing to do with the question is no objection.
  await chat.element.evaluate((element) => setTimeout(element.broken));
  await chat.submit();
  (await scripted.nextPost()).answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  expect(scripted.to("post")).toHaveLength(2);
  // It is told at the document what was sent.
  expect(await heard("approval-answered")).toEqual((await heard("before-approval")).slice(-1));
});

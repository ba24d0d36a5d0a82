// The states of a request for approval.

import { request } from "../cases/approval/tools.js";
import { expect } from "../fixtures.js";
import { json } from "../servers/scripted.js";
import { asked, bottom, open, showList, threads, top } from "./stage.mjs";

/** Each state by name: how to get there from a new page. `here` are settings for the scripted service. */
export const APPROVALS = {
  "approval-one": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve one");
    await expect(chat.approval).toBeVisible();
  },
  "approval-launcher": async ({ chat }) => {
    await open(chat);
    await chat.say("approve one");
    await expect(chat.approval).toBeVisible();
  },
  "approval-three": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await expect(chat.approval).toBeVisible();
  },
  "approval-decided": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await chat.decide("refund_payment", "Approve");
    await chat.decide("send_email", "Deny");
    await chat.decide("delete_file", "Approve");
  },
  "approval-feedback": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await chat.button("Stop and give feedback").click();
    await chat.role("textbox", { name: "Feedback" }).fill("Take order 4712 instead.");
  },
  "approval-answered": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await chat.button("Approve all").click();
    await chat.decide("send_email", "Deny");
    await chat.button("Submit decisions").click();
    await expect(chat.lastMessage).toContainText("The case stays open");
  },
  "approval-answered-open": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await chat.button("Approve all").click();
    await chat.decide("send_email", "Deny");
    await chat.button("Submit decisions").click();
    await chat.button("Arguments of send_email").click();
    await expect(chat.lastMessage).toContainText("The case stays open");
    await chat.approval.evaluate((card) => (card.closest("[part=transcript]").scrollTop = card.offsetTop - 20));
  },
  "approval-typed": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve typed");
    await top(chat);
  },
  "approval-typed-end": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve typed");
    await bottom(chat);
  },
  "approval-deceptive": async ({ chat }) => {
    await chat.inline();
    await chat.say("deceptive");
    await top(chat);
  },
  "approval-deceptive-more": async ({ chat }) => {
    await chat.inline();
    await chat.say("deceptive");
    await top(chat, 480);
  },
  "approval-folded": async ({ chat }) => {
    await chat.inline();
    await chat.say("deceptive");
    await bottom(chat);
  },
  "approval-unfolded": async ({ chat }) => {
    await chat.inline();
    await chat.say("deceptive");
    await expect(chat.approval).toBeVisible();
    for (let more = chat.role("button", { name: /^Show all/ }); await more.count(); ) await more.first().click();
    await bottom(chat);
  },
  "approval-changed": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve again");
    await chat.role("button", { name: /^Show all/ }).click();
    await chat.button("Approve all").click();
    await chat.button("Submit decisions").click();
    await expect(chat.approval).toHaveCount(2);
    await bottom(chat);
  },
  "approval-refused": async (stage) => {
    await asked(stage, "refund_payment", "send_email");
    stage.scripted.on.post = (_, response) =>
      json(response, 400, {
        error: "The answer does not fit the request.",
        details: { batchId: "b", issues: [{ toolExecutionId: "execution-send_email", error: "This mailbox was closed meanwhile." }] },
        conflictingStates: ["APPROVED", "ABORTED_WITH_FEEDBACK"],
      });
    await stage.chat.button("Approve all").click();
    await stage.chat.button("Submit decisions").click();
    await expect(stage.chat.approval).toHaveAttribute("data-state", "failed");
    await bottom(stage.chat);
  },
  "approval-unknown": async (stage) => {
    await asked(stage, "refund_payment");
    stage.scripted.on.post = (_, response) => response.socket.destroy();
    stage.scripted.on.messages = (_, response) => response.writeHead(503).end();
    await stage.chat.button("Approve all").click();
    await stage.chat.button("Submit decisions").click();
    await expect(stage.chat.button("Check again")).toBeVisible();
  },
  "approval-files": async (stage) => {
    await stage.page.addInitScript(() => {
      customElements.whenDefined("assent-chat").then(() => {
        document.querySelector("assent-chat").uploader = (file, { progress }) =>
          new Promise((there, failed) => {
            if (file.name.endsWith(".pdf")) there({ fileId: "f" });
            else if (file.name.endsWith(".exe")) failed(new Error("Programs are not taken."));
            else progress(0.4);
          });
      });
    });
    await asked(stage, "refund_payment");
    await stage.chat.button("Stop and give feedback").click();
    await stage.chat.role("textbox", { name: "Feedback" }).fill("The receipt says something else.");
    const file = (name, size) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.alloc(size) });
    const files = [file("receipt.pdf", 48213), file("photo of the broken lamp.jpg", 2413001), file("setup.exe", 812)];
    await stage.chat.approval.locator("input[type=file]").setInputFiles(files);
    await expect(stage.chat.role("alert")).toBeVisible();
    await bottom(stage.chat);
  },
  "approval-asking": async (stage) => {
    await asked(stage, "refund_payment");
    await stage.chat.say("Wait, that was the wrong order.");
    await expect(stage.chat.button("Keep writing")).toBeVisible();
    await bottom(stage.chat);
  },
  "approval-waiting": async (stage) => {
    await asked(stage, "refund_payment");
    await stage.chat.say("And then send me the receipt, please.");
    await stage.chat.button("Send after the decision").click();
    await bottom(stage.chat);
  },
  "approval-threads": async (stage) => {
    threads(stage.scripted);
    await asked(stage, "refund_payment", "send_email");
    await stage.chat.part("thread-new").click();
    await expect(stage.chat.approval).toHaveCount(0);
    await showList(stage.chat);
  },
  "approval-badge": async (stage) => {
    await asked(stage, "refund_payment", "send_email");
    await stage.chat.part("thread-new").click();
    await expect(stage.chat.approval).toHaveCount(0);
    if (await stage.chat.list.isVisible()) await stage.chat.threadsToggle.click();
  },
  "approval-unanswerable": async ({ page, chat }) => {
    await chat.inline();
    await chat.say("approve one");
    await expect(chat.approval).toBeVisible();
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await chat.threadsToggle.click();
    if (!(await chat.list.isVisible())) await chat.threadsToggle.click();
    await chat.threads.first().click();
    await expect(chat.approval).toHaveAttribute("data-state", "unanswerable");
  },
};

// The states of a request for approval.

import { expect } from "../fixtures.js";
import { json } from "../servers/scripted.js";
import { request, stored, storeRequest, tool } from "../servers/approvals.js";
import { takeFiles } from "../cases/attachments/files.js";
import { asked, bottom, showList, streaming, threads, top } from "./stage.mjs";

/** An inline chat whose agent has asked for what this text says. */
const pending = (text, then = async (_) => {}) => async ({ chat }) => {
  await chat.inline();
  await chat.asksApproval(text);
  await then(chat);
};

const answerThree = async (chat) => {
  await chat.approveAll();
  await chat.decide("send_email", "Deny");
  await chat.submit();
};

const mail = tool("b1", "send_email", {
  toolArguments: { to: "ann@example.org", subject: "Your lamp", body: "Your refund of 49.90 EUR is on its way." },
  editable: ["/subject", "/body"],
  editableSchemas: { "/body": '{"type":"string","maxLength":60}' },
});

/** An agent has asked to send a mail that can be corrected, and the person corrects its body to this text. */
const corrected = (text, settings = {}, then = async (_) => {}) => async ({ chat, scripted }) => {
  request(await chat.streaming(scripted, "Tell Ann about her refund.", settings, "I have written to her."), mail);
  const { approval } = chat;
  await expect(async () => {
    await approval.getByRole("button", { name: "Edit body", expanded: false }).click();
    await expect(approval.getByRole("textbox")).toBeFocused({ timeout: 500 });
  }).toPass();
  await approval.getByRole("textbox").fill(text);
  await then(chat);
  await bottom(chat);
};

/** The view of what waits with all agents, with something of two of them. */
const waiting = (then = async (_) => {}) => async ({ chat, scripted }) => {
  const about = { toolMemoryId: "memory" };
  const ask = (name, agent, tools, more) => {
    const asked = tools.map((item) => stored(item, "PENDING_HUMAN_APPROVAL", { ...about, ...more }));
    scripted.store(scripted.addThread(name, [], agent).id, "assistant", "", { handle: "@scripted", toolExecutionHumanApprovalRequest: asked });
  };
  ask("Refund of LJ-2048", undefined, [tool("b1", "refund_payment", { toolArguments: { order: "LJ-2048", amount: "49.90 EUR" } })]);
  const end = { reason: "Cancelling costs a fee of 30 EUR.", expiresAt: new Date(Date.now() + 25 * 60_000).toISOString() };
  ask("A journey to Brittany", { id: "travel", name: "Travel desk" }, [tool("b2", "cancel_booking"), tool("b2", "send_email")], end);
  scripted.extensions = "inbox";
  await chat.visit("inline", { view: "approvals", mode: "fullscreen", "base-url": scripted.origin });
  await expect(chat.role("heading", { name: "3 decisions wait" })).toBeVisible();
  await then(chat);
};

/** Each state by name: how to get there from a new page. `here` are settings for the scripted service. */
export const APPROVALS = {
  "approval-one": pending("approve one"),
  "approval-three": pending("approve three"),
  "approval-decided": pending("approve three", async (chat) => {
    await chat.decide("refund_payment", "Approve");
    await chat.decide("send_email", "Deny");
    await chat.decide("delete_file", "Approve");
  }),
  "approval-two": async (stage) => {
    const post = await streaming(stage, "Refund the lamp, and write to the customer.", "These are two things, which you can decide one after the other.");
    const about = { toolArguments: { order: "4711", amount: "49.90 EUR" } };
    request(post, tool("b1", "refund_payment", about), tool("b2", "send_email", about));
    await expect(stage.chat.approval).toHaveCount(2);
    await stage.chat.waitsForDecision();
  },
  "approval-keys": pending("approve three", async (chat) => {
    await chat.waitsForDecision();
    await chat.input.press("Alt+ArrowUp");
    await chat.page.keyboard.press("a");
    await expect(chat.tool("send_email")).toBeFocused();
  }),
  "approval-low-640": async ({ page, chat }) => {
    await page.setViewportSize({ width: 640, height: 400 });
    await chat.panel();
    await chat.asksApproval("approve three");
  },
  "approval-low-320": async ({ page, chat }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    await chat.panel();
    await chat.asksApproval("approve one");
  },
  "approval-feedback": pending("approve three", async (chat) => {
    await chat.role("button", { name: /^Deny (all )?with a note…$/ }).click();
    await chat.role("textbox", { name: "Note" }).fill("Take order 4712 instead.");
  }),
  "approval-answered": pending("approve three", async (chat) => {
    await answerThree(chat);
    await expect(chat.lastMessage).toContainText("The case stays open");
  }),
  "approval-answered-open": pending("approve three", async (chat) => {
    await answerThree(chat);
    await chat.button("Arguments of Send email").click();
    await expect(chat.lastMessage).toContainText("The case stays open");
    await chat.approval.evaluate((card) => (card.closest("[part=transcript]").scrollTop = card.offsetTop - 20));
  }),
  "approval-typed": pending("approve typed", top),
  "approval-typed-end": pending("approve typed", bottom),
  "approval-deceptive": pending("deceptive", top),
  "approval-deceptive-more": pending("deceptive", (chat) => top(chat, 480)),
  "approval-folded": pending("deceptive", bottom),
  "approval-unfolded": pending("deceptive", async (chat) => {
    for (let more = chat.role("button", { name: /^Show all/ }); await more.count(); ) await more.first().click();
    await bottom(chat);
  }),
  "approval-changed": pending("approve again", async (chat) => {
    await chat.role("button", { name: /^Show all/ }).click();
    await chat.approveAll();
    await chat.submit();
    await expect(chat.approval).toHaveCount(2);
    await bottom(chat);
  }),
  "approval-right-to-left": async ({ chat }) => {
    await chat.inline({ locale: "ur" });
    await chat.asksApproval("deceptive");
    await top(chat);
  },
  "approval-corrected": corrected("Your refund of 59.90 EUR is on its way, Ann."),
  "approval-corrected-right-to-left": corrected("Your refund of 59.90 EUR is on its way, Ann.", { locale: "ur" }),
  "approval-corrected-wrong": corrected("Your refund of 59.90 EUR is on its way, and a letter that is far too long for it."),
  "approval-corrected-closed": corrected("Your refund of 59.90 EUR is on its way, Ann.", {}, (chat) =>
    chat.approval.getByRole("button", { name: "Close" }).press("Enter"),
  ),
  "approval-forced": async ({ chat, page }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await chat.inline();
    await chat.asksApproval("deceptive");
    await top(chat);
  },
  "approval-changed-open": pending("approve again", async (chat) => {
    await chat.role("button", { name: /^Show all/ }).click();
    await chat.approveAll();
    await chat.submit();
    await expect(chat.approval).toHaveCount(2);
    await chat.approval.last().getByText("Same as last time").click();
    await bottom(chat);
  }),
  "approval-submitting": async (stage) => {
    await asked(stage, "refund_payment", "send_email");
    await stage.chat.button("Deny all").click();
    await stage.chat.submit();
    await expect(stage.chat.approval).toHaveAttribute("data-state", "submitting");
  },
  "approval-elsewhere": async (stage) => {
    const { chat, scripted } = stage;
    await asked(stage, "refund_payment");
    const [thread] = scripted.stored.keys();
    storeRequest(scripted, thread, [tool("b", "refund_payment")], "DENIED");
    await chat.page.reload();
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
  },
  "approval-refused": async (stage) => {
    await asked(stage, "refund_payment", "send_email");
    stage.scripted.on.post = (_, response) =>
      json(response, 400, {
        error: "The answer does not fit the request.",
        details: { batchId: "b", issues: [{ toolExecutionId: "execution-send_email", error: "This mailbox was closed meanwhile." }] },
        conflictingStates: ["APPROVED", "ABORTED_WITH_FEEDBACK"],
      });
    await stage.chat.approveAll();
    await stage.chat.submit();
    await expect(stage.chat.approval).toHaveAttribute("data-state", "failed");
  },
  "approval-without-code": async (stage) => {
    await stage.page.route(/assent_approval_bg.*\.wasm$/, (route) => route.abort());
    const post = await streaming(stage, "Refund the lamp.", "This is one action, which you can decide.");
    request(post, tool("b", "refund_payment"));
    await expect(stage.chat.approval.getByRole("button", { name: "Try again" })).toBeVisible();
  },
  "approval-unknown": async (stage) => {
    await asked(stage, "refund_payment");
    stage.scripted.on.post = (_, response) => response.socket.destroy();
    stage.scripted.on.messages = (_, response) => response.writeHead(503).end();
    await stage.chat.approveAll();
    await stage.chat.submit();
    await expect(stage.chat.button("Check again")).toBeVisible();
  },
  "approval-files": async (stage) => {
    await asked(stage, "refund_payment");
    await takeFiles(stage.chat);
    await stage.chat.role("button", { name: /^Deny (all )?with a note…$/ }).click();
    await stage.chat.role("textbox", { name: "Note" }).fill("The receipt says something else.");
    const file = (name, size) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.alloc(size) });
    const files = [file("receipt.pdf", 48213), file("photo of the broken lamp.jpg", 2413001), file("pictures.zip", 812)];
    await stage.chat.approval.locator("input[type=file]").setInputFiles(files);
    await expect(stage.chat.role("alert")).toBeVisible();
    await bottom(stage.chat);
  },
  "approval-asking": async (stage) => {
    await asked(stage, "refund_payment");
    await stage.chat.say("Wait, that was the wrong order.");
    await expect(stage.chat.button("Cancel")).toBeVisible();
    await bottom(stage.chat);
  },
  "approval-waiting": async (stage) => {
    await asked(stage, "refund_payment");
    await stage.chat.say("And then send me the receipt, please.");
    await stage.chat.button("Send after I decide").click();
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
  "approval-reason": async ({ chat, scripted }) => {
    const { id } = scripted.addThread("Refund");
    const about = { toolMemoryId: "memory", reason: "it pays money, and the policy asks about every payment.", definitionChanged: true };
    const request = [["refund_payment", about], ["send_email", { toolMemoryId: "memory" }]].map(([name, more]) =>
      stored(tool("b", name, { toolArguments: { order: "4711", amount: "49.90 EUR" } }), "PENDING_HUMAN_APPROVAL", more),
    );
    scripted.store(id, "assistant", "", { handle: "@scripted", toolExecutionHumanApprovalRequest: request });
    await chat.inline({ "base-url": scripted.origin, "thread-id": id });
    await expect(chat.approval).toHaveAttribute("data-state", "pending");
  },
  "approval-view": waiting(),
  "approval-view-card": waiting(async (chat) => {
    await chat.role("button", { name: /^Refund payment/ }).click();
    await expect(chat.tool("refund_payment")).toBeFocused();
  }),
  "approval-unanswerable": async ({ chat, scripted }) => {
    const { id } = scripted.addThread("Refund");
    storeRequest(scripted, id, [tool("b", "refund_payment")]);
    await chat.inline({ "base-url": scripted.origin, "thread-id": id });
    await expect(chat.approval).toHaveAttribute("data-state", "unanswerable");
  },
};

// The view of what waits with all agents, and its cards alone (attribute `view`, extension `inbox`).

import { expect, test } from "../../fixtures.js";
import { stored, tool } from "../../servers/approvals.js";
import { json } from "../../servers/scripted.js";

const TRAVEL = { id: "travel", name: "Travel" };
const MINUTE = 60_000;

const region = (chat) => chat.role("region", { name: "All decisions" });
const entries = (chat) => region(chat).getByRole("listitem");
const entry = (chat, name) => region(chat).getByRole("button", { name });
const pending = (chat) => chat.element.evaluate((element) => element.state.pendingApprovals);

/** A thread in which these tools wait, with one agent or the other. */
function waits(scripted, name, tools, agent, more = {}) {
  const thread = scripted.addThread(name, [], agent);
  scripted.store(thread.id, "user", "Do it");
  const asked = tools.map((item) => stored(item, undefined, { ...more, toolMemoryId: "memory" }));
  scripted.store(thread.id, "assistant", "", { handle: "@scripted", toolExecutionHumanApprovalRequest: asked });
  return thread;
}

/** Stores that the tools of a thread were decided. */
function decide(scripted, thread, status = "APPROVED") {
  const all = scripted.stored.get(thread.id).flatMap((message) => message.toolExecutionHumanApprovalRequest ?? []);
  for (const item of all) item.status = status;
}

/** The view, once it is there. */
async function view(chat, scripted, settings = {}) {
  scripted.extensions = "inbox";
  await chat.visit("inline", { view: "approvals", "base-url": scripted.origin, ...settings });
  await chat.element.evaluate((element) => element.ready);
  await expect(region(chat)).toHaveAttribute("data-state", "ready");
}

test("what waits with all agents is listed, opened and decided, one after the other", { tag: "@firefox" }, async ({ chat, scripted }) => {
  const first = waits(scripted, "Refund", [tool("b-1", "refund_payment")]);
  const second = waits(scripted, "Journey", [tool("b-2", "cancel_booking"), tool("b-2", "send_mail")], TRAVEL, { reason: "It costs money." });
  scripted.hold = true;
  await view(chat, scripted);
  await expect(chat.heading).toHaveText("Decisions");
  await expect(region(chat).getByRole("heading", { name: "3 decisions wait" })).toBeVisible();
  await expect(entries(chat)).toHaveCount(2);
  await expect(entries(chat).first()).toContainText("Cancel booking, Send mail");
  await expect(entries(chat).first()).toContainText(/Travel.*Journey/);
  await expect(entries(chat).first()).toContainText("It costs money.");
  expect(await pending(chat)).toBe(3);
  await expect(chat.input).toHaveCount(0);
  await expect(chat.threadsToggle).toHaveCount(0);

  await entry(chat, /Refund payment/).click();
  await expect(chat.tool("refund_payment")).toBeFocused();
  await expect(region(chat)).toContainText(/Scripted.*Refund/);
  await expect(chat.messages).toHaveCount(0);
  await chat.decide("refund_payment", "Approve");
  const post = await scripted.nextPost();
  expect(post.thread).toBe(first.id);
  decide(scripted, first);
  post.answer("Done.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(region(chat)).toBeFocused();
  expect(await pending(chat)).toBe(2);

  await chat.button("Next one").click();
  await expect(chat.tool("cancel_booking")).toBeFocused();
  await expect(region(chat)).toContainText(/Travel.*Journey/);
  await chat.button("Deny all").click();
  await chat.submit();
  const other = await scripted.nextPost();
  expect(other.thread).toBe(second.id);
  decide(scripted, second, "DENIED");
  other.answer("Fine.");
  await expect(region(chat).getByRole("status").filter({ hasText: "Nothing waits for you." })).toBeVisible();
  await expect(chat.button("Next one")).toHaveCount(0);
  expect(await pending(chat)).toBe(0);
  await chat.button("All decisions").click();
  await expect(entries(chat)).toHaveCount(0);
  await expect(region(chat)).toContainText("Nothing waits for you.");
});

test("with the keyboard alone, and back to where one came from", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  const thread = waits(scripted, "Refund", [tool("b-1", "refund_payment")]);
  waits(scripted, "Journey", [tool("b-2", "cancel_booking")], TRAVEL);
  scripted.hold = true;
  await view(chat, scripted);
  await entry(chat, /Refund payment/).press("Enter");
  await expect(chat.tool("refund_payment")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(entry(chat, /Refund payment/)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chat.tool("refund_payment")).toBeFocused();
  await expect(chat.verdict("refund_payment", "Deny")).toBeEnabled();
  await page.clock.install();
  await page.clock.runFor(400);
  await chat.verdict("refund_payment", "Deny").press("Enter");
  const post = await scripted.nextPost();
  decide(scripted, thread, "DENIED");
  post.answer("Fine.");
  await expect(region(chat)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(chat.button("All decisions")).toBeFocused();
  await chat.button("Next one").press("Enter");
  await expect(chat.tool("cancel_booking")).toBeFocused();
});

test("what began to wait meanwhile comes within a minute, and what ended is gone", async ({ page, chat, scripted }) => {
  await page.clock.install();
  await view(chat, scripted);
  await expect(region(chat)).toContainText("Nothing waits for you.");
  const thread = waits(scripted, "Journey", [tool("b-1", "cancel_booking")], TRAVEL);
  await page.clock.runFor(MINUTE);
  await expect(entries(chat)).toHaveCount(1);
  expect(await pending(chat)).toBe(1);
  decide(scripted, thread);
  await page.clock.runFor(MINUTE);
  await expect(entries(chat)).toHaveCount(0);
  expect(await pending(chat)).toBe(0);
});

test("a card that was decided elsewhere says so, and what is left to wait has its time", async ({ page, chat, scripted }) => {
  const thread = waits(scripted, "Refund", [tool("b-1", "refund_payment")]);
  const end = new Date(Date.now() + 90 * MINUTE).toISOString();
  waits(scripted, "Journey", [tool("b-2", "cancel_booking")], TRAVEL, { expiresAt: end });
  await view(chat, scripted);
  await expect(entry(chat, /Cancel booking/)).toContainText(/2 hours left to decide/);
  await expect(entry(chat, /Refund payment/)).not.toContainText("left to decide");
  decide(scripted, thread);
  await entry(chat, /Refund payment/).click();
  await expect(region(chat)).toContainText("This does not wait for a decision any more.");
  await expect(region(chat)).toBeFocused();
  await chat.button("Next one").click();
  await expect(chat.tool("cancel_booking")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(entries(chat)).toHaveCount(1);
});

test("names that deceive have their codes, and from right to left nothing is cut off in 360 pixels", async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const agent = { id: "x", name: "Tra\u200bvel" };
  waits(scripted, `${"LongName".repeat(12)} \u202Eevil`, [tool("b-1", "p\u0430y now")], agent, { reason: `${"https://".repeat(40)}` });
  scripted.hold = true;
  await view(chat, scripted, { locale: "ur" });
  const button = entries(chat).first().getByRole("button");
  await expect(button).toContainText(/U\+200B/);
  await expect(button).toContainText(/U\+202E/);
  await expect(button).toContainText(/U\+0430/);
  const isWithin = async (locator) => {
    const { x, width } = await locator.boundingBox();
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(360);
  };
  await isWithin(button);
  const isWide = () => region(chat).evaluate((it) => it.scrollWidth > it.clientWidth);
  expect(await isWide()).toBe(false);
  await button.click();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await isWithin(chat.approval);
  await isWithin(chat.button("All decisions"));
  expect(await isWide()).toBe(false);
});

test.describe("a service that does not answer", () => {
  test.use({ expectedConsole: /Failed to load resource|assent-chat/ });

  test("a failure says so and can be tried again", async ({ chat, scripted }) => {
    waits(scripted, "Refund", [tool("b-1", "refund_payment")]);
    scripted.extensions = "inbox";
    scripted.on.approvals = (_, response) => json(response, 500, { message: "No." });
    await chat.visit("inline", { view: "approvals", "base-url": scripted.origin });
    await expect(region(chat)).toHaveAttribute("data-state", "failed");
    await expect(region(chat)).toContainText("What waits for you was not loaded.");
    scripted.on = {};
    await chat.button("Retry").click();
    await expect(entries(chat)).toHaveCount(1);
    await expect(chat.button("Retry")).toHaveCount(0);
  });

  test("where nothing answers at all, the list of conversations says it", async ({ chat, scripted }) => {
    scripted.on.list = (_, response) => json(response, 404, { message: "No." });
    await chat.visit("inline", { view: "approvals", "base-url": scripted.origin });
    await expect(chat.alert).toContainText("not available");
    scripted.on = {};
    scripted.extensions = "inbox";
    await chat.button("Retry").click();
    await expect(region(chat)).toContainText("Nothing waits for you.");
  });
});

test("a service without the extension is not asked, and the view says so", async ({ chat, scripted }) => {
  scripted.addThread("Earlier");
  await chat.visit("inline", { view: "approvals", "base-url": scripted.origin });
  await expect(region(chat)).toContainText("This service does not tell what waits for you.");
  expect(scripted.to("approvals")).toEqual([]);
});

test("the chat of the same page opens no conversation of another agent because of the view", async ({ chat, scripted }) => {
  waits(scripted, "Journey", [tool("b-1", "cancel_booking")], TRAVEL);
  await view(chat, scripted);
  await entry(chat, /Cancel booking/).click();
  await expect(chat.tool("cancel_booking")).toBeFocused();
  await chat.inline({ "base-url": scripted.origin });
  await expect(chat.input).toBeVisible();
  await expect(chat.approval).toHaveCount(0);
  expect(await chat.element.evaluate((element) => element.state.threadId)).toBeNull();
});

test("the attribute starts over, and in the chat its own agent counts alone", async ({ chat, scripted }) => {
  waits(scripted, "Refund", [tool("b-1", "refund_payment")]);
  waits(scripted, "Journey", [tool("b-2", "cancel_booking")], TRAVEL);
  await view(chat, scripted, { "agent-id": "scripted" });
  await expect(entries(chat)).toHaveCount(2);
  await chat.element.evaluate((element) => element.removeAttribute("view"));
  await expect(chat.input).toBeVisible();
  await expect(region(chat)).toHaveCount(0);
  await expect.poll(() => pending(chat)).toBe(1);
  await chat.element.evaluate((element) => element.setAttribute("view", "approvals"));
  await expect(entries(chat)).toHaveCount(2);
  await expect(chat.input).toHaveCount(0);
  expect(await pending(chat)).toBe(2);
});

test("with the real service, and the cards of two agents", { tag: "@firefox" }, async ({ chat, service }) => {
  await service.converse("approve one");
  await service.converse("book it", "travel");
  await chat.visit("inline", { view: "approvals" });
  await expect(entries(chat)).toHaveCount(2);
  await entry(chat, /Refund payment/).click();
  await expect(chat.tool("refund_payment")).toBeFocused();
  await chat.decide("refund_payment", "Deny");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await chat.button("Next one").click();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.approval.getByRole("button", { name: /^Deny( all)?$/ }).last().click();
  await chat.submit();
  await expect(region(chat)).toContainText("Nothing waits for you.");
  expect(await pending(chat)).toBe(0);
});

// What waits for a decision in all conversations is counted, and is decided one after the other (extension `inbox`).

import { expect, test } from "../../fixtures.js";

const pending = (chat) => chat.element.evaluate((element) => element.state.pendingApprovals);
const waiting = (chat, name) => chat.list.getByRole("button", { name, exact: true });

test("the list begins with what waits, and each decision leads to the next one", { tag: "@firefox" }, async ({ page, chat, service }) => {
  await page.setViewportSize({ width: 1000, height: 700 });
  for (let at = 0; at < 2; at += 1) await service.converse("approve one");
  await service.converse("hello");
  await chat.inline({ threads: "side" });
  await expect(waiting(chat, "2 decisions wait")).toBeVisible();
  expect(await pending(chat)).toBe(2);
  const [first] = await chat.list.getByRole("button").allInnerTexts();
  expect(first).toBe("New conversation");
  await expect(chat.list.getByRole("button").nth(1)).toHaveAccessibleName("2 decisions wait");

  await waiting(chat, "2 decisions wait").click();
  await expect(chat.tool("refund_payment")).toBeFocused();
  await chat.decide("refund_payment", "Approve");
  await expect(waiting(chat, "1 decision waits")).toBeVisible();
  await expect(chat.lastMessage).toContainText("Done: 49.90 EUR");
  const shown = await chat.element.evaluate((element) => element.state.threadId);
  await chat.button("Next one").click();
  await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "PENDING_HUMAN_APPROVAL");
  await expect(chat.tool("refund_payment")).toBeFocused();
  expect(await chat.element.evaluate((element) => element.state.threadId)).not.toBe(shown);
  await chat.decide("refund_payment", "Deny");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(chat.button("Next one")).toHaveCount(0);
  await expect(chat.list.getByRole("button", { name: /decision/ })).toHaveCount(0);
  expect(await pending(chat)).toBe(0);
});

test("with the keyboard, in a narrow chat from right to left", async ({ page, chat, service }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await service.converse("approve one");
  await chat.inline({ locale: "ur" });
  await expect(chat.threadsToggle).toHaveAccessibleDescription(/1/);
  await chat.threadsToggle.press("Enter");
  const button = chat.list.getByRole("button").nth(1);
  await expect(button).toHaveAccessibleName("1 decision waits");
  const { x, width } = await button.boundingBox();
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(360);
  await button.press("Enter");
  await expect(chat.list).toHaveCount(0);
  await expect(chat.tool("refund_payment")).toBeFocused();
});

test("what was decided on another device does not wait any more once the page is seen again", async ({ page, chat, service }) => {
  await page.setViewportSize({ width: 1000, height: 700 });
  const thread = await service.converse("approve one");
  await chat.inline({ threads: "side" });
  await expect(waiting(chat, "1 decision waits")).toBeVisible();
  await service.call("DELETE", `/${thread.id}`);
  const show = (state) =>
    page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      Object.defineProperty(document, "hidden", { value: state === "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await show("hidden");
  await show("visible");
  await expect(chat.list.getByRole("button", { name: /decision/ })).toHaveCount(0);
  expect(await pending(chat)).toBe(0);
});

test("a plain service is not asked", async ({ chat, scripted }) => {
  const requests = chat.record();
  scripted.addThread("Earlier");
  await chat.inline({ "base-url": scripted.origin, threads: "side" });
  await expect(chat.thread("Earlier")).toBeVisible();
  await chat.loaded();
  await chat.list.getByRole("button", { name: "Earlier", exact: true }).click();
  await expect(chat.transcript).toHaveAttribute("data-state", "ready");
  expect(requests.map(({ path }) => path).filter((path) => path.includes("approvals"))).toEqual([]);
});

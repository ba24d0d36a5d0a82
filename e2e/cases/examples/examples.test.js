// The examples without a build do what they show: the page has the chat, hears from it, takes it away and brings it back.

import { expect, test } from "./project.js";

test("HTML, launcher: one tag", async ({ page, chat, plain }) => {
  await page.goto(`${plain}/launcher.html`);
  const opened = page.evaluate(() => new Promise((resolve) => document.addEventListener("assent:open", resolve)).then(() => true));
  await chat.button("Open chat").click();
  expect(await opened).toBe(true);
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("Hello!");
  const element = await chat.element.elementHandle();
  await element.evaluate((element) => element.remove());
  await expect(chat.element).toHaveCount(0);
  await element.evaluate((element) => document.body.append(element));
  await expect(chat.lastMessage).toContainText("Hello!");
});

test("HTML, inline: functions, events, taken away and brought back", async ({ page, chat, plain }) => {
  await page.goto(`${plain}/inline.html`);
  await chat.say("approve one");
  await chat.tool("refund_payment").waitFor();
  await chat.role("button", { name: /^Deny (all )?with a note…$/ }).click();
  await expect(chat.approval.getByRole("button", { name: "Attach files" })).toBeVisible();
  await chat.button("Back").click();
  await chat.decide("refund_payment", "Deny");
  await chat.submit();
  await expect(page.locator("#decisions > li")).toHaveText(["refund_payment: DENIED"]);
  // The service takes no message while the agent goes on, whether a chat is there or not.
  await chat.isAnswered();
  const offer = page.getByRole("checkbox", { name: "Offer the chat" });
  await offer.uncheck();
  await expect(chat.element).toHaveCount(0);
  await offer.check();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("Hello!");
});

test("HTML, fullscreen: the chat is the page", async ({ page, chat, plain }) => {
  await page.goto(`${plain}/fullscreen.html`);
  await expect(chat.heading).toHaveText("Travel desk");
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("Hello!");
  const { width, height } = page.viewportSize();
  expect(await chat.part("panel").boundingBox()).toEqual({ x: 0, y: 0, width, height });
});

// A diagnostic log that is copied in one page is played in another one, without a service.

import { activity, answerWithSteps, more, steps } from "../device/device.js";
import { Chat } from "../../fixtures.js";
import { expect, test } from "./demo.js";

/** The texts of the steps, without how long they took. */
const texts = async (chat) => (await steps(chat).allTextContents()).map((text) => text.replace(/[\d.]+ s$/, ""));

/** Copies the log of a conversation with one answer, and returns it with what was seen. */
async function record(page, chat, scripted) {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await chat.inline({ "base-url": scripted.origin, activity: "full" });
  const post = await answerWithSteps(chat, scripted);
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED", "The handbook is away");
  post.complete("Done **well**.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await more(chat).click();
  await chat.role("menuitem", { name: "Copy diagnostic log" }).click();
  await expect(chat.role("menuitem", { name: "Diagnostic log copied" })).toBeVisible();
  return { log: await page.evaluate(() => navigator.clipboard.readText()), seen: await texts(chat), state: await activity(chat).getAttribute("data-state") };
}

test("a copied log shows the same texts and steps", async ({ page, chat, scripted, serveDemo }) => {
  const { log, seen, state } = await record(page, chat, scripted);
  const before = scripted.requests.length;
  const demo = await serveDemo({ service: scripted.origin });
  await page.goto(`${demo}/demo/replay.html`);
  await page.getByLabel("Diagnostic log").fill(log);
  await page.getByRole("button", { name: "Play" }).click();
  const replayed = new Chat(page, "replay");
  await expect(page.getByText("Played", { exact: true })).toBeVisible();
  await expect(replayed.messages.first()).toContainText("Look it up");
  await expect(replayed.lastMessage).toContainText("Done well.");
  await expect(activity(replayed)).toHaveAttribute("data-state", state);
  expect(await texts(replayed)).toEqual(seen);
  expect(scripted.requests).toHaveLength(before);
});

test("step by step, each press is one event", { tag: "@long" }, async ({ page, chat, scripted, serveDemo }) => {
  const { log, seen } = await record(page, chat, scripted);
  await page.goto(`${await serveDemo({ service: scripted.origin })}/demo/replay.html`);
  await page.getByLabel("Diagnostic log").fill(log);
  await page.getByLabel("Speed").selectOption("Step by step");
  await page.getByRole("button", { name: "Play" }).click();
  const next = page.getByRole("button", { name: "Next event" });
  const replayed = new Chat(page, "replay");
  for (let event = 0; event < 3; event += 1) await next.click();
  await expect(steps(replayed)).toHaveCount(1);
  await expect(steps(replayed)).toHaveAttribute("data-state", "running");
  await page.getByLabel("Speed").selectOption("All at once");
  await next.click();
  await expect(replayed.lastMessage).toContainText("Done well.");
  expect(await texts(replayed)).toEqual(seen);
});

test("what is no log is said to be none", { tag: "@long" }, async ({ page, scripted, serveDemo }) => {
  await page.goto(`${await serveDemo({ service: scripted.origin })}/demo/replay.html`);
  await page.getByLabel("Diagnostic log").fill('{"log": "other"}');
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.getByText("This is no diagnostic log.")).toBeVisible();
});

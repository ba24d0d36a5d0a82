// What the agent does: one line with the current step, which opens to all of them.

import { expect, test } from "../../fixtures.js";

const activity = (chat) => chat.role("group", { name: "Agent activity" });
const line = (chat) => activity(chat).getByRole("button");
const steps = (chat) => activity(chat).getByRole("listitem");

test("the line shows the current step and opens to the steps, with how long each took", async ({ page, chat, scripted }) => {
  const start = new Date("2026-03-01T12:00:00Z").getTime();
  await page.clock.setFixedTime(start);
  const post = await chat.streaming(scripted, "Look it up");
  post.send("NOTIFICATION_AGENT_THINKING_STARTED", "Thinking about it");
  await expect(line(chat)).toContainText("Thinking about it");
  await expect(activity(chat)).toHaveAttribute("data-state", "running");
  await expect(line(chat)).toHaveAttribute("aria-expanded", "false");
  await expect(steps(chat)).toHaveCount(0);
  await page.clock.setFixedTime(start + 2500);
  post.send("NOTIFICATION_AGENT_THINKING_COMPLETE", "Thought about it");
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Searching the handbook");
  await expect(line(chat)).toContainText("Searching the handbook");
  await line(chat).click();
  await expect(line(chat)).toHaveAttribute("aria-expanded", "true");
  await expect(steps(chat)).toHaveText([/Thought about it\s*2\.5 s$/, /Searching the handbook/]);
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED", "The handbook is away");
  await expect(steps(chat).last()).toHaveAttribute("data-state", "failed");
  post.send("NOTIFICATION_NEVER_SEEN_BEFORE", "Something new");
  await expect(steps(chat).last()).toContainText("Something new");
  post.complete("Done.");
  await expect(activity(chat)).toHaveAttribute("data-state", "done");
  await expect(steps(chat)).toHaveCount(3);
});

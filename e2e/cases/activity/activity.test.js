// What the agent does: one line with the current step, which opens to all of them.

import { expect, test } from "../../fixtures.js";

const activity = (chat) => chat.role("group", { name: "Agent activity" });
const line = (chat) => activity(chat).getByRole("button");
const steps = (chat) => activity(chat).getByRole("listitem");

test("the line shows the current step and opens to the steps with durations", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("Look it up");
  const post = await scripted.nextPost();
  post.begin();
  post.send("NOTIFICATION_AGENT_THINKING_STARTED", "Thinking about it");
  await expect(line(chat)).toContainText("Thinking about it");
  await expect(activity(chat)).toHaveAttribute("data-state", "running");
  await expect(line(chat)).toHaveAttribute("aria-expanded", "false");
  await expect(steps(chat)).toHaveCount(0);
  post.send("NOTIFICATION_AGENT_THINKING_COMPLETE", "");
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Searching the handbook");
  await expect(line(chat)).toContainText("Searching the handbook");
  await line(chat).click();
  await expect(line(chat)).toHaveAttribute("aria-expanded", "true");
  await expect(steps(chat)).toHaveCount(2);
  await expect(steps(chat).last()).toContainText("Searching the handbook");
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED", "The handbook is away");
  await expect(steps(chat).last()).toHaveAttribute("data-state", "failed");
  post.send("NOTIFICATION_NEVER_SEEN_BEFORE", "Something new");
  await expect(steps(chat).last()).toContainText("Something new");
  post.complete("Done.");
  await expect(activity(chat)).toHaveAttribute("data-state", "done");
  await expect(steps(chat)).toHaveCount(3);
});

test("a step that ended says how long it took", async ({ page, chat, scripted }) => {
  const start = new Date("2026-03-01T12:00:00Z").getTime();
  await page.clock.setFixedTime(start);
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin, activity: "full" });
  await chat.say("Look it up");
  const post = await scripted.nextPost();
  post.begin();
  post.send("NOTIFICATION_AGENT_THINKING_STARTED", "Thinking about it");
  await expect(steps(chat)).toContainText("Thinking about it");
  await page.clock.setFixedTime(start + 2500);
  post.send("NOTIFICATION_AGENT_THINKING_COMPLETE", "Thought about it");
  await expect(steps(chat)).toHaveText(/Thought about it\s*2\.5 s$/);
});

test("full shows the steps at once, off shows nothing, and both follow the attribute", async ({ chat }) => {
  await chat.inline({ activity: "full" });
  await chat.ask("research");
  await expect(steps(chat).first()).toBeVisible();
  await chat.element.evaluate((element) => element.setAttribute("activity", "off"));
  await expect(activity(chat)).toBeHidden();
  await chat.element.evaluate((element) => element.removeAttribute("activity"));
  await expect(line(chat)).toBeVisible();
  await expect(steps(chat)).toHaveCount(0);
});

test("failed steps do not fail the answer", async ({ chat }) => {
  await chat.inline({ activity: "full" });
  await chat.ask("trouble");
  await expect(steps(chat).and(chat.element.locator('[data-state="failed"]')).first()).toBeVisible();
  await expect(chat.lastMessage).toContainText("Not everything worked");
});

// axe-core finds nothing in any of the main states, light and dark.

import { expect, test } from "../../fixtures.js";
import { bring, filesOfEveryKind, takeFiles } from "../attachments/files.js";
import { bringAxe, expectNothingFound, violations } from "./axe.js";

/** Each state: how to get there, given a scripted service whose posts wait. */
const STATES = {
  "the launcher": async ({ chat, settings }) => chat.launcher(settings),
  "an empty conversation in the panel": async ({ chat, settings }) => {
    await chat.panel(settings);
    await expect(chat.input).toBeVisible();
  },
  "a streaming answer with activity": async ({ chat, scripted, settings }) => {
    await chat.inline({ ...settings, activity: "full" });
    await chat.say("Tell me");
    const post = await scripted.nextPost();
    post.begin();
    post.send("NOTIFICATION_AGENT_THINKING_STARTED", "Thinking");
    post.say("Half of it");
    await expect(chat.lastMessage).toContainText("Half of it");
  },
  "failures of list, message and agent": async ({ chat, scripted, settings }) => {
    scripted.on.list = (_, response) => response.writeHead(500).end();
    await chat.inline(settings);
    await chat.say("One");
    const post = await scripted.nextPost();
    post.begin();
    post.send("ERROR", "The agent is away.");
    post.end();
    await expect(chat.messages.getByRole("alert")).toBeVisible();
    scripted.on.post = (_, response) => response.writeHead(400).end();
    await chat.say("Two");
    await expect(chat.messages.getByRole("alert")).toHaveCount(2);
  },
  "the list with a menu, a name being changed, and the question before a deletion": async ({ page, chat, scripted, settings }) => {
    scripted.addThread("Orders");
    scripted.addThread("Returns");
    await chat.inline(settings);
    await chat.button("Actions for Orders").click();
    await expect(chat.role("menuitem", { name: "Rename" })).toBeVisible();
    await expectNothingFound(page);
    await chat.role("menuitem", { name: "Rename" }).click();
    const box = chat.role("textbox", { name: "Conversation name" });
    await expect(box).toBeVisible();
    await expectNothingFound(page);
    await box.press("Escape");
    await chat.choose("Orders", "Delete");
    await expect(chat.dialog).toBeVisible();
  },
  "the list over a narrow chat": async ({ page, chat, scripted, settings }) => {
    scripted.addThread("Orders");
    await page.setViewportSize({ width: 360, height: 740 });
    await chat.inline(settings);
    await chat.threadsToggle.click();
    await expect(chat.thread("Orders")).toBeVisible();
  },
  "files in the composer and in a message": async ({ chat, scripted, settings }) => {
    await chat.inline(settings);
    await filesOfEveryKind(chat, scripted);
  },
  "files over the chat": async ({ chat, settings }) => {
    await chat.inline(settings);
    await takeFiles(chat);
    await bring(chat.transcript, ["dragover"], ["a.txt"]);
    await expect(chat.element.getByText("Drop files to attach them")).toBeVisible();
  },
  "suggestions in an empty conversation": async ({ chat, settings }) => {
    await chat.inline(settings);
    const texts = ["Where is my order?", "I ordered a lamp and two chairs three weeks ago and got one chair, and now I would like to know where the rest is"];
    await chat.element.evaluate((element, texts) => (element.suggestions = texts), texts);
    await expect(chat.transcript.getByRole("list", { name: "Suggestions" }).getByRole("button")).toHaveCount(2);
  },
  "a chat that is not set up": async ({ chat, settings }) => {
    await chat.visit("inline", { ...settings, without: "agent-id" });
    await expect(chat.alert).toBeVisible();
  },
};

test.describe("in light and in dark, nothing is found in", () => {
  test.use({ expectedConsole: /Failed to load resource|agent-id is missing/ });

  test.beforeEach(async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await bringAxe(page);
  });

  for (const [name, reach] of Object.entries(STATES)) {
    test(name, async ({ page, chat, scripted }) => {
      scripted.hold = true;
      await reach({ page, chat, scripted, settings: { "base-url": scripted.origin } });
      await expectNothingFound(page);
    });
  }

  test("every kind of block of an answer", async ({ page, chat }) => {
    await chat.inline();
    for (const text of ["markdown", "unicode", "unsafe"]) await chat.askFormatted(text);
    await chat.ask("collaborate");
    await chat.role("group", { name: "Contribution of Researcher" }).getByRole("button").click();
    await expectNothingFound(page);
  });
});

test("axe is at work", async ({ page, chat }) => {
  await bringAxe(page);
  await chat.inline();
  await chat.element.evaluate((element) => element.shadowRoot.querySelector("[part~=send]").removeAttribute("aria-label"));
  await chat.element.evaluate((element) => element.shadowRoot.querySelector("[part~=send]").removeAttribute("title"));
  expect((await violations(page)).join()).toContain("button-name");
});

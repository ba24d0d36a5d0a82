// Attributes that change at run time, and a diagnosis where one is missing.

import { expect, test } from "../../fixtures.js";

const set = (chat, name, value) =>
  chat.element.evaluate((element, [name, value]) => element.setAttribute(name, value), [name, value]);

test("another agent, user or storage starts over, and back again everything is there", async ({ chat, service }) => {
  await chat.inline();
  await chat.ask("hello");
  await set(chat, "agent-id", "travel");
  await expect(chat.messages).toHaveCount(0);
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("I plan trips");
  expect(await service.threads("travel")).toHaveLength(1);
  await chat.input.fill("typed");
  for (const [name, other, same] of [["user-id", `${chat.user}-other`, chat.user], ["storage", "none", "local"]]) {
    await set(chat, name, other);
    await expect(chat.list).toHaveAttribute("data-state", "ready");
    await expect(chat.messages).toHaveCount(0);
    await expect(chat.input).toHaveValue("");
    await set(chat, name, same);
    await expect(chat.messages).toHaveCount(2);
    await expect(chat.input).toHaveValue("typed");
  }
});

test("user-id-header renames the header", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin, "user-id-header": "X-Brand-User" });
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  expect(scripted.requests[0].headers["x-brand-user"]).toBe(chat.user);
  expect(scripted.requests[0].headers["x-service-user-id"]).toBeUndefined();
});

test("activity=\"full\" has the steps about how the request was taken, which are not there otherwise", async ({ chat, scripted }) => {
  const post = await chat.streaming(scripted, "Weigh it");
  post.send("NOTIFICATION_REQUEST_ORCHESTRATION_TOOL_USAGE", "It takes a scale.");
  post.send("NOTIFICATION_AGENT_THINKING_COMPLETE", "Thought about it.");
  post.complete("3 kg.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  const activity = chat.role("group", { name: "Agent activity" });
  const taken = activity.getByText("Decided to use a tool").or(activity.getByText("It takes a scale."));
  await expect(activity).toContainText("Thought about it.");
  await expect(taken).toHaveCount(0);
  await set(chat, "activity", "full");
  await expect(taken.first()).toBeVisible();
});

test.describe("a diagnosis", () => {
  test.use({ expectedConsole: /assent-chat: / });

  for (const mode of ["inline", "launcher"]) {
    test(`a missing agent-id gives a readable diagnosis, ${mode}`, async ({ chat, console: messages }) => {
      if (mode === "inline") await chat.visit("inline", { without: "agent-id" });
      else {
        await chat.launcher();
        await chat.element.evaluate((element) => element.removeAttribute("agent-id"));
        await chat.button("Open chat").click();
      }
      await expect(chat.alert).toContainText("its attribute agent-id is missing");
      expect(messages.filter((text) => text.includes("agent-id"))).toHaveLength(1);
      await set(chat, "agent-id", "demo");
      await expect(chat.input).toBeVisible();
    });
  }
});

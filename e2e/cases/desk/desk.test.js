// An agent with a model and real tools, with a person who decides: what is approved is on the disk, and nothing else.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { API_KEY, Chat, expect, Service } from "../../fixtures.js";
import { callsAll, says, saysOn } from "../../servers/model.js";
import { asked, at, later, test, write, written } from "./open.js";

test("three real tools run as approved, one that was denied does not, and none after a stop with words and an image", async ({ chat, open, user }) => {
  const replies = [];
  const { desk, model } = await open(later(() => replies[0]), says("Three are written."), later(() => replies[1]), says("I wait."));
  replies.push(callsAll(...["a", "b", "c", "d"].map((name) => write(desk, name))), callsAll(write(desk, "e")));
  await chat.inline(at(desk));
  await chat.asksApproval("Write four files");
  await chat.approval.scrollIntoViewIfNeeded();
  const tools = await chat.part("approval-tool").all();
  expect(tools).toHaveLength(4);
  for (const [place, tool] of tools.entries()) {
    await chat.press(tool.getByRole("button", { name: place === 1 ? "Deny" : "Approve", exact: true }));
  }
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Three are written.");
  await chat.isAnswered();
  // Each that ran, as the service names it.
  await chat.part("activity").last().getByRole("button").click();
  await expect(chat.part("activity").last()).toContainText(/Ran files\/write_file \(.*d\)/);
  expect(written(desk, "a", "b", "c", "d")).toEqual([true, false, true, true]);
  expect(readFileSync(join(desk.files, "a"), "utf8")).toBe("I am a.");

  await chat.element.evaluate(
    (element, [origin, key, user]) => {
      element.uploader = async (file) => {
        const headers = { Authorization: `Bearer ${key}`, "X-Service-User-Id": user };
        return (await fetch(`${origin}/api/assistants/uploads`, { method: "POST", headers, body: file })).json();
      };
    },
    [desk.origin, API_KEY, user],
  );
  await chat.say("Write one more");
  await expect(chat.approval.last()).toHaveAttribute("data-state", "pending");
  await chat.waitsForDecision();
  await chat.role("button", { name: /^Deny (all )?with a note…$/ }).click();
  await chat.role("textbox", { name: "Note" }).fill("Wait for me.");
  const buffer = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
  await chat.approval.last().locator('input[type="file"]').setInputFiles({ name: "photo.png", mimeType: "image/png", buffer });
  await chat.button("Deny and send").click();
  await expect(chat.lastMessage).toContainText("I wait.");
  expect(written(desk, "e")).toEqual([false]);
  expect(model.requests.at(-1).body).toContain("Wait for me.");
});

test("a request is answered from a second browser profile, which draws what the service stored", async ({ browser, chat, open, user }) => {
  const desk = await asked(chat, open);
  const context = await browser.newContext();
  const other = new Chat(await context.newPage(), user);
  await other.inline(at(desk));
  await other.thread("Write a file").click();
  await expect(other.approval).toHaveAttribute("data-state", "pending");
  await expect(other.tool("write_file")).toContainText("I am a.");
  await other.approveAll();
  await other.submit();
  await expect(other.lastMessage).toContainText("Written.");
  expect(written(desk, "a")).toEqual([true]);
  await context.close();
  await chat.page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
});

test("Stop ends the answer of the model, and the conversation goes on", async ({ chat, open, user }) => {
  const { desk, model } = await open(saysOn("Once upon a time"), says("Another one."));
  await chat.inline(at(desk));
  await chat.say("A story");
  await expect(chat.lastMessage).toContainText("Once upon a time");
  await expect(chat.stop).toHaveAttribute("title", "Stops the answer");
  await chat.stop.click();
  await expect(chat.lastMessage).toContainText("This answer was stopped.");
  await chat.isAnswered();
  const service = new Service(user, desk.origin);
  const [thread] = await service.threads("desk");
  const stored = await service.messages(thread.id);
  expect(stored.map(({ content }) => content)).toEqual(["A story", "Once upon a time\n\n*This answer was stopped.*"]);
  // Nothing is written any more: the next message is taken.
  await chat.ask("And now?");
  await expect(chat.lastMessage).toContainText("Another one.");
  expect(model.requests).toHaveLength(2);
});

test("a service that is killed while a card is open takes the decision after its restart", async ({ chat, open }) => {
  const desk = await asked(chat, open);
  await desk.killed();
  await chat.approveAll();
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Written.");
  expect(written(desk, "a")).toEqual([true]);
});

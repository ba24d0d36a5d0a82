// Nothing is lost: files stay with their conversation, with a message that was not sent, and while a decision is awaited.

import { expect, test } from "../../fixtures.js";
import { asked, tool } from "../approval/tools.js";
import { bring, composer, file, takeFiles, upload, uploads } from "./files.js";

test.use({ expectedConsole: /Failed to load resource: the server responded with a status of 400/ });

/** A conversation is open at a scripted service, on a page that takes files; a file is attached. */
async function attached(chat, scripted) {
  scripted.hold = true;
  scripted.addThread("Orders");
  scripted.addThread("Returns");
  await chat.inline({ "base-url": scripted.origin });
  await takeFiles(chat);
  await chat.thread("Orders").click();
  const parts = composer(chat);
  await parts.choose(file("list.pdf"));
  await expect(parts.files).toHaveCount(1);
  return parts;
}

test("files stay in the draft of their conversation, and go on being uploaded", async ({ chat, scripted }) => {
  const { files } = await attached(chat, scripted);
  await chat.input.fill("Look");
  await chat.thread("Returns").click();
  await expect(files).toHaveCount(0);
  await expect(chat.input).toHaveValue("");
  await upload(chat, 0).ends({ fileId: "file-7" });
  await chat.thread("Orders").click();
  await expect(files).toContainText(["list.pdf"]);
  await expect(chat.input).toHaveValue("Look");
  await chat.send.click();
  expect((await scripted.nextPost()).content).toEqual([
    { type: "text", text: "Look" },
    { type: "document", fileId: "file-7" },
  ]);
});

test("a message that was not sent keeps its files, for Retry and for the draft", async ({ chat, scripted }) => {
  const { files } = await attached(chat, scripted);
  await upload(chat, 0).ends({ fileId: "file-7" });
  scripted.on.post = (_, response) => response.writeHead(400).end();
  await chat.say("Look");
  const failed = chat.own.getByRole("alert");
  await expect(failed).toBeVisible();
  await expect(files).toHaveCount(0);
  await expect(chat.own.getByRole("listitem")).toContainText(["list.pdf"]);
  await chat.own.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => scripted.to("post").length).toBe(2);
  const [first, second] = scripted.to("post").map(({ body }) => JSON.parse(body).content);
  expect(second).toEqual(first);
  expect(second).toEqual([{ type: "text", text: "Look" }, { type: "document", fileId: "file-7" }]);
  await expect(failed).toBeVisible();
  await chat.own.getByRole("button", { name: "Dismiss" }).click();
  await expect(files).toContainText(["list.pdf"]);
  await expect(chat.input).toHaveValue("Look");
  expect(await uploads(chat)).toHaveLength(1);
  delete scripted.on.post;
  await chat.send.click();
  expect((await scripted.nextPost()).content).toEqual(first);
});

test("a file dropped on a stop goes with the stop, anywhere else with the next message", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await takeFiles(chat);
  await chat.button("Stop and give feedback").click();
  const feedback = chat.role("textbox", { name: "Feedback" });
  const target = chat.element.getByText("Drop files to attach them");
  await bring(chat.heading, ["dragover"], ["a.txt"]);
  await expect(target).toBeVisible();
  expect(await bring(feedback, ["dragover"], ["a.txt"])).toBe(true);
  await expect(target).toHaveCount(0);
  await bring(feedback, ["drop"], ["a.txt"]);
  await expect(chat.approval.getByRole("listitem").filter({ hasText: "a.txt" })).toHaveCount(1);
  await expect(composer(chat).files).toHaveCount(0);
  await bring(chat.heading, ["dragover", "drop"], ["b.txt"]);
  await expect(composer(chat).files).toContainText(["b.txt"]);
});

test("files that are sent while a decision is awaited go with the stop, or afterwards", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await takeFiles(chat);
  const { files, button, choose } = composer(chat);
  await choose(file("list.pdf"));
  await upload(chat, 0).ends({ fileId: "file-7" });
  await chat.send.click();
  await chat.button("Send after the decision").click();
  await expect(button("Remove list.pdf")).toHaveCount(0);
  await expect(composer(chat).form.getByRole("status")).toContainText("list.pdf");
  await chat.button("Take back").click();
  await expect(button("Remove list.pdf")).toBeVisible();
  await chat.send.click();
  await chat.button("Stop the actions and send as feedback").click();
  const { content } = await scripted.nextPost();
  expect(content.slice(1)).toEqual([{ type: "document", fileId: "file-7" }]);
  await expect(files).toHaveCount(0);
});

// The service's own endpoint for files, end to end: a page's uploader sends them there, and a message names them.

import { API_KEY, expect, SERVICE_ORIGIN, test } from "../../fixtures.js";
import { posted } from "../approval/posts.js";
import { composer, file } from "./files.js";

test.use({ expectedConsole: /Failed to load resource: the server responded with a status of 413/ });

/** The uploader of the demo page, for a service on another origin. */
const uploader = (chat) =>
  chat.element.evaluate(
    (element, [origin, key]) => {
      element.uploader = (file, { signal, progress }) =>
        new Promise((resolve, reject) => {
          const request = new XMLHttpRequest();
          request.open("POST", `${origin}/api/assistants/uploads?name=${encodeURIComponent(file.name)}`);
          request.setRequestHeader("Authorization", `Bearer ${key}`);
          request.setRequestHeader("X-Service-User-Id", element.getAttribute("user-id"));
          request.responseType = "json";
          request.upload.onprogress = ({ loaded, total }) => progress(loaded / total);
          request.onerror = () => reject(new Error("The file did not reach the server."));
          request.onload = () => (request.status === 201 ? resolve(request.response) : reject(new Error(request.response.message)));
          signal.addEventListener("abort", () => request.abort());
          request.send(file);
        });
    },
    [SERVICE_ORIGIN, API_KEY],
  );

test("a document and an image reach the agent, and the conversation has one message of them", { tag: "@firefox" }, async ({ page, chat, service }) => {
  const requests = chat.record();
  await chat.inline({ "agent-id": "echo" });
  await uploader(chat);
  const { attach, files, choose } = composer(chat);
  const chooser = page.waitForEvent("filechooser");
  await attach.click();
  expect((await chooser).isMultiple()).toBe(true);
  const png = { name: "photo.png", mimeType: "image/png", buffer: Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1") };
  await choose(file("list.txt"), png);
  await expect(files.getByText("Uploaded")).toHaveCount(2);
  await chat.send.click();
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  const [{ content }] = posted(requests);
  const id = /^upload-[0-9a-f-]{36}$/;
  expect(content).toEqual([
    { type: "document", fileId: expect.stringMatching(id) },
    { type: "image", imageId: expect.stringMatching(id) },
  ]);
  await expect(chat.lastMessage).toContainText(content[0].fileId);
  // Read again, what is stored is the message that was sent.
  await chat.newThread.click();
  await chat.threads.first().click();
  await expect(chat.messages).toHaveCount(2);
  await expect(chat.own.getByRole("listitem")).toContainText(["list.txt", "photo.png"]);
  const [thread] = await service.threads("echo");
  expect(await service.messages(thread.id)).toHaveLength(2);
});

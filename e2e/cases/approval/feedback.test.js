// Stopping with feedback: words, and files where the page takes some; files go nowhere else.

import { expect, test } from "../../fixtures.js";
import { file, takeFiles, uploads } from "../attachments/files.js";
import { answers, posted, results } from "./posts.js";
import { asked, tool } from "./tools.js";

const feedback = (chat) => chat.role("textbox", { name: "Feedback" });
const attach = (chat) => chat.approval.getByRole("button", { name: "Attach files" });
const choose = (chat, ...files) => chat.approval.locator('input[type="file"]').setInputFiles(files);

test("without an uploader there is no way to attach anything", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await chat.button("Stop and give feedback").click();
  await expect(feedback(chat)).toBeFocused();
  await expect(attach(chat)).toHaveCount(0);
  await expect(chat.approval.locator('input[type="file"]')).toHaveCount(0);
  await expect(chat.approval).not.toContainText("together with a stop");
});

test("files can be attached to a stop only, and the card says why", async ({ page, chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await takeFiles(chat);
  await expect(attach(chat)).toHaveCount(0);
  await chat.button("Stop and give feedback").click();
  await expect(attach(chat)).toBeVisible();
  await expect(chat.approval).toContainText("With a decision, files reach the agent only together with a stop.");
  const chooser = page.waitForEvent("filechooser");
  await attach(chat).click();
  expect((await chooser).isMultiple()).toBe(true);
  await chat.element.evaluate((element) => (element.uploader = null));
  await expect(attach(chat)).toHaveCount(0);
});

test("an uploader that was set before the element was defined counts", async ({ page, chat, scripted }) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const element = document.querySelector("assent-chat");
      if (!element) return;
      observer.disconnect();
      globalThis.wasEarly = !customElements.get("assent-chat");
      element.uploader = () => ({ fileId: "file-7" });
    }).observe(document, { childList: true, subtree: true });
  });
  await asked(chat, scripted, [tool("b", "one")]);
  expect(await page.evaluate(() => globalThis.wasEarly)).toBe(true);
  await chat.button("Stop and give feedback").click();
  await choose(chat, file("list.txt"));
  await chat.button("Stop these actions").click();
  expect((await scripted.nextPost()).content.slice(1)).toEqual([{ type: "document", fileId: "file-7" }]);
});

test("a stop waits for its files, shows how far they are, and sends them behind the words", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one"), tool("b", "two")]);
  await takeFiles(chat);
  await chat.button("Stop and give feedback").click();
  await feedback(chat).fill("Look at these");
  await choose(chat, file("list.txt"), file("photo.png"));
  const stop = chat.button("Stop these actions");
  await expect(stop).toBeDisabled();
  await expect(chat.approval).toContainText("You can stop the actions when every file is uploaded.");
  const progress = chat.role("progressbar", { name: "Uploading list.txt" });
  await expect(progress).toHaveAttribute("value", "0");
  expect(await uploads(chat)).toEqual([["list.txt", 10, false], ["photo.png", 10, false]]);
  await chat.page.evaluate(() => globalThis.uploads[0].progress(0.4));
  await expect(progress).toHaveAttribute("value", "40");
  await chat.page.evaluate(() => globalThis.uploads[0].resolve({ fileId: "file-7" }));
  await expect(progress).toHaveCount(0);
  await expect(stop).toBeDisabled();
  await chat.page.evaluate(() => globalThis.uploads[1].resolve({ imageId: "image-9" }));
  await stop.click();
  const answer = await scripted.nextPost();
  expect(answer.content.slice(1)).toEqual([
    { type: "text", text: "Look at these" },
    { type: "document", fileId: "file-7" },
    { type: "image", imageId: "image-9" },
  ]);
  expect(answer.content[0].toolApprovalResult.map((result) => result.approvalResult)).toEqual(["ABORTED_WITH_FEEDBACK", "ABORTED_WITH_FEEDBACK"]);
  answer.answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  expect(scripted.to("post")).toHaveLength(2);
});

test("a file that fails says why, can be tried again, and can be taken out", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await takeFiles(chat);
  await chat.button("Stop and give feedback").click();
  await choose(chat, file("list.txt"));
  await chat.page.evaluate(() => globalThis.uploads[0].reject(new Error("Only pictures are taken.")));
  await expect(chat.approval.getByRole("alert")).toContainText("Only pictures are taken.");
  await expect(chat.approval).toContainText("A file could not be uploaded. Retry or remove it to go on.");
  await expect(chat.button("Stop these actions")).toBeDisabled();
  await expect(chat.button("Retry")).toHaveAccessibleDescription("list.txt");
  await chat.button("Retry").click();
  await expect(chat.approval.getByRole("alert")).toHaveCount(0);
  await expect.poll(() => uploads(chat)).toEqual([["list.txt", 10, false], ["list.txt", 10, false]]);
  await chat.page.evaluate(() => globalThis.uploads[1].reject(new TypeError("Failed to fetch")));
  await expect(chat.approval.getByRole("alert")).toHaveText("This file could not be uploaded.");
  await chat.button("Remove list.txt").click();
  await expect(chat.approval.getByRole("listitem")).toHaveCount(0);
  await chat.button("Stop these actions").click();
  expect((await scripted.nextPost()).content).toHaveLength(1);
});

test("a file that is taken out while it is uploaded is not sent, and its upload ends", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await takeFiles(chat);
  await chat.button("Stop and give feedback").click();
  await choose(chat, file("one.txt"), file("two.txt"));
  await chat.page.evaluate(() => globalThis.uploads[1].resolve({ fileId: "file-2" }));
  await chat.button("Cancel upload of one.txt").click();
  expect(await uploads(chat)).toEqual([["one.txt", 10, true], ["two.txt", 10, false]]);
  await chat.page.evaluate(() => globalThis.uploads[0].resolve({ fileId: "file-1" }));
  await chat.button("Stop these actions").click();
  expect((await scripted.nextPost()).content.slice(1)).toEqual([{ type: "document", fileId: "file-2" }]);
});

test("files never go with decisions", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await takeFiles(chat);
  await chat.button("Stop and give feedback").click();
  await feedback(chat).fill("Look at this");
  await choose(chat, file("list.txt"));
  await chat.page.evaluate(() => globalThis.uploads[0].resolve({ fileId: "file-7" }));
  await expect(chat.button("Stop these actions")).toBeEnabled();
  await chat.button("Back").click();
  await expect(chat.approval.getByRole("listitem").filter({ hasText: "list.txt" })).toHaveCount(0);
  await chat.decide("one", "Approve");
  await chat.submit();
  const { content } = await scripted.nextPost();
  expect(content.map((item) => item.type)).toEqual(["tool_approval_result"]);
  expect(content[0].toolApprovalResult[0].approvalResult).toBe("APPROVED");
});

test("the real service takes words and files of a stop", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.element.evaluate((element) => (element.uploader = async (file) => ({ imageId: `image-of-${file.name}` })));
  await chat.say("approve one");
  await chat.button("Stop and give feedback").click();
  await feedback(chat).fill("Take the other card");
  await choose(chat, file("card.png"));
  await chat.button("Stop these actions").click();
  await expect(chat.lastMessage).toContainText("Take the other card");
  await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "ABORTED_WITH_FEEDBACK");
  const [answer] = answers(requests);
  expect(results(answer).map((result) => result.approvalResult)).toEqual(["ABORTED_WITH_FEEDBACK"]);
  expect(answer.content.at(-1)).toEqual({ type: "image", imageId: "image-of-card.png" });
  expect(posted(requests)).toHaveLength(2);
});

// Files in the composer: how they are chosen, what is shown of them, and when a message can be sent with them.

import { expect, test } from "../../fixtures.js";
import { composer, file, takeFiles, upload } from "./files.js";

/** An inline chat at a scripted service, on a page that takes files. */
async function open(chat, scripted, settings = {}) {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin, ...settings });
  await takeFiles(chat);
  await expect(composer(chat).attach).toBeVisible();
  return composer(chat);
}

test("chosen files show name, kind, size and progress, and Send waits for them", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  const { form, attach, files, choose } = await open(chat, scripted);
  const chooser = page.waitForEvent("filechooser");
  await attach.click();
  expect((await chooser).isMultiple()).toBe(true);
  await chat.input.fill("Look at these");
  await choose(file("list.pdf"), file("photo.png", "x".repeat(48_000)));
  await expect(files.first()).toContainText("list.pdf");
  await expect(files.first()).toContainText("PDF · 10 B");
  await expect(files.last()).toContainText("PNG · 48 kB");
  await expect(chat.send).toBeDisabled();
  await expect(chat.send).toHaveAccessibleDescription("You can send when every file is uploaded.");
  await chat.input.press("Enter");
  await expect(chat.messages).toHaveCount(0);
  const progress = form.getByRole("progressbar", { name: "Uploading list.pdf" });
  await upload(chat, 0).progresses(0.4);
  await expect(progress).toHaveAttribute("value", "40");
  await upload(chat, 0).ends({ fileId: "file-7" });
  await expect(progress).toHaveCount(0);
  await expect(chat.send).toBeDisabled();
  await upload(chat, 1).ends({ imageId: "image-9" });
  await expect(chat.send).toBeEnabled();
  await expect(chat.messages).toHaveCount(0);
  await chat.send.click();
  const post = await scripted.nextPost();
  expect(post.content).toEqual([
    { type: "text", text: "Look at these" },
    { type: "document", fileId: "file-7" },
    { type: "image", imageId: "image-9" },
  ]);
  await expect(files).toHaveCount(0);
  await expect(chat.own).toContainText("Look at these");
  const sent = chat.own.getByRole("list", { name: "Files" }).getByRole("listitem");
  await expect(sent).toHaveText([/list\.pdf\s*PDF · 10 B/, /photo\.png\s*PNG · 48 kB/]);
  await expect(sent.getByRole("button")).toHaveCount(0);
  await expect(chat.input).toBeFocused();
});

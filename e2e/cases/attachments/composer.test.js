// Files in the composer: how they get there, what is shown of them, and when a message can be sent with them.

import { expect, test } from "../../fixtures.js";
import { bring, composer, file, takeFiles, upload, uploads } from "./files.js";

/** An inline chat at a scripted service, on a page that takes files. */
async function open(chat, scripted, settings = {}) {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin, ...settings });
  await takeFiles(chat);
  await expect(composer(chat).attach).toBeVisible();
  return composer(chat);
}

test("without an uploader nothing can be attached, in no way", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  const { attach, files } = composer(chat);
  await expect(attach).toHaveCount(0);
  expect(await bring(chat.transcript, ["dragover"], ["a.txt"])).toBe(false);
  await expect(chat.element.getByText("Drop files to attach them")).toHaveCount(0);
  expect(await bring(chat.transcript, ["drop"], ["a.txt"])).toBe(false);
  expect(await bring(chat.input, ["paste"], ["a.txt"])).toBe(false);
  await expect(files).toHaveCount(0);
  await takeFiles(chat);
  await expect(attach).toBeVisible();
  await chat.element.evaluate((element) => (element.uploader = null));
  await expect(attach).toHaveCount(0);
});

test("chosen files show name, kind, size and progress, and Send waits for them", async ({ page, chat, scripted }) => {
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

test("the other dialect spells an image as its address", async ({ chat, scripted }) => {
  const { choose } = await open(chat, scripted, { dialect: "guide" });
  await choose(file("a.png"), file("b.txt"));
  await upload(chat, 0).ends({ imageId: "https://files.example/a.png" });
  await upload(chat, 1).ends({ fileId: "file-7" });
  await chat.send.click();
  expect((await scripted.nextPost()).content).toEqual([
    { type: "image_url", url: "https://files.example/a.png" },
    { type: "document", fileId: "file-7" },
  ]);
});

test("a file that fails says why, can be tried again, and can be taken out", async ({ chat, scripted }) => {
  const { form, attach, files, button, choose } = await open(chat, scripted);
  await choose(file("list.txt"));
  await upload(chat, 0).fails("Only pictures are taken.");
  await expect(form.getByRole("alert")).toHaveText("Only pictures are taken.");
  await expect(chat.send).toBeDisabled();
  await expect(chat.send).toHaveAccessibleDescription("A file could not be uploaded. Retry or remove it to go on.");
  await expect(button("Retry")).toHaveAccessibleDescription("list.txt");
  await button("Retry").press("Enter");
  await expect(form.getByRole("alert")).toHaveCount(0);
  await expect(attach).toBeFocused();
  await expect.poll(() => uploads(chat)).toEqual([["list.txt", 10, false], ["list.txt", 10, false]]);
  await upload(chat, 1).ends({ fileId: "file-7" });
  await button("Remove list.txt").press("Enter");
  await expect(files).toHaveCount(0);
  await expect(attach).toBeFocused();
  await expect(chat.send).toBeDisabled();
});

test("an upload that is cancelled ends, and is not sent", async ({ chat, scripted }) => {
  const { files, button, choose } = await open(chat, scripted);
  await choose(file("one.txt"), file("two.txt"));
  await upload(chat, 1).ends({ fileId: "file-2" });
  await button("Cancel upload of one.txt").click();
  expect(await uploads(chat)).toEqual([["one.txt", 10, true], ["two.txt", 10, false]]);
  await upload(chat, 0).ends({ fileId: "file-1" });
  await expect(files).toHaveCount(1);
  await chat.send.click();
  expect((await scripted.nextPost()).content).toEqual([{ type: "document", fileId: "file-2" }]);
});

test("files are dropped anywhere on the chat, which says so while they are over it", { tag: "@firefox" }, async ({ chat, scripted }) => {
  const { files } = await open(chat, scripted);
  const target = chat.element.getByText("Drop files to attach them");
  expect(await bring(chat.transcript, ["dragenter", "dragover"], ["a.txt"])).toBe(true);
  await expect(target).toBeVisible();
  await bring(chat.input, ["dragover"], ["a.txt"]);
  await expect(target).toBeVisible();
  await bring(chat.input, ["dragleave"], ["a.txt"]);
  await expect(target).toHaveCount(0);
  await bring(chat.heading, ["dragover"], ["a.txt"]);
  await expect(target).toBeVisible();
  expect(await bring(chat.heading, ["drop"], ["a.txt", "b.txt"])).toBe(true);
  await expect(target).toHaveCount(0);
  await expect(files).toContainText(["a.txt", "b.txt"]);
  expect(await bring(chat.transcript, ["dragover", "drop"], [], "words")).toBe(false);
  await expect(target).toHaveCount(0);
  await expect(files).toHaveCount(2);
});

test("files and pictures are pasted into the message box, texts stay texts", async ({ chat, scripted }) => {
  const { files } = await open(chat, scripted);
  expect(await bring(chat.input, ["paste"], ["image.png"])).toBe(true);
  await expect(files).toContainText(["image.png"]);
  expect(await bring(chat.input, ["paste"], ["picture-of-words.png"], "words")).toBe(false);
  await expect(files).toHaveCount(1);
});

test("what happens to files is said", async ({ chat, scripted }) => {
  const { choose } = await open(chat, scripted);
  const said = chat.element.locator('[part="status"][aria-live="polite"]');
  await choose(file("list.pdf"));
  await expect(said).toHaveText(/^Uploading list\.pdf\s*$/);
  await upload(chat, 0).ends({ fileId: "file-7" });
  await expect(said).toHaveText(/^list\.pdf is uploaded\s*$/);
});

test("names are shown as they are, whatever is in them", async ({ chat, scripted }) => {
  const { files, button, choose } = await open(chat, scripted, { dir: "rtl" });
  await choose(file("<img src=x>.txt"), file("gpj.\u202eexe"), file(`${"long".repeat(50)}.txt`), file("תמונה.png"));
  await expect(files.nth(0)).toContainText("<img src=x>.txt");
  await expect(files.nth(1)).toContainText("U+202E");
  await expect(button("Cancel upload of gpj. [U+202E] exe")).toBeVisible();
  for (const row of await files.all()) {
    const fits = await row.evaluate((row) => row.scrollWidth <= row.clientWidth);
    expect(fits).toBe(true);
  }
});

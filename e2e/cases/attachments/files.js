// Files as a person brings them, and an uploader that does what the test says.

import { expect } from "../../fixtures.js";

/** A file for a file picker. */
export const file = (name, text = "0123456789") => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

/** Gives the element an uploader whose n-th upload is `uploads[n]` of the page. */
export const takeFiles = (chat) =>
  chat.element.evaluate((element) => {
    globalThis.uploads = [];
    element.uploader = (file, { signal, progress }) =>
      new Promise((resolve, reject) => globalThis.uploads.push({ name: file.name, size: file.size, signal, progress, resolve, reject }));
  });

/** Name, size, and whether it was aborted, of each upload so far. */
export const uploads = (chat) => chat.page.evaluate(() => globalThis.uploads.map(({ name, size, signal }) => [name, size, signal.aborted]));

/** The n-th upload ends well, is so far, or fails. */
export const upload = (chat, at) => {
  const call = (name, value) => chat.page.evaluate(([at, name, value]) => globalThis.uploads[at][name](value), [at, name, value]);
  return {
    ends: (result) => call("resolve", result),
    progresses: (fraction) => call("progress", fraction),
    fails: (reason) => chat.page.evaluate(([at, reason]) => globalThis.uploads[at].reject(new Error(reason)), [at, reason]),
  };
};

/** The form around the message box, and what is in it. */
export const composer = (chat) => {
  const form = chat.part("composer");
  return {
    form,
    attach: form.getByRole("button", { name: "Attach files" }),
    files: form.getByRole("list", { name: "Files" }).getByRole("listitem"),
    button: (name) => form.getByRole("button", { name, exact: true }),
    choose: (...files) => form.locator('input[type="file"]').setInputFiles(files),
  };
};

/** Events of a drag, or of the clipboard, with a file each of these names; true if the widget takes the last one. */
export const bring = (target, types, names, text = "") =>
  target.evaluate(
    (element, [types, names, text]) => {
      const data = new DataTransfer();
      for (const name of names) data.items.add(new File(["0123456789"], name));
      if (text) data.setData("text/plain", text);
      let taken = false;
      for (const type of types) {
        const more = { bubbles: true, cancelable: true, composed: true };
        const event =
          type === "paste" ? new ClipboardEvent(type, { ...more, clipboardData: data }) : new DragEvent(type, { ...more, dataTransfer: data });
        taken = !element.dispatchEvent(event);
      }
      return taken;
    },
    [types, names, text],
  );

/** One file in a message, and in the composer one that is there, one on its way and one that failed. */
export async function filesOfEveryKind(chat, scripted) {
  await takeFiles(chat);
  await composer(chat).choose(file("there.pdf"));
  await upload(chat, 0).ends({ fileId: "1" });
  await chat.say("Look at this");
  (await scripted.nextPost()).answer("Fine.");
  await expect(chat.lastMessage).toContainText("Fine.");
  await composer(chat).choose(file("there.png"), file("waiting.txt"), file("failed.zip"));
  await upload(chat, 1).ends({ imageId: "2" });
  await upload(chat, 2).progresses(0.4);
  await upload(chat, 3).fails("Archives are not taken.");
  await expect(composer(chat).form.getByRole("alert")).toBeVisible();
}

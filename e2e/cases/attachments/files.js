// Files as a person brings them, and an uploader that takes some of them.

import { expect } from "../../fixtures.js";

/** A file for a file picker. */
export const file = (name, text = "0123456789") => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

/** Gives the element an uploader: documents and images are there at once, archives fail, and all others stay on their way. */
export const takeFiles = (chat) =>
  chat.element.evaluate((element) => {
    const taken = { pdf: { fileId: "1" }, png: { imageId: "2" } };
    element.uploader = (file, { progress }) =>
      new Promise((resolve, reject) => {
        const ending = file.name.split(".").pop();
        if (taken[ending]) resolve(taken[ending]);
        else if (ending === "zip") reject(new Error("Archives are not taken."));
        else progress(0.4);
      });
  });

/** The form around the message box, and what is in it. */
export const composer = (chat) => {
  const form = chat.part("composer");
  return {
    form,
    attach: form.getByRole("button", { name: "Attach files" }),
    files: form.getByRole("list", { name: "Files" }).getByRole("listitem"),
    choose: (...files) => form.locator('input[type="file"]').setInputFiles(files),
  };
};

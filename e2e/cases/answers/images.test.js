// An image is a request to a host that the answer names: nobody makes it before the reader, or the page, said so.

import { expect, test } from "../../fixtures.js";
import { answer, answered, finish, go } from "./rich.js";

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const image = (name, host = "images.example.org") => `![The ${name}](https://${host}/${name}.png "A title")`;
const load = (chat) => answer(chat).getByRole("button", { name: "Load image", exact: true });

// The strict page forbids images of other hosts; whether they are asked for is seen on one without a policy.
const open = { csp: "off" };
test.use({ expectedConsole: /^request: https:\/\/(images|other)\.example\.org\/|Failed to load resource/ });

/** The images that were asked for. */
async function asked(page) {
  const seen = [];
  await page.context().route(/^https:/, async (route) => {
    seen.push(route.request().url());
    if (route.request().url().includes("broken")) await route.fulfill({ status: 404 });
    else await route.fulfill({ contentType: "image/png", body: PIXEL });
  });
  return seen;
}

test("a placeholder says what the image is and whose, and nothing is asked of anybody", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  const seen = await asked(page);
  await answered(chat, scripted, image("quay"), open);
  await expect(answer(chat)).toContainText("The quay");
  await expect(answer(chat)).toContainText("Image not loaded, from images.example.org");
  await expect(load(chat)).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(answer(chat).getByRole("img", { name: "The quay" })).toHaveCount(0);
  expect(seen).toEqual([]);
});

test("the reader loads one image, with one request", async ({ page, chat, scripted }) => {
  const seen = await asked(page);
  await answered(chat, scripted, `${image("quay")}\n\n${image("ferry")}`, open);
  await load(chat).first().click();
  await expect(answer(chat).getByRole("img", { name: "The quay" })).toBeVisible();
  await expect(load(chat)).toHaveCount(1);
  await page.waitForLoadState("networkidle");
  expect(seen).toEqual(["https://images.example.org/quay.png"]);
});

test("the reader loads all images of a host in this conversation", async ({ page, chat, scripted }) => {
  const seen = await asked(page);
  await answered(chat, scripted, `${image("quay")}\n\n${image("ferry")}\n\n${image("boat", "other.example.org")}`, open);
  await answer(chat).getByRole("button", { name: "Load all images from images.example.org in this conversation" }).first().click();
  await expect(answer(chat).getByRole("img", { name: "The ferry" })).toBeVisible();
  await expect(answer(chat).getByRole("img", { name: "The quay" })).toBeVisible();
  await finish(chat, await go(chat, scripted), `${image("island")}\n\n${image("sail", "other.example.org")}`);
  await expect(answer(chat).getByRole("img", { name: "The island" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect([...seen].sort()).toEqual(["ferry", "island", "quay"].map((name) => `https://images.example.org/${name}.png`));
  await chat.newThread.click();
  await expect(chat.messages).toHaveCount(0);
  await finish(chat, await go(chat, scripted), image("other-conversation"));
  await expect(load(chat)).toBeVisible();
  expect(seen).toHaveLength(3);
});

test("imagePolicy decides what is loaded unasked", async ({ page, chat, scripted }) => {
  const seen = await asked(page);
  await page.addInitScript(() => {
    customElements.whenDefined("assent-chat").then(() => {
      document.querySelector("assent-chat").imagePolicy = (url) => url.hostname === "images.example.org";
    });
  });
  await answered(chat, scripted, `${image("quay")}\n\n${image("boat", "other.example.org")}\n\n![data](data:image/png;base64,AA)`, open);
  await expect(answer(chat).getByRole("img", { name: "The quay" })).toBeVisible();
  await expect(load(chat)).toHaveCount(1);
  expect(seen).toEqual(["https://images.example.org/quay.png"]);
});

test("an image that cannot be had says so", async ({ page, chat, scripted }) => {
  await asked(page);
  await answered(chat, scripted, image("broken"), open);
  await load(chat).click();
  await expect(answer(chat)).toContainText("The image could not be loaded.");
  await expect(answer(chat)).toContainText("The broken");
});

// An image is a request to a host that the answer names: nobody makes it before the person, or the page, said so.

import { expect, test } from "../../fixtures.js";
import { answer, answered } from "./rich.js";

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const image = (name) => `![The ${name}](https://images.example.org/${name}.png "A title")`;
const load = (chat) => answer(chat).getByRole("button", { name: "Load image", exact: true });

test.use({ expectedConsole: /^request: https:\/\/images\.example\.org\// });

test("a placeholder says what the image is and whose, and nothing is asked of anybody before the person loads it", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  const seen = [];
  await page.context().route(/^https:/, async (route) => {
    seen.push(route.request().url());
    await route.fulfill({ contentType: "image/png", body: PIXEL });
  });
  // The strict page forbids images of other hosts; whether they are asked for is seen on one without a policy.
  await answered(chat, scripted, `${image("quay")}\n\n${image("ferry")}`, { csp: "off" });
  await expect(answer(chat)).toContainText("The quay");
  await expect(answer(chat)).toContainText("Image not loaded, from images.example.org");
  await expect(load(chat)).toHaveCount(2);
  await page.waitForLoadState("networkidle");
  await expect(answer(chat).getByRole("img", { name: "The quay" })).toHaveCount(0);
  expect(seen).toEqual([]);
  await load(chat).first().click();
  await expect(answer(chat).getByRole("img", { name: "The quay" })).toBeVisible();
  await expect(load(chat)).toHaveCount(1);
  await page.waitForLoadState("networkidle");
  expect(seen).toEqual(["https://images.example.org/quay.png"]);
});

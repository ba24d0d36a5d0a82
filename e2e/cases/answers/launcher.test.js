// What is only done to finished blocks is done in an open launcher, too.

import { expect, test } from "../../fixtures.js";
import { answer, finish, go } from "./rich.js";

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const TEXT = "So $x^2$.\n\n```rust\nfn main() {}\n```\n\n![The quay](https://images.example.org/quay.png)\n\nThe end.";

test.use({ expectedConsole: /^request: https:\/\/images\.example\.org\// });

test("a launcher shows formulas, colours and allowed images", async ({ page, chat, scripted }) => {
  await page.context().route(/^https:/, (route) => route.fulfill({ contentType: "image/png", body: PIXEL }));
  scripted.hold = true;
  await chat.launcher({ "base-url": scripted.origin, csp: "off" });
  await chat.element.evaluate((element) => (element.imagePolicy = () => true));
  await chat.button("Open chat").click();
  await expect(chat.input).toBeFocused();
  await finish(chat, await go(chat, scripted), TEXT);
  await expect(answer(chat).locator("math")).toHaveCount(1);
  await expect(answer(chat).getByRole("img", { name: "The quay" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => CSS.highlights?.get("assent-keyword")?.size ?? 0)).toBe(1);
});

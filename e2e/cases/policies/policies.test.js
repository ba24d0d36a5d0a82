// The strictest policy that the widget promises to run under, in force on a plain static page.

import { expect, test } from "../../fixtures.js";

test.describe("a violation", () => {
  test.use({ expectedConsole: /requires 'TrustedHTML' assignment|blocked assigning to an injection sink/ });

  test("is refused: the policy is in force", { tag: "@firefox" }, async ({ page, chat }) => {
    const response = page.waitForResponse(/inline\.html/);
    await chat.inline();
    const policy = (await response).headers()["content-security-policy"];
    for (const directive of ["default-src 'none'", "style-src 'self'", "require-trusted-types-for 'script'"]) {
      expect(policy).toContain(directive);
    }
    const refused = page.evaluate(() => void (document.createElement("div").innerHTML = "<b>x</b>"));
    await expect(refused).rejects.toThrow();
  });
});

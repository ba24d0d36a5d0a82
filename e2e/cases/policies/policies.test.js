// The strictest policy that the widget promises to run under, in force on a plain static page.

import { expect, test } from "../../fixtures.js";

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => {
      globalThis.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
});

const violations = (page) => page.evaluate(() => globalThis.violations);

test.describe("a violation", () => {
  test.use({ expectedConsole: /requires 'TrustedHTML' assignment|blocked assigning to an injection sink/ });

  test("is refused: the policy is in force", { tag: "@firefox" }, async ({ page, chat }) => {
    const response = page.waitForResponse(/inline\.html/);
    await chat.inline();
    const policy = (await response).headers()["content-security-policy"];
    for (const directive of ["default-src 'none'", "style-src 'self'", "require-trusted-types-for 'script'"]) {
      expect(policy).toContain(directive);
    }
    const refused = await page.evaluate(() => {
      try {
        document.createElement("div").innerHTML = "<b>x</b>";
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toBe(true);
  });
});

test.describe("whole visits without a word on the console", () => {
  test.afterEach(async ({ page, console: messages }) => {
    expect(await violations(page)).toEqual([]);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain("api-key");
  });

  test("inline: every kind of block, the list, a rename, a deletion", { tag: "@firefox" }, async ({ chat, service }) => {
    await service.converse("hello");
    await chat.inline();
    for (const text of ["markdown", "unicode", "unsafe"]) await chat.askFormatted(text);
    await chat.choose("hello", "Rename");
    await chat.role("textbox", { name: "Conversation name" }).press("Escape");
    await chat.choose("hello", "Delete");
    await chat.dialog.getByRole("button", { name: "Delete" }).click();
    await expect(chat.thread("hello")).toHaveCount(0);
  });

  test("launcher: an approval, activity, and closing", async ({ page, chat }) => {
    await chat.panel();
    await chat.say("approve three");
    await chat.button("Stop and give feedback").click();
    await chat.button("Back").click();
    await chat.button("Approve all").click();
    await chat.button("Submit decisions").click();
    await expect(chat.lastMessage).toContainText("All three are done");
    await chat.isAnswered();
    await chat.ask("research");
    await chat.lastMessage.getByRole("group", { name: "Agent activity" }).getByRole("button").click();
    await page.keyboard.press("Escape");
    await expect(chat.role("dialog")).toBeHidden();
  });
});

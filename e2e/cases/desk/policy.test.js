// What the policy lets a person do, and for how long, with an agent that has a model and real tools.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "../../fixtures.js";
import { asked, test, written } from "./open.js";

test.describe("arguments that may be changed", () => {
  test.use({ policy: '[[policy.rule]]\ntool = "files/write_file"\ndo = "ask"\neditable = ["/content"]\n' });

  test("a file is written as the person corrected it, and is so after a reload", async ({ chat, open }) => {
    const desk = await asked(chat, open);
    const content = chat.approval.getByRole("textbox", { name: "content" });
    await expect(async () => {
      await chat.approval.getByRole("button", { name: "Edit content", expanded: false }).click();
      await expect(content).toBeFocused({ timeout: 500 });
    }).toPass();
    await content.fill("I am corrected.");
    await content.press("Escape");
    await chat.press(chat.button("Approve"));
    await expect(chat.lastMessage).toContainText("Written.");
    await chat.isAnswered();
    expect(readFileSync(join(desk.files, "a"), "utf8")).toBe("I am corrected.");
    await chat.page.reload();
    await expect(chat.approval).toContainText("You changed content");
    await chat.approval.getByRole("button", { name: /^Arguments of/ }).click();
    await expect(chat.approval.locator(".difference")).toContainText("I am corrected.");
    await expect(chat.approval.locator(".difference")).toContainText("Was: I am a.");
  });
});

test.describe("an end to waiting", () => {
  test.use({ policy: '[[policy.rule]]\ntool = "files/write_file"\ndo = "ask"\nexpires = "3s"\n' });

  test("what nobody decides in time is not done, and the agent goes on", async ({ chat, open }) => {
    const desk = await asked(chat, open);
    await expect(chat.approval).toContainText("No decision in time: nothing was done.");
    await expect(chat.lastMessage).toContainText("Written.");
    await chat.isAnswered();
    expect(written(desk, "a")).toEqual([false]);
    await chat.page.reload();
    await expect(chat.approval).toContainText("No decision in time: nothing was done.");
  });
});

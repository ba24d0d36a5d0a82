// axe-core finds nothing in any state of a request for approval, light and dark.

import { json } from "../../servers/scripted.js";
import { expect, test } from "../../fixtures.js";
import { asked, tool } from "../approval/tools.js";
import { hurry } from "../faults/common.js";
import { bringAxe, expectNothingFound } from "./axe.js";

const LONG = { toolArguments: { path: "/one", text: "A line of many.\n".repeat(60), site: "https://bank.example@elsewhere.example/\u202e" } };
const TOOLS = [tool("b", "one", LONG), tool("b", "two")];

/** Each state: how to get there from a chat whose agent has asked for two tools. */
const STATES = {
  "to be decided, with folded values and marks, unfolded, and stopped with feedback and files": async ({ page, chat }) => {
    await chat.decide("two", "Approve");
    await expectNothingFound(page);
    await chat.tool("one").getByRole("button", { name: /^Show all/ }).click();
    await chat.approveAll();
    await expectNothingFound(page);
    await chat.element.evaluate((element) => {
      const ends = [() => new Promise(() => {}), async () => ({ fileId: "1" }), () => Promise.reject(new Error("Too large."))];
      element.uploader = () => ends.shift()();
    });
    await chat.button("Stop and give feedback").click();
    const files = ["waiting.txt", "there.txt", "failed.txt"].map((name) => ({ name, mimeType: "text/plain", buffer: Buffer.from("1") }));
    await chat.approval.locator('input[type="file"]').setInputFiles(files);
    await expect(chat.approval).toContainText("Too large.");
  },
  "on its way": async ({ chat, scripted }) => {
    await chat.button("Deny all").click();
    await chat.submit();
    await scripted.nextPost();
    await expect(chat.approval).toHaveAttribute("data-state", "submitting");
  },
  "with an unknown outcome": async ({ page, chat, scripted }) => {
    await page.clock.install();
    scripted.on.post = (_, response) => response.socket.destroy();
    scripted.on.messages = (_, response) => response.writeHead(500).end();
    await chat.button("Deny all").click();
    await chat.submit();
    await hurry(page, () => expect(chat.button("Check again")).toBeVisible({ timeout: 300 }));
  },
  refused: async ({ chat, scripted }) => {
    const issues = [{ toolExecutionId: "execution-two", error: "This tool was changed meanwhile." }];
    scripted.on.post = (_, response) =>
      json(response, 400, { message: "No.", details: { batchId: "b", issues }, conflictingStates: ["APPROVED", "DENIED"] });
    await chat.button("Deny all").click();
    await chat.submit();
    await expect(chat.tool("two").getByRole("alert")).toBeVisible();
  },
  "answered, with the arguments opened": async ({ chat, scripted }) => {
    await chat.button("Deny all").click();
    await chat.submit();
    (await scripted.nextPost()).answer("Done.");
    await expect(chat.lastMessage).toContainText("Done.");
    await chat.button("Arguments of two").click();
  },
  "decided somewhere else": async ({ chat, asked }) => {
    asked.decide("APPROVED", "DENIED");
    const other = await chat.tab();
    await other.page.goto("/pages/page.css");
    await other.page.evaluate(() => localStorage.clear());
    await expect(chat.approval).toContainText("This was decided somewhere else");
  },
  unanswerable: async ({ page, chat }) => {
    await page.evaluate(() => localStorage.removeItem(Object.keys(localStorage).find((key) => key.includes(":approval:"))));
    await page.reload();
    await expect(chat.approval).toHaveAttribute("data-state", "unanswerable");
  },
  "with the question what a message is meant for, and with a message that waits": async ({ page, chat }) => {
    await chat.say("and then?");
    await expect(chat.button("Keep writing")).toBeVisible();
    await expectNothingFound(page);
    await chat.button("Send after the decision").click();
    await expect(chat.button("Take back")).toBeVisible();
  },
  "with marks in the list": async ({ chat, scripted }) => {
    await chat.newThread.click();
    await chat.say("Hello");
    (await scripted.nextPost()).answer("Hello.");
    await expect(chat.lastMessage).toContainText("Hello.");
    await expect(chat.list).toContainText("Needs approval");
  },
};

test.describe("in light and in dark, nothing is found in", () => {
  test.use({ expectedConsole: /Failed to load resource/ });

  test.beforeEach(async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await bringAxe(page);
  });

  for (const [name, reach] of Object.entries(STATES)) {
    test(`a request ${name}`, async ({ page, chat, scripted }) => {
      const more = await asked(chat, scripted, TOOLS, { threads: "side" });
      await reach({ page, chat, scripted, asked: more });
      await expectNothingFound(page);
    });
  }

  test("the badge at the closed launcher", async ({ page, chat }) => {
    await chat.panel();
    await chat.asksApproval("approve one");
    await chat.button("Close chat").click();
    await expect(chat.part("badge")).toBeVisible();
    await expectNothingFound(page);
  });
});

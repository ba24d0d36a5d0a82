// The connection breaks while an answer is on its way: only what is stored says what became of it, and nothing is sent again.

import { expect, test } from "../../fixtures.js";
import { hurry } from "../faults/common.js";
import { asked, tool } from "./tools.js";

test.use({ expectedConsole: /Failed to load resource/ });

const LOST = "The connection broke, and it is not known whether your decision arrived. It will not be sent again by itself.";

test("where the stored messages cannot be read it stays unknown, and the person can have them read again", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await page.clock.install();
  const { decide } = await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Deny");
  scripted.on.post = (_, response) => response.socket.destroy();
  scripted.on.messages = (_, response) => response.writeHead(500).end();
  await chat.submit();
  const again = chat.approval.getByRole("button", { name: "Check again" });
  await hurry(page, () => expect(again).toBeVisible({ timeout: 300 }));
  await expect(chat.approval).toContainText(LOST);
  await expect(chat.tool("one")).toContainText("You deny");
  await expect(chat.approval.getByRole("radio")).toHaveCount(0);
  scripted.on = {};
  decide("DENIED");
  await again.click();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("one")).toHaveAttribute("data-state", "DENIED");
  expect(scripted.to("post")).toHaveLength(2);
});

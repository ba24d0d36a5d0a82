// The connection breaks while an answer is on its way: only what is stored says what became of it, and nothing is sent again.

import { expect, test } from "../../fixtures.js";
import { hurry } from "../faults/common.js";
import { asked, askedAnew, tool } from "./tools.js";
import { kept } from "./pending.js";

test.use({ expectedConsole: /Failed to load resource/ });

const LOST = "The connection broke, and it is not known whether your decision arrived. It will not be sent again by itself.";

/** Ways in which a post breaks before anybody can know whether it was accepted. */
const BREAKS = {
  "before an answer": (scripted) => {
    scripted.on.post = (_, response) => response.socket.destroy();
    return async () => {};
  },
  "after the headers": (scripted) => async () => (await scripted.nextPost()).cut(),
  "with an empty stream": (scripted) => async () => (await scripted.nextPost()).end(),
  "behind a gateway": (scripted) => {
    scripted.on.post = (_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
    return async () => {};
  },
};

test("broken in any way, and stored as decided: it arrived", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  for (const [place, [name, prepare]] of Object.entries(BREAKS).entries()) {
    await test.step(`broken ${name}`, async () => {
      scripted.on = {};
      const { decide } = await askedAnew(chat, scripted, [tool("b", "one"), tool("b", "two")]);
      await chat.decide("one", "Approve");
      await chat.decide("two", "Deny");
      const lose = prepare(scripted);
      decide("APPROVED", "DENIED");
      await chat.submit();
      await lose();
      await expect(chat.approval).toHaveAttribute("data-state", "answered");
      await expect(chat.tool("one")).toHaveAttribute("data-state", "APPROVED");
      await expect(chat.tool("two")).toHaveAttribute("data-state", "DENIED");
      await expect(chat.approval).not.toContainText("somewhere else");
      expect(scripted.to("post")).toHaveLength(2 * place + 2);
      expect(await kept(chat)).toEqual([]);
    });
  }
});

test("where the stored messages cannot be read it stays unknown, and the person can have them read again", async ({ page, chat, scripted }) => {
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

// The connection breaks while an answer is on its way: only what is stored says what became of it, and nothing is sent again.

import { expect, test } from "../../fixtures.js";
import { hurry } from "../faults/common.js";
import { asked, askedAnew, tool } from "./tools.js";
import { kept } from "./vault.js";

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

test("broken in any way, and stored as pending: it is said to be unknown, then to be decided again", async ({ page, chat, scripted }) => {
  test.slow();
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin });
  for (const [place, [name, prepare]] of Object.entries(BREAKS).entries()) {
    await test.step(`broken ${name}`, async () => {
      await askedAnew(chat, scripted, [tool("b", "one")]);
      await chat.decide("one", "Approve");
      const lose = prepare(scripted);
      await chat.submit();
      await lose();
      await expect(chat.approval).toHaveAttribute("data-state", "submitting");
      await expect(chat.approval.getByRole("status")).toContainText(LOST);
      await expect(chat.tool("one")).toContainText("You approve");
      await expect(chat.button("Submit decisions")).toHaveCount(0);
      await hurry(page, () => expect(chat.approval).toHaveAttribute("data-state", "failed", { timeout: 300 }));
      await expect(chat.approval.getByRole("alert")).toContainText("This did not reach the service.");
      await expect(chat.tool("one").getByRole("radio", { name: "Approve" })).toBeChecked();
      expect(scripted.to("post")).toHaveLength(3 * place + 2);
      scripted.on = {};
      await chat.submit();
      (await scripted.nextPost()).answer("Fine.");
      await expect(chat.approval).toHaveAttribute("data-state", "answered");
      expect(scripted.to("post")).toHaveLength(3 * place + 3);
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

test("an unknown outcome is unknown after a reload, too: the stored messages settle it", async ({ page, chat, scripted }) => {
  const { decide } = await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Approve");
  await chat.submit();
  await scripted.nextPost();
  decide("APPROVED");
  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("one")).toHaveAttribute("data-state", "APPROVED");
  await expect.poll(() => kept(chat)).toEqual([]);
  expect(scripted.to("post")).toHaveLength(2);
});

test("somebody else decided while it was lost: the truth, and that it was not this", async ({ chat, scripted }) => {
  const { decide } = await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Approve");
  decide("DENIED");
  scripted.on.post = (_, response) => response.socket.destroy();
  await chat.submit();
  await expect(chat.tool("one")).toHaveAttribute("data-state", "DENIED");
  await expect(chat.approval).toContainText("This was decided somewhere else; what was chosen here was not used.");
  expect(scripted.to("post")).toHaveLength(2);
});

test("a stop that was lost and had arrived leaves no words behind", async ({ chat, scripted }) => {
  const { thread, decide } = await asked(chat, scripted, [tool("b", "one")]);
  await chat.button("Stop and give feedback").click();
  await chat.role("textbox", { name: "Feedback" }).fill("Ask Ada first");
  scripted.on.post = (_, response) => response.socket.destroy();
  decide("ABORTED_WITH_FEEDBACK");
  scripted.store(thread, "user", "Ask Ada first");
  scripted.store(thread, "assistant", "I asked her.", { handle: "@scripted" });
  await chat.button("Stop these actions").click();
  await expect(chat.tool("one")).toHaveAttribute("data-state", "ABORTED_WITH_FEEDBACK");
  await expect(chat.lastMessage).toContainText("I asked her.");
  await expect(chat.own).toHaveCount(2);
  await expect(chat.input).toHaveValue("");
  expect(scripted.to("post")).toHaveLength(2);
});

test("a stream that breaks after acceptance is no doubt: the card is answered", async ({ chat, scripted }) => {
  const { thread, decide } = await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Approve");
  await chat.submit();
  const answer = await scripted.nextPost();
  answer.begin();
  answer.say("Half of it");
  await expect(chat.lastMessage).toContainText("Half of it");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  decide("APPROVED");
  scripted.store(thread, "assistant", "Half of it, and then the rest.", { handle: "@scripted" });
  answer.cut();
  await expect(chat.lastMessage).toContainText("Half of it, and then the rest.");
  await expect(chat.approval).toHaveCount(1);
  expect(scripted.to("post")).toHaveLength(2);
});

test("what was typed to wait is kept as a draft", async ({ chat, scripted }) => {
  const { decide } = await asked(chat, scripted, [tool("b", "one")]);
  await chat.say("hello");
  await chat.button("Send after the decision").click();
  await chat.decide("one", "Approve");
  scripted.on.post = (_, response) => response.socket.destroy();
  decide("APPROVED");
  await chat.submit();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.input).toHaveValue("hello");
  expect(scripted.to("post")).toHaveLength(2);
});

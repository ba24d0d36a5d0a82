// What several pictures begin with.

import { request, tool } from "../servers/approvals.js";
import { expect } from "../fixtures.js";

export const open = async (chat, settings) => {
  await chat.panel(settings);
  await expect(chat.input).toBeVisible();
};

/** A conversation whose agent has begun to answer, with these words if there are any; returns the post. */
export const streaming = ({ chat, scripted }, text, words) => chat.streaming(scripted, text, {}, words);

export const threads = (scripted) => {
  for (const name of ["A refund for a broken lamp", "Delivery to the islands", "", "Which hotel in Lisbon is quiet, has a lift, and takes dogs?"]) {
    const thread = scripted.addThread(name);
    scripted.store(thread.id, "user", name || "Hello");
    scripted.store(thread.id, "assistant", "Here is what I found.", { handle: "Scripted" });
  }
};

export const showList = async (chat) => {
  if (!(await chat.list.isVisible())) await chat.threadsToggle.click();
  await expect(chat.list).toHaveAttribute("data-state", "ready");
};

/** A scripted agent that asks for these tools. */
export const asked = async (stage, ...names) => {
  const post = await streaming(stage, "Please settle the case of the broken lamp.");
  request(post, ...names.map((name) => tool("b", name, { toolArguments: { order: "4711", amount: "49.90 EUR" } })));
  await expect(stage.chat.approval).toHaveAttribute("data-state", "pending");
};

/** The card from its beginning, or further down. */
export const top = async (chat, further = 0) => {
  await expect(chat.approval).toBeVisible();
  const card = chat.approval.last();
  await card.evaluate((card, further) => {
    const area = card.closest("[part=transcript]");
    area.scrollTop += card.getBoundingClientRect().top - area.getBoundingClientRect().top - 12 + further;
  }, further);
};

export const bottom = async (chat) => {
  await expect(chat.approval.last()).toBeVisible();
  await chat.transcript.evaluate((area) => (area.scrollTop = area.scrollHeight));
};

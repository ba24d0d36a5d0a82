// Stored conversations, and where in one of them a person is.

import { expect } from "../../fixtures.js";

/** How far it is to the end of the messages, in pixels. */
export const fromEnd = (chat) => chat.transcript.evaluate((area) => area.scrollHeight - area.scrollTop - area.clientHeight);

/** Stores a conversation of so many messages, from "Question 0" and "Answer 1" on. */
export const storeLong = (scripted, count) => {
  const messages = Array.from({ length: count }, (_, at) => ({
    id: `stored-${at}`,
    role: at % 2 ? "assistant" : "user",
    content: at % 2 ? `Answer **${at}**\n\n- one\n- two\n\n\`code\`` : `Question ${at}`,
    timestamp: "2026-01-01T00:00:00Z",
  }));
  return scripted.addThread("Long", messages);
};

/** Opens such a conversation, and waits until its end is shown. */
export async function openLong(chat, scripted, count, settings = {}) {
  const { id } = storeLong(scripted, count);
  await chat.inline({ "base-url": scripted.origin, "thread-id": id, ...settings });
  await expect(chat.lastMessage).toContainText(String(count - 1));
  await expect.poll(() => fromEnd(chat)).toBeLessThan(2);
}

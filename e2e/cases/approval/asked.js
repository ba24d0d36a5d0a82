// A chat whose agent asks for approval.

import { expect } from "../../fixtures.js";
import { request, storeRequest } from "../../servers/approvals.js";

/** An inline chat at a scripted service, whose agent has asked for these tools, in the stream and in what is stored. */
export async function asked(chat, scripted, tools) {
  await chat.inline({ "base-url": scripted.origin });
  const post = await chat.post(scripted, "Do it");
  storeRequest(scripted, post.thread, tools);
  request(post, ...tools);
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  // The stream ends a moment after the request. Until then nothing is sent.
  await expect(chat.stop).toHaveCount(0);
}

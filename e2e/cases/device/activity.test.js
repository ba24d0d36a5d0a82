// How an answer came about is kept on the device: the service stores the answer alone.

import { expect, test } from "../../fixtures.js";
import { activity, answerWithSteps, recordings, steps } from "./device.js";

test("after a reload the steps are the ones that were seen live", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin, activity: "full" });
  const post = await answerWithSteps(chat, scripted);
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED", "The handbook is away");
  post.write("data: this is not JSON\n\n");
  post.say("Do");
  post.complete("Done.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(steps(chat)).toHaveCount(3);
  const seen = await steps(chat).allTextContents();
  // What records it comes after the message box, and a page that goes before the answer is written has not recorded it.
  await expect.poll(async () => (await recordings(page)).map(({ how }) => how)).toEqual(["closed"]);
  await page.reload();
  await expect(chat.lastMessage).toContainText("Done.");
  await expect(steps(chat)).toHaveText(seen);
  await expect(activity(chat)).toHaveAttribute("data-state", "failed");
});

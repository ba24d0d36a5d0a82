// What a person sees where ending an answer at the service fails.

import { expect, test } from "../../fixtures.js";
import { json } from "../../servers/scripted.js";

test.use({ expectedConsole: /status of 500/ });

test("an answer that could not be stopped is said, goes on, and can be stopped again", async ({ chat, scripted }) => {
  scripted.extensions = "memory-id, cancel";
  scripted.on.cancel = (_, response) => json(response, 500, { message: "No disk." });
  const post = await chat.streaming(scripted, "one");
  await chat.stop.click();
  await expect(chat.alert).toContainText("The answer could not be stopped.");
  delete scripted.on.cancel;
  await chat.alert.getByRole("button", { name: "Retry" }).click();
  await expect.poll(() => scripted.to("cancel").length).toBe(2);
  post.complete("So far.\n\n*Stopped.*");
  await chat.isAnswered();
  await expect(chat.lastMessage).toContainText("Stopped.");
});

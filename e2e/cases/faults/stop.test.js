// Stop in two tabs at once: each may ask the service to end the answer.

import { expect, test } from "../../fixtures.js";
import { json } from "../../servers/scripted.js";
import { EXPECTED } from "./common.js";

test.use(EXPECTED);

test("Stop in two tabs ends the answer in both, whichever of them the service hears", async ({ chat, scripted }) => {
  scripted.extensions = "memory-id, cancel";
  const post = await chat.streaming(scripted, "one", {}, "So far.");
  const other = await chat.tab();
  await other.inline({ "base-url": scripted.origin });
  await expect(other.lastMessage).toContainText("So far.");
  const waiting = [];
  scripted.on.cancel = (_, response) => waiting.push(response);
  for (const [place, tab] of [other, chat].entries()) {
    await expect(tab.stop).toHaveAttribute("title", "Stops the answer");
    await tab.stop.click();
    await expect.poll(() => waiting.length).toBe(place + 1);
  }
  await expect(other.part("composer")).toContainText("Stopping the answer…");
  json(waiting[0], 409, { message: "There is no answer under way." });
  waiting[1].writeHead(202).end();
  post.complete("So far.\n\n*This answer was stopped.*");
  for (const tab of [other, chat]) {
    await expect(tab.lastMessage).toContainText("This answer was stopped.");
    await tab.isAnswered();
    await expect(tab.alert).toHaveCount(0);
  }
  expect(scripted.to("post")).toHaveLength(1);
  scripted.hold = false;
  await chat.ask("the next message");
  await expect(other.lastMessage).toContainText("Fine.");
});

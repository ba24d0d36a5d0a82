// Streams that break or end early: what is stored completes them, and the next message works.

import { expect, test } from "../../fixtures.js";
import { anew, EXPECTED, expectToGoOn } from "./common.js";

test.use(EXPECTED);

const BROKEN_STREAMS = {
  "ends before its first event": (post) => post.end(),
  "is reset after its headers": (post) => post.cut(),
  "is cut in the middle of a character": (post) => {
    post.begin();
    post.say("Half of it");
    const frame = Buffer.from(post.event("AGENT_RESPONSE_CHUNK", ", Grüße"));
    post.write(frame.subarray(0, frame.indexOf(0xc3) + 1));
    post.cut();
  },
  "is cut in the middle of a frame": (post) => {
    post.begin();
    post.say("Half of it");
    post.write(post.event("AGENT_RESPONSE_CHUNK", " and the rest").slice(0, 40));
    post.cut();
  },
  "ends without the end of the answer": (post) => {
    post.begin();
    post.say("Half of it");
    post.end();
  },
};

test("a stream that breaks in any way is completed from the stored messages", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  for (const [place, [name, play]] of Object.entries(BROKEN_STREAMS).entries()) {
    await test.step(`a stream that ${name}`, async () => {
      scripted.hold = true;
      await chat.say("my long question");
      const post = await scripted.nextPost();
      scripted.hold = false;
      scripted.store(post.thread, "assistant", "Half of it, and then the rest.", { handle: "@scripted" });
      await chat.input.fill("typed meanwhile");
      play(post);
      await expect(chat.lastMessage).toContainText("Half of it, and then the rest.");
      await expect(chat.messages).toHaveCount(2);
      await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
      await expectToGoOn(chat, scripted, "my long question");
      expect(scripted.to("post")).toHaveLength(2 * place + 2);
      await anew(chat);
    });
  }
});

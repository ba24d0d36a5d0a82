// Streams that break, end early, or hold what no service sends: what is stored completes them, and the next message works.

import { expect, test } from "../../fixtures.js";
import { anew, begin, EXPECTED, expectToGoOn, html, hurry } from "./common.js";

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

test("a broken stream whose rest cannot be read either says so, and can be asked again", async ({ page, chat, scripted }) => {
  await page.clock.install();
  const post = await begin(chat, scripted);
  post.begin();
  post.say("Half of it");
  await expect(chat.lastMessage).toContainText("Half of it");
  scripted.on.messages = html(500);
  post.cut();
  await hurry(page, () => expect(chat.lastMessage).toContainText("The connection ended before the answer was complete.", { timeout: 300 }));
  await expect(chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  await expect(chat.lastMessage).toContainText("Half of it");
  scripted.on = {};
  scripted.store(post.thread, "assistant", "Half of it, and then the rest.", { handle: "@scripted" });
  await chat.lastMessage.getByRole("button", { name: "Check again" }).click();
  await expect(chat.lastMessage).toContainText("Half of it, and then the rest.");
  await expectToGoOn(chat, scripted, "my long question");
});

test("garbage in a stream is passed over, and the answer arrives", async ({ chat, scripted }) => {
  const post = await begin(chat, scripted);
  post.begin();
  post.write("data: {broken\n\ndata: [1,2]\n\ndata: null\n\ndata: \"text\"\n\n: comment\r\r\nunknown: field\n\n");
  post.write(Buffer.from([0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xfe, 0xc3, 0x28, 0x80, 0x0a, 0x0a, 0x00, 0x01, 0x0a, 0x0a]));
  post.write(`data: ${"[".repeat(20_000)}\n\n`);
  post.send("NOTIFICATION_NEVER_SEEN", "");
  post.send("NEVER_SEEN", "", { agent: 7, timestamp: "yesterday" });
  post.send("AGENT_RESPONSE_CHUNK", { not: "text" });
  post.write(Buffer.from(post.event("AGENT_RESPONSE_CHUNK", "naïve 🙂").replace("naïve", "na\u00efve")).subarray(0));
  post.complete("The **whole** answer.");
  await expect(chat.lastMessage).toContainText("The whole answer.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expectToGoOn(chat, scripted, "my long question");
});

for (const [when, start, text] of [
  ["before its first word", () => {}, "This agent is not available at the moment."],
  ["in the middle", (post) => post.say("Half of it"), "The model is overloaded."],
]) {
  test(`an agent that fails ${when} gives its reason`, async ({ chat, scripted }) => {
    const post = await begin(chat, scripted);
    post.begin();
    start(post);
    post.send("ERROR", text);
    post.end();
    await expect(chat.lastMessage).toHaveAttribute("data-state", "failed");
    await expect(chat.lastMessage.getByRole("alert")).toContainText(text);
    await expectToGoOn(chat, scripted, "my long question");
  });
}

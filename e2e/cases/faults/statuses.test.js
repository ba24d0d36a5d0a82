// Posts and threads that the service refuses: a plain sentence, nothing typed is lost, and the next message works.
// What each status means is decided by the client, and tested there.

import { json } from "../../servers/scripted.js";
import { expect, test } from "../../fixtures.js";
import { anew, EXPECTED, expectSentence, expectToGoOn, html, hurry } from "./common.js";

test.use(EXPECTED);

const UNEXPECTED = "The service did not respond as expected. The service does not have this.";

/** Whether these arrived is not known, so the stored messages are asked first; of the first one it is known. The client tests more of them. */
const ANSWERS = {
  "400 with the service's own sentence": [(_, response) => json(response, 400, { message: "The text is too long." }), /The text is too long\./],
  "502 with an HTML page": [html(502), UNEXPECTED],
  "200 with an HTML page": [html(200), UNEXPECTED],
  "200 with JSON instead of a stream": [(_, response) => json(response, 200, { message: { deep: [1] } }), UNEXPECTED],
};

test("a post that is not answered with a stream keeps the message", async ({ page, chat, scripted }) => {
  test.slow();
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin });
  const alert = chat.messages.getByRole("alert");
  for (const [name, [fault, sentence]] of Object.entries(ANSWERS)) {
    await test.step(name, async () => {
      scripted.on.post = fault;
      await chat.say("my long question");
      await hurry(page, () => expect(alert).toContainText(sentence, { timeout: 300 }));
      await expectSentence(alert.locator("p").first());
      await chat.input.fill("typed meanwhile");
      await expectToGoOn(chat, scripted, "my long question");
      await anew(chat);
    });
  }
});

test("an error that is too long and never ends is not read to its end", async ({ chat, scripted }) => {
  let isGivenUp = false;
  scripted.on.create = (_, response) => {
    response.on("close", () => (isGivenUp = true));
    response.writeHead(500, { "content-type": "application/json" }).write(`"${"x".repeat(100_000)}`);
  };
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("my long question");
  await expect(chat.messages.getByRole("alert")).toContainText("The service has a problem.");
  await expect.poll(() => isGivenUp).toBe(true);
});

test("too many requests say when to try again", async ({ chat, scripted }) => {
  const soon = Date.now() + 90_000;
  scripted.on.create = (_, response) => json(response.setHeader("retry-after", new Date(soon).toUTCString()), 429, {});
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("my long question");
  // Seconds are rounded.
  const times = [-1, 0, 1].map((more) => new Date(soon + 1000 * more).toLocaleTimeString("en-US").split(/\s/)[0]);
  await expect(chat.messages.getByRole("alert")).toContainText(new RegExp(`There were too many requests\\. Try again at (${times.join("|")})`));
});

// Posts and threads that the service refuses: a plain sentence, nothing typed is lost, and the next message works.
// What each status means is decided by the client, and tested there.

import { json } from "../../servers/scripted.js";
import { expect, test } from "../../fixtures.js";
import { anew, EXPECTED, expectSentence, expectToGoOn, html, hurry, text } from "./common.js";

test.use(EXPECTED);

const UNEXPECTED = "The service did not respond as expected. The service does not have this.";

/** Whether these arrived is not known, so the stored messages are asked first; of the first one it is. */
const ANSWERS = {
  "400 with the service's own sentence": [(_, response) => json(response, 400, { message: "The text is too long." }), /The text is too long\./],
  "500 with a sentence": [
    (_, response) => json(response, 500, { message: "The disk is full." }),
    "The service had an error: The disk is full. The service does not have this.",
  ],
  "500 with an HTML page": [html(500), UNEXPECTED],
  "502 with an HTML page": [html(502), UNEXPECTED],
  "500 with broken JSON": [text(500, '{"message": "half', "application/json"), UNEXPECTED],
  "200 with an HTML page": [html(200), UNEXPECTED],
  "200 with JSON instead of a stream": [(_, response) => json(response, 200, { message: { deep: [1] } }), UNEXPECTED],
  "200 with nothing": [text(200, ""), UNEXPECTED],
  "a body of random bytes": [(_, response) => response.writeHead(500).end(Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b])), UNEXPECTED],
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

test("an error of the service is quoted while it is looked up whether the message arrived", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  scripted.on.post = (_, response) => json(response, 500, { message: "The disk is full." });
  scripted.on.messages = () => {};
  await chat.say("second");
  await expect(chat.own.last()).toContainText("The service had an error: The disk is full. Checking whether it arrived…");
  await expect(chat.own.last().getByRole("button", { name: "Check again" })).toBeVisible();
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

for (const [name, after] of [
  ["seconds", () => "90"],
  ["a date", () => new Date(Date.now() + 90_000).toUTCString()],
]) {
  test(`too many requests say when to try again, from ${name}`, async ({ chat, scripted }) => {
    const soon = Date.now() + 88_000;
    scripted.on.create = (_, response) => {
      response.setHeader("retry-after", after());
      json(response, 429, {});
    };
    await chat.inline({ "base-url": scripted.origin });
    await chat.say("my long question");
    const alert = chat.messages.getByRole("alert");
    await expect(alert).toContainText(/There were too many requests\. Try again at \d+:\d\d:\d\d/);
    const [hours, minutes, seconds] = (await alert.innerText()).match(/(\d+):(\d\d):(\d\d)/).slice(1).map(Number);
    const said = (hours % 12) * 3600 + minutes * 60 + seconds;
    const date = new Date(soon);
    const least = (date.getHours() % 12) * 3600 + date.getMinutes() * 60 + date.getSeconds();
    expect((said - least + 43_200) % 43_200).toBeLessThan(15);
  });
}

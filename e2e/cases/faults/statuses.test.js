// Posts and threads that the service refuses, with each status and each kind of body: a plain sentence, nothing typed is
// lost, and the next message works.

import { json } from "../../servers/scripted.js";
import { expect, test } from "../../fixtures.js";
import { anew, EXPECTED, expectSentence, expectToGoOn, html, hurry, RAW, text } from "./common.js";

test.use(EXPECTED);

const REFUSED = {
  "400 with the service's own sentence": [(_, response) => json(response, 400, { message: "The text is too long." }), /The text is too long\./],
  "401": [(_, response) => json(response, 401, { message: "No." }), /sign-in/],
  "403": [text(403, ""), /not allowed/],
  "404": [(_, response) => json(response, 404, { error: "x", message: "This conversation does not exist." }), /does not know this conversation/],
  "429": [text(429, "slow down", "application/json"), /too many requests/],
};

/** Whether these arrived is not known, so the stored messages are asked first. */
const DOUBTFUL = {
  "500 with an HTML page": [html(500), /did not reach the service/],
  "502 with an HTML page": [html(502), /did not reach the service/],
  "500 with broken JSON": [text(500, '{"message": "half', "application/json"), /did not reach the service/],
  "200 with an HTML page": [html(200), /did not reach the service/],
  "200 with JSON instead of a stream": [(_, response) => json(response, 200, { message: { deep: [1] } }), /did not reach the service/],
  "200 with nothing": [text(200, ""), /did not reach the service/],
  "a body of random bytes": [(_, response) => response.writeHead(500).end(Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b])), /did not reach the service/],
};

for (const [what, answers] of Object.entries({ "that refuses": REFUSED, "that leaves open whether it arrived": DOUBTFUL })) {
  test(`a post with an answer ${what}`, async ({ page, chat, scripted }) => {
    test.slow();
    await page.clock.install();
    await chat.inline({ "base-url": scripted.origin });
    const alert = chat.messages.getByRole("alert");
    for (const [name, [fault, sentence]] of Object.entries(answers)) {
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
}

/** What no sentence is in. The last one is far too long to be read for one. */
const BODIES = {
  JSON: (response, status) => json(response, status, { error: { code: 7 } }),
  HTML: (response, status) => html(status)(null, response),
  "no body": (response, status) => response.writeHead(status).end(),
  "10 MB": (response, status) => response.writeHead(status, { "content-type": "text/plain" }).end("x".repeat(10_000_000)),
};

const STATUSES = [
  [400, /did not accept this/],
  [401, /sign-in/],
  [403, /not allowed/],
  [404, /does not know this conversation/],
  [409, /did not accept this/],
  [413, /did not accept this/],
  [429, /too many requests/],
  [500, /The service has a problem/],
  [502, /The service has a problem/],
  [503, /The service has a problem/],
];

test("each status with JSON, HTML, no body and 10 MB", async ({ chat, scripted }) => {
  test.slow();
  await chat.inline({ "base-url": scripted.origin });
  for (const [place, [status, sentence]] of STATUSES.entries()) {
    for (const [name, act] of Object.entries(BODIES)) {
      await test.step(`${status} with ${name}`, async () => {
        scripted.on.create = (_, response) => act(response, status);
        await chat.say("my long question");
        const alert = chat.messages.getByRole("alert");
        await expect(alert).toContainText(sentence);
        await expectSentence(alert.locator("p").first());
        expect(await alert.innerText()).not.toMatch(RAW);
        await chat.button("Dismiss").click();
        await expect(chat.input).toHaveValue("my long question");
      });
    }
    scripted.on = {};
    await chat.ask("my long question");
    expect(scripted.to("post")).toHaveLength(place + 1);
    await anew(chat);
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

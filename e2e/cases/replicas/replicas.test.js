// The demo page goes on streaming while replicas of the service are killed, one after the other.

import { expect, leave, Service, test as base } from "../../fixtures.js";
import { demo } from "../../servers/demo.js";
import { ScriptedModel, Speech } from "../../servers/model.js";
import { Replicas } from "../../servers/replicas.js";
import { serving } from "../../servers/serving.js";

/** What the service says at the beginning of an answer that another replica goes on with. */
const GOES_ON = "The service was stopped in between; this answer goes on by itself.";
const AGENTS = { agents: [{ id: "desk", name: "Larkspur desk", about: "It tells stories." }], note: "" };

const test = base.extend({
  /** Starts replicas whose model answers with these replies, and opens the chat of a demo page in front of them. */
  open: async ({ context, chat }, use) => {
    const started = [];
    await serving(context, (serve) =>
      use(async (...replies) => {
        const model = await ScriptedModel.start(replies);
        started.push(model);
        const replicas = await Replicas.start({ model: model.url });
        started.unshift(replicas);
        await chat.page.goto(await serve(demo({ service: replicas.origin, agents: AGENTS })));
        await chat.button("Open chat").click();
        return { model, replicas };
      }),
    );
    for (const server of started) await server.stop();
  },
});

// Each kill is a failed request of the browser's.
test.use({ expectedConsole: /Failed to load resource|ERR_INCOMPLETE_CHUNKED_ENCODING/ });
test.setTimeout(180_000);

/** Paragraphs of words that are all different. */
const story = (name, paragraphs = 4) =>
  Array.from({ length: paragraphs }, (_, at) => Array.from({ length: 25 }, (_, word) => `${name}-${at + 1}-${word + 1}`).join(" "));

/** Says paragraphs word by word, each after the page shows the one before. */
async function tell(chat, speech, paragraphs) {
  for (const paragraph of paragraphs) {
    for (const piece of `${paragraph}\n\n`.split(/(?<= )/)) speech.say(piece);
    await expect(chat.lastMessage).toContainText(paragraph, { timeout: 60_000 });
  }
}

const words = (texts) => texts.join(" ").split(/\s+/);

/** Waits until the answers on the page are these paragraphs, word by word. */
async function showsAnswers(chat, ...answers) {
  await chat.isAnswered();
  await expect(chat.alert).toHaveCount(0);
  const shown = async () => (await chat.element.locator(".answer").allInnerTexts()).map((text) => words([text]));
  await expect.poll(shown).toEqual(answers.map(words));
}

/** Waits for so many requests to the model, and returns the replica that sent the last one, which writes the answer. */
async function writer({ model, replicas }, requests) {
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(requests);
  return replicas.at(model.requests.at(-1).port);
}

/** The service as the user of the demo page reaches it at this address. */
const serviceOf = async (chat, origin) => new Service(await chat.page.evaluate(() => localStorage.getItem("assent:user-id")), origin);

test("an answer streams on while replicas are killed one after the other, with a request that is decided in between", { tag: "@firefox" }, async ({ chat, open }) => {
  const speeches = [new Speech(), new Speech(), new Speech(), new Speech()];
  const [first, again, second, secondAgain] = speeches;
  const [begin, end] = [story("begin"), story("end")];
  const world = await open(...speeches);
  const { replicas } = world;
  await chat.say("A story");

  // The replica that has the post.
  const one = await writer(world, 1);
  await tell(chat, first, begin.slice(0, 2));
  await replicas.kill(one);
  await expect(chat.lastMessage).toContainText(begin[1]);
  expect((await writer(world, 2)).process).not.toBe(one.process);
  await tell(chat, again, begin);
  again.call("assent__remember", { text: "They like stories." });
  await chat.waitsForDecision();
  await chat.approveAll();

  // The one that has the decision.
  const two = await writer(world, 3);
  await tell(chat, second, end.slice(0, 2));
  await replicas.kill(two);
  await expect(chat.lastMessage).toContainText(end[1]);
  const writes = await writer(world, 4);
  await tell(chat, secondAgain, end.slice(0, 3));

  // One that does not write: that at which the page reads, if it does not read where the answer is written.
  const three = [...(await replicas.streaming()), ...replicas.all].find(({ number }) => number !== writes.number);
  await replicas.kill(three);
  await tell(chat, secondAgain, end.slice(3));
  secondAgain.end();
  await showsAnswers(chat, [GOES_ON, ...begin], [GOES_ON, ...end]);
  await expect(chat.approval).toHaveAttribute("data-state", "answered");

  const service = await serviceOf(chat, replicas.origin);
  const [thread] = await service.threads("desk");
  const stored = await service.messages(thread.id);
  expect(stored.map(({ content }) => content.trim())).toEqual(["A story", ...[begin, end].map((told) => [`*${GOES_ON}*`, ...told].join("\n\n"))]);
  expect(world.model.requests).toHaveLength(speeches.length);
});

test("a page loses nothing if the replica is killed at which it reads what another one writes", async ({ chat, open }) => {
  const [hello, told] = [new Speech(), new Speech()];
  const paragraphs = story("told");
  const world = await open(hello, told);
  const { replicas } = world;
  await chat.say("Hello");
  const home = await writer(world, 1);
  hello.say("Good evening.");
  hello.end();
  await chat.isAnswered();

  // Another device of the same user, which a balancer sends to another replica than this one.
  const elsewhere = replicas.all.find(({ number }) => number !== home.number);
  const device = await serviceOf(chat, elsewhere.origin);
  const [thread] = await device.threads("desk");
  const heard = device.call("POST", `/${thread.id}/messages`, { content: [{ type: "text", text: "A story" }] });
  expect(await writer(world, 2)).toEqual(elsewhere);
  await chat.page.reload();
  await chat.button("Open chat").click();
  await chat.threadsToggle.click();
  await chat.thread("Hello").click();
  await tell(chat, told, paragraphs.slice(0, 2));
  await expect.poll(() => replicas.streaming()).toEqual(expect.arrayContaining([home, elsewhere]));

  await replicas.kill(home);
  await tell(chat, told, paragraphs.slice(2));
  told.end();
  await showsAnswers(chat, ["Good evening."], paragraphs);
  expect(await heard).toContain("told-4-25");
});

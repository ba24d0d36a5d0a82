// A service that misbehaves in every way: a plain sentence, nothing typed is lost, and the next message works.

import { json } from "../../servers/scripted.js";
import { expect, test } from "../../fixtures.js";

test.use({ expectedConsole: /Failed to load resource|assent-chat: not loaded\.|wasm streaming compile failed/ });

/** What only a parser, a browser or a programmer says. */
const RAW =
  /unexpected (token|end|eof)|expected (value|ident)|at line \d|syntaxerror|typeerror|rangeerror|failed to fetch|networkerror|<html|<!doctype|\[object|undefined|\bnull\b|panicked|unwrap|serde|utf-?8|ECONN/i;

const PAGE = "<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>";
const html = (status) => (_, response) => response.writeHead(status, { "content-type": "text/html" }).end(PAGE);
const text = (status, body, type = "text/plain") => (_, response) =>
  response.writeHead(status, { "content-type": type }).end(body);

/** A sentence for people: capital, full stop, and nothing of a machine. */
async function expectSentence(locator) {
  await expect(locator).toBeVisible();
  const words = await locator.innerText();
  expect(words).toMatch(/^[A-Z“][^]*[.)!]/);
  expect(words).not.toMatch(RAW);
}

/** After the fault: what was typed is still there, and the next message is answered. */
async function expectToGoOn(chat, scripted, typed) {
  await expect(chat.input).toHaveValue("typed meanwhile");
  await expect(chat.own.first()).toContainText(typed);
  expect(await chat.element.evaluate((element) => element.shadowRoot.textContent)).not.toMatch(RAW);
  scripted.on = {};
  scripted.down = false;
  await chat.ask("the next message");
  await expect(chat.lastMessage).toContainText("Fine.");
}

const REFUSALS = {
  "400 with the service's own sentence": [(_, response) => json(response, 400, { message: "The text is too long." }), /The text is too long\./],
  "401": [(_, response) => json(response, 401, { message: "No." }), /sign-in/],
  "403": [text(403, ""), /not allowed/],
  "404": [(_, response) => json(response, 404, { error: "x", message: "This conversation does not exist." }), /does not know this conversation/],
  "429": [text(429, "slow down", "application/json"), /too many requests/],
  // Whether these arrived is not known, so the stored messages are asked first.
  "500 with an HTML page": [html(500), /did not reach the service/],
  "502 with an HTML page": [html(502), /did not reach the service/],
  "500 with broken JSON": [text(500, '{"message": "half', "application/json"), /did not reach the service/],
  "200 with an HTML page": [html(200), /did not reach the service/],
  "200 with JSON instead of a stream": [(_, response) => json(response, 200, { message: { deep: [1] } }), /did not reach the service/],
  "200 with nothing": [text(200, ""), /did not reach the service/],
  "a body of random bytes": [(_, response) => response.writeHead(500).end(Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x7b])), /did not reach the service/],
};

for (const [name, [fault, sentence]] of Object.entries(REFUSALS)) {
  test(`a post answered by ${name}`, async ({ chat, scripted }) => {
    scripted.on.post = fault;
    await chat.inline({ "base-url": scripted.origin });
    await chat.say("my long question");
    const alert = chat.messages.getByRole("alert");
    await expect(alert).toContainText(sentence);
    await expectSentence(alert.locator("p").first());
    await chat.input.fill("typed meanwhile");
    await expectToGoOn(chat, scripted, "my long question");
  });
}

test("a refused message can be sent again, or taken back into the message box", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  scripted.on.post = (_, response) => json(response, 400, { message: "Not now." });
  await chat.say("my long question");
  await expect(chat.own).toHaveAttribute("data-state", "failed");
  await chat.button("Dismiss").click();
  await expect(chat.input).toHaveValue("my long question");
  await expect(chat.messages).toHaveCount(0);
  await chat.input.press("Enter");
  await expect(chat.own).toHaveAttribute("data-state", "failed");
  scripted.on = {};
  await chat.button("Retry").click();
  await expect(chat.lastMessage).toContainText("Fine.");
  await expect(chat.own).toHaveCount(1);
});

test("a thread that cannot be made keeps the message for a retry", async ({ chat, scripted }) => {
  scripted.on.create = html(503);
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("my long question");
  await expectSentence(chat.messages.getByRole("alert").locator("p").first());
  await expect(chat.own).toContainText("my long question");
  scripted.on = {};
  await chat.button("Retry").click();
  await expect(chat.lastMessage).toContainText("Fine.");
});

const BROKEN_STREAMS = {
  "ends before its first event": (post) => post.end(),
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

for (const [name, play] of Object.entries(BROKEN_STREAMS)) {
  test(`a stream that ${name} is completed from the stored messages`, async ({ chat, scripted }) => {
    scripted.hold = true;
    await chat.inline({ "base-url": scripted.origin });
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
    expect(scripted.to("post")).toHaveLength(2);
  });
}

test("a broken stream whose rest cannot be read either says so, and can be asked again", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("my long question");
  const post = await scripted.nextPost();
  scripted.hold = false;
  post.begin();
  post.say("Half of it");
  await expect(chat.lastMessage).toContainText("Half of it");
  await chat.input.fill("typed meanwhile");
  scripted.on.messages = html(500);
  post.cut();
  await expect(chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  await expect(chat.lastMessage).toContainText("The connection ended before the answer was complete.");
  await expect(chat.lastMessage).toContainText("Half of it");
  scripted.on = {};
  scripted.store(post.thread, "assistant", "Half of it, and then the rest.", { handle: "@scripted" });
  await chat.lastMessage.getByRole("button", { name: "Check again" }).click();
  await expect(chat.lastMessage).toContainText("Half of it, and then the rest.");
  await expectToGoOn(chat, scripted, "my long question");
});

test("garbage in a stream is passed over, and the answer arrives", async ({ chat, scripted }) => {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("my long question");
  const post = await scripted.nextPost();
  scripted.hold = false;
  await chat.input.fill("typed meanwhile");
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

for (const [when, begin, text] of [
  ["before its first word", () => {}, "This agent is not available at the moment."],
  ["in the middle", (post) => post.say("Half of it"), "The model is overloaded."],
]) {
  test(`an agent that fails ${when} gives its reason`, async ({ chat, scripted }) => {
    scripted.hold = true;
    await chat.inline({ "base-url": scripted.origin });
    await chat.say("my long question");
    const post = await scripted.nextPost();
    scripted.hold = false;
    await chat.input.fill("typed meanwhile");
    post.begin();
    begin(post);
    post.send("ERROR", text);
    post.end();
    await expect(chat.lastMessage).toHaveAttribute("data-state", "failed");
    await expect(chat.lastMessage.getByRole("alert")).toContainText(text);
    await expectToGoOn(chat, scripted, "my long question");
  });
}

test("a service that is down keeps the message until it is back", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  scripted.down = true;
  await chat.say("my long question");
  await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
  await expect(chat.own.last()).toContainText("my long question");
  expect(await chat.own.last().innerText()).not.toMatch(RAW);
  await chat.input.fill("typed meanwhile");
  scripted.down = false;
  await chat.own.last().getByRole("button", { name: /Retry|Check again/ }).click();
  // It never arrived, so that sending it again is safe, and asked of the person.
  await expect(async () => {
    const retry = chat.own.last().getByRole("button", { name: "Retry" });
    if (await retry.isVisible()) await retry.click();
    await expect(chat.lastMessage).toContainText("Fine.", { timeout: 500 });
  }).toPass();
  expect(scripted.to("post").map(({ body }) => JSON.parse(body).content[0].text)).toEqual(["first", "my long question"]);
  await expect(chat.input).toHaveValue("typed meanwhile");
});

const BAD_LISTS = {
  "401": [(_, response) => json(response, 401, {}), /sign-in/],
  "an HTML page": [html(200), /not the chat service/],
  "500": [html(500), /The service has a problem/],
  "truncated JSON": [text(200, '[{"id":"thread-1","threadName":"Ord', "application/json"), /not the chat service/],
  "an object": [(_, response) => json(response, 200, { threads: [] }), /not the chat service/],
};

for (const [name, [fault, sentence]] of Object.entries(BAD_LISTS)) {
  test(`a list answered by ${name}`, async ({ chat, scripted }) => {
    scripted.addThread("Orders");
    scripted.on.list = fault;
    await chat.inline({ "base-url": scripted.origin });
    await expect(chat.list).toHaveAttribute("data-state", "failed");
    await expect(chat.list.getByRole("alert")).toContainText(sentence);
    expect(await chat.list.innerText()).not.toMatch(RAW);
    await expect(chat.input).toBeEnabled();
    scripted.on = {};
    await chat.list.getByRole("button", { name: "Retry" }).click();
    await expect(chat.thread("Orders")).toBeVisible();
    await chat.ask("hello");
  });
}

test("a list with broken entries shows the others", async ({ chat, scripted }) => {
  const good = scripted.addThread("Orders");
  scripted.on.list = (_, response) =>
    json(response, 200, [null, 7, "x", {}, { id: 5 }, { ...good, extra: [1] }, { id: "bare" }, { id: "odd", threadName: null, lastMessageTime: "never" }]);
  await chat.inline({ "base-url": scripted.origin });
  await expect(chat.thread("Orders")).toBeVisible();
  await expect(chat.list.getByRole("alert")).toHaveCount(0);
});

for (const [name, fault] of Object.entries({ "an HTML page": html(200), "500": html(500), "a broken connection": (_, response) => response.socket.destroy() })) {
  test(`stored messages answered by ${name} can be asked again`, async ({ chat, scripted }) => {
    const thread = scripted.addThread("Orders");
    scripted.store(thread.id, "assistant", "Stored.");
    scripted.on.messages = fault;
    await chat.inline({ "base-url": scripted.origin });
    await chat.thread("Orders").click();
    await expect(chat.transcript).toHaveAttribute("data-state", "failed");
    await expectSentence(chat.transcript.getByRole("alert").locator("p").first());
    scripted.on = {};
    await chat.transcript.getByRole("button", { name: "Retry" }).click();
    await expect(chat.lastMessage).toContainText("Stored.");
  });
}

test("stored messages that are broken in parts show what can be read", async ({ chat, scripted }) => {
  const thread = scripted.addThread("Orders");
  scripted.on.messages = (_, response) =>
    json(response, 200, [null, { id: 1 }, { role: "oracle", content: "From an unknown role" }, { id: "m", role: "assistant", content: "Readable", timestamp: "?" }]);
  await chat.inline({ "base-url": scripted.origin });
  await chat.thread("Orders").click();
  await expect(chat.transcript).toContainText("Readable");
  expect(await chat.transcript.innerText()).not.toMatch(RAW);
});

test("a module that cannot be downloaded can be tried again", async ({ page, chat }) => {
  await page.route(/\.wasm$/, (route) => route.abort());
  await chat.launcher();
  await chat.button("Open chat").click();
  await expect(chat.alert).toContainText("The chat could not be loaded. Check your connection and try again.");
  await page.unroute(/\.wasm$/);
  await chat.button("Try again").click();
  await expect(chat.input).toBeVisible();
  await chat.ask("hello");
});

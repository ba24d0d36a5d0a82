// @ts-check
// What is recorded of streams, and given back to later pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { body, event, Widget } from "./support/bundle.js";

/** What a widget of a page is given that was loaded later, once there is something. @param {string} scope @param {string} [thread] */
async function recalled(scope, thread = "t1") {
  const widget = new Widget(scope);
  let recordings = [];
  while (!recordings.length) {
    widget.send("recall", thread);
    const event = await widget.next();
    assert.deepEqual(event.slice(0, 2), ["recalled", thread]);
    recordings = event[2];
  }
  widget.close();
  return recordings;
}

/** What is there of a thread at this moment. @param {string} scope @param {string} thread */
async function now(scope, thread) {
  const widget = new Widget(scope);
  widget.send("recall", thread);
  const [, , recordings] = await widget.next();
  widget.close();
  return recordings;
}

test("a recording outlives its widget and keeps the times and the kind of end", async () => {
  const first = new Widget("assent:s|a|one:");
  const began = Date.now();
  const frames = [event("MESSAGE_RECEIVED", ""), "not JSON", event("AGENT_RESPONSE_COMPLETE", "Hello")];
  first.listen({ question: "hi", frames, began });
  first.close();
  const [recording] = await recalled("assent:s|a|one:");
  assert.deepEqual(recording, ["hi", [began + 1, frames[0], began + 2, frames[1], began + 3, frames[2]], began + 100, "closed"]);
});

test("a recorded answer to a batch has no question, and a stop differs from an ordinary end", async () => {
  const first = new Widget("assent:s|a|two:");
  first.listen({ question: null, frames: [event("NOTIFICATION_TASK_STARTED", "")], how: "stopped" });
  first.close();
  const [[question, , , how]] = await recalled("assent:s|a|two:");
  assert.deepEqual([question, how], [null, "stopped"]);
});

test("only the first chunk is kept of an answer that ends with its complete text; otherwise all chunks are kept", async () => {
  const piece = (/** @type {string} */ text, /** @type {string} */ agent) => event("AGENT_RESPONSE_CHUNK", text, agent);
  const first = new Widget("assent:s|a|three:");
  const together = [piece("H", "a"), piece("e", "a"), piece("B", "b"), piece("y", "b")].join("\u001e");
  const whole = event("AGENT_RESPONSE_COMPLETE", "He", "a");
  first.listen({ frames: [together, piece("!", "a"), whole, piece("Again", "a")] });
  first.close();
  const [[, frames]] = await recalled("assent:s|a|three:");
  const texts = frames.filter((/** @type {any} */ it) => typeof it === "string").flatMap((/** @type {string} */ it) => it.split("\u001e"));
  assert.deepEqual(texts, [piece("H", "a"), piece("B", "b"), piece("y", "b"), whole, piece("Again", "a")]);
});

test("a stream without frames is not recorded", async () => {
  const first = new Widget("assent:s|a|four:");
  first.listen({ frames: [] });
  first.listen({ thread: "t2", frames: [event("MESSAGE_RECEIVED", "")] });
  first.close();
  assert.equal((await recalled("assent:s|a|four:", "t2")).length, 1);
  assert.deepEqual(await now("assent:s|a|four:", "t1"), []);
});

test("recordings are separate for each service, agent, user and thread", async () => {
  const first = new Widget("assent:s|a|five:");
  first.listen({ thread: "t1", question: "one", frames: [event("MESSAGE_RECEIVED", "")] });
  first.close();
  const other = new Widget("assent:s|a|fiv:");
  other.listen({ thread: "t", question: "two", frames: [event("MESSAGE_RECEIVED", "")] });
  other.close();
  assert.deepEqual((await recalled("assent:s|a|fiv:", "t")).map((/** @type {any} */ it) => it[0]), ["two"]);
  assert.deepEqual((await recalled("assent:s|a|five:", "t1")).map((/** @type {any} */ it) => it[0]), ["one"]);
  assert.deepEqual(await now("assent:s|a|fiv:", "t1"), []);
});

test("a recording that is still running is not returned", async () => {
  const widget = new Widget("assent:s|a|six:");
  widget.listen({ question: "one", frames: [event("MESSAGE_RECEIVED", "")], began: Date.now() - 1000 });
  widget.send("begin", 9, Date.now(), "t1", body("two"));
  widget.send("frames", 9, Date.now(), event("MESSAGE_RECEIVED", ""));
  const there = new Widget("assent:s|a|six:");
  const kinds = async (/** @type {Widget} */ it) => {
    it.send("recall", "t1");
    return (await it.next())[2].map((/** @type {any} */ recording) => [recording[0], recording[3]]);
  };
  globalThis.dispatchEvent(new Event("pagehide"));
  let seen = [];
  while (seen.length < 2) seen = await kinds(there);
  assert.deepEqual(seen, [["one", "closed"], ["two", "lost"]]);
  assert.deepEqual(await kinds(widget), [["one", "closed"]]);
  there.close();
  widget.close();
});

test("without a storage only the widget itself has its recordings", async () => {
  const widget = new Widget("assent:s|a|seven:", "none");
  widget.listen({ frames: [event("MESSAGE_RECEIVED", "")] });
  widget.close();
  const other = new Widget("assent:s|a|seven:", "local");
  other.listen({ thread: "t2", frames: [event("MESSAGE_RECEIVED", "")] });
  other.close();
  assert.equal((await recalled("assent:s|a|seven:", "t2")).length, 1);
  assert.deepEqual(await now("assent:s|a|seven:", "t1"), []);
});

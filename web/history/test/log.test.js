// @ts-check
// What is removed before something is kept, or leaves the device; and forgetting.

import assert from "node:assert/strict";
import { test } from "node:test";
import { log } from "../log.js";
import { BETWEEN_FRAMES, FORMAT } from "../recording.js";
import { Secrets } from "../secrets.js";
import { body, event, Widget } from "./support/bundle.js";

/** @param {string[]} frames @param {string | null} [question] */
const recording = (frames, question = "hi") => ({
  key: "k", format: FORMAT, scope: "s", thread: "t1", question, began: 1, ended: 3, how: "closed", length: 1,
  frames: /** @type {[number, string][]} */ ([[2, frames.join(BETWEEN_FRAMES)]]),
});

test("secrets are removed wherever a text holds them, short ones are not searched for", () => {
  const secrets = new Secrets();
  secrets.add(["key-1", "key-1-longer", "abc"], ["user@host"]);
  const spelled = '{"type":"X","eventMessage":{"content":"k\\u0065y-1 and key-1-longer of user@host"},"key-1":[1.50,"abc"]}';
  const { answers: [{ question, events }] } = JSON.parse(log("1", {}, [recording([spelled, "not JSON key-1"], "I am user@host")], secrets));
  assert.equal(question, "I am [removed]");
  assert.deepEqual(JSON.parse(events[0][1]), { type: "X", eventMessage: { content: "[removed] and [removed] of [removed]" }, "[removed]": [1.5, "abc"] });
  assert.deepEqual(events[1], [2, "not JSON [removed]"]);
});

test("what holds no secret is as it came", () => {
  const secrets = new Secrets();
  secrets.add(["key-1"], []);
  const text = '{ "a": 1.50,\n "b": "\\u00e9" }';
  assert.equal(JSON.parse(log("1", {}, [recording([text])], secrets)).answers[0].events[0][1], text);
  assert.equal(secrets.withoutKeys(recording([text, "key-1"])).frames[0][1], `${text}${BETWEEN_FRAMES}[removed]`);
});

test("of the options only the harmless ones are there, and addresses without credentials", () => {
  const options = { "base-url": "https://ann:pass@host/path?token=1#x", "api-key": "secret", "user-id": "ann", heading: "Hi", activity: "full", threads: null, strings: {} };
  assert.deepEqual(JSON.parse(log("1", options, [], new Secrets())).options, { "base-url": "https://host/path", activity: "full" });
});

test("forgetting removes what is kept and what is being recorded, here and at the neighbours", async () => {
  const [one, two] = [new Widget("assent:s|a|clear:"), new Widget("assent:s|a|clear:")];
  one.listen({ frames: [event("MESSAGE_RECEIVED", "")] });
  one.send("begin", 7, Date.now(), "t1", body("running"));
  one.send("frames", 7, Date.now(), event("MESSAGE_RECEIVED", ""));
  two.send("forget");
  assert.deepEqual(await two.next(), ["forgotten"]);
  assert.deepEqual(await one.next(), ["cleared"]);
  one.send("end", 7, Date.now(), "closed");
  one.send("recall", "t1");
  assert.deepEqual(await one.next(), ["recalled", "t1", []]);
  one.close();
  two.close();
});

test("without a clipboard the log is not copied", async () => {
  const widget = new Widget("assent:s|a|copy:");
  widget.send("copyLog");
  assert.deepEqual(await widget.next(), ["logCopied", false]);
  widget.close();
});

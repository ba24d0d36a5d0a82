// @ts-check
// The kinds of recorded frames: read without parsing, they are what parsing says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { KindReader } from "../recording.js";

/** A frame of this type. @param {string} type @param {object} message @param {object} [more] */
const frame = (type, message, more = {}) => JSON.stringify({ type, eventId: "e", eventMessage: message, ...more });
/** @param {object} message */
const chunk = (message) => frame("AGENT_RESPONSE_CHUNK", message);

/** Reads frames in order. @param {string[]} frames */
function read(frames) {
  const reader = new KindReader();
  return frames.map((text) => reader.read(text));
}

/** Frames, each of which might be taken for a chunk of the speaker before it. */
const LIKE_THE_ONE_BEFORE = [
  chunk({ agent: { name: "A", id: "a" }, content: "1" }),
  chunk({ agent: { name: "A", id: "a" }, content: "2" }),
  chunk({ agent: { name: "A", id: "ab" }, content: "another agent" }),
  chunk({ agent: { name: "A", id: "a" }, content: "agent", collaborationId: null }),
  chunk({ content: '"agent":{"name":"A","id":"a"}', agent: null }),
  chunk({ content: "agent", agent: null }),
  chunk({ content: "no agent" }),
  chunk({ agent: null, content: "", collaborationId: 1 }),
  chunk({ agent: null, content: "", collaborationId: 12 }),
  chunk({ agent: null, content: "", collaborationId: "1" }),
  chunk({ agent: null, content: "", collaborationId: '1","collaborationId":"2' }),
  chunk({ agent: null, content: "" }),
  chunk({ agent: { id: "b", agent: null }, content: "an agent inside of an agent" }),
  '{"type":"AGENT_RESPONSE_CHUNK","eventMessage":{"agent":null,"agent":{"id":"the last one counts"}}}',
  frame("AGENT_RESPONSE_COMPLETE", { agent: null, content: "" }),
  frame("AGENT_RESPONSE_COMPLETE", { agent: null, content: "AGENT_RESPONSE_CHUNK" }),
  frame("ERROR", { agent: null, content: '"type":"AGENT_RESPONSE_CHUNK"' }),
  frame("NOTIFICATION_AGENT_THINKING_STARTED", { agent: null, content: "" }),
  '{"type": "AGENT_RESPONSE_CHUNK", "eventMessage": {"agent": null}}',
  '{"type":"AGENT_RESPONSE_CHUNK"}',
  '{"type":"AGENT_RESPONSE_CHUNK","eventMessage":null}',
  "not JSON",
  '{"type":"AGENT_RESPONSE_CHUNK","eventMessage":{"agent":null,"content":"cut o',
];

test("a frame has the same kind whatever came before it", () => {
  const alone = LIKE_THE_ONE_BEFORE.map((text) => new KindReader().read(text));
  for (const before of LIKE_THE_ONE_BEFORE.slice(0, 14)) {
    LIKE_THE_ONE_BEFORE.forEach((text, at) => assert.deepEqual(read([before, text])[1], alone[at], `${before} before ${text}`));
  }
  assert.deepEqual(read(LIKE_THE_ONE_BEFORE), alone);
});

test("speakers differ by agent and by collaboration, and a whole text is told from a chunk", () => {
  const kinds = LIKE_THE_ONE_BEFORE.map((text) => new KindReader().read(text));
  assert.deepEqual(kinds.map((kind) => kind && `${kind.isWhole ? "whole" : "chunk"} ${kind.who.replace("\u001e", "/")}`), [
    "chunk a/", "chunk a/", "chunk ab/", "chunk a/", "chunk /", "chunk /", "chunk /", "chunk /1", "chunk /12", "chunk /1",
    'chunk /1","collaborationId":"2', "chunk /", "chunk b/",
    "chunk the last one counts/", "whole /", "whole /", null, null, "chunk /", "chunk /", "chunk /", null, null,
  ]);
});

test("the chunks of one speaker are parsed once", () => {
  const parse = JSON.parse;
  let count = 0;
  JSON.parse = (/** @type {[string]} */ ...args) => { count += 1; return parse(...args); };
  try {
    const one = { agent: { name: "A", id: "a" }, collaborationId: null };
    read(Array.from({ length: 100 }, (_, index) => chunk({ ...one, content: `word ${index}`, timestamp: String(index) })));
  } finally {
    JSON.parse = parse;
  }
  assert.equal(count, 1);
});

// @ts-check
// The names of messages and events are declared on both sides of the border, and are the same.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url), "utf8");
const rust = read("../../../crates/client/src/history/messages.rs");
const declared = read("../messages.d.ts");

/** @param {string} text @param {RegExp} name its first group is the name */
const names = (text, name) => [...text.matchAll(name)].map((found) => found[1]).sort();

/** Returns the text between the line that begins like this and the end of its block.
 * @param {string} source @param {string} begin */
function block(source, begin) {
  const [, ...rest] = source.split(begin);
  assert.equal(rest.length, 1, begin);
  return /^[^]*?\n( {4})?\}/.exec(rest[0])?.[0] ?? "";
}

test("the widget sends exactly the declared messages", () => {
  const sent = block(rust, "pub(super) fn into_array(self) -> Array {");
  const messages = names(block(declared, "export interface Messages {"), /^ {2}(\w+): \[/gm);
  assert.ok(messages.length > 10);
  assert.deepEqual([...new Set(names(sent, /message_array\(\s*"(\w+)",/g))], messages);
});

test("the widget reads exactly the declared events", () => {
  const parsed = block(rust, "pub(super) fn parse(event: &Array) -> Option<Self> {");
  const events = names(block(declared, "export interface Events {"), /^ {2}(\w+): \[/gm);
  assert.ok(events.length > 5);
  assert.deepEqual(names(parsed, /"(\w+)" =>/g), events);
});

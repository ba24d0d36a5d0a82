// @ts-check
// Modules that are fetched once, and again after a failure.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { lazy } from "../lazy.js";

const folder = mkdtempSync(join(tmpdir(), "assent-lazy-"));
after(() => rmSync(folder, { recursive: true }));

const address = (/** @type {string} */ name) => pathToFileURL(join(folder, name));

/** Writes a module, and returns its address. @param {string} name @param {string} text */
function script(name, text) {
  writeFileSync(join(folder, name), text);
  return address(name);
}

test("a module is fetched once, and its value is there then", async () => {
  const module = lazy(script("once.mjs", "export const name = 'once';"));
  assert.equal(module.value, null);
  const [one, two] = await Promise.all([module.load(), module.load()]);
  assert.equal(one.name, "once");
  assert.equal(one, two);
  assert.equal(module.value, one);
});

test("a failed download is not remembered, although the platform remembers it", async () => {
  const module = lazy(address("lost.mjs"));
  await assert.rejects(module.load());
  assert.equal(module.value, null);
  script("lost.mjs", "export const name = 'found';");
  assert.equal((await module.load()).name, "found");
});

test("WebAssembly is started by its glue, and a failure of it is not remembered", async () => {
  const glue = `export const name = "glue";
    export default async ({ module_or_path }) => {
      globalThis.asked = [...(globalThis.asked ?? []), module_or_path];
      if (asked.length < 2) throw new Error("lost");
    };`;
  const wasm = address("glue_bg.wasm");
  const module = lazy(script("glue.mjs", glue), wasm);
  await assert.rejects(module.load(), /lost/);
  assert.equal((await module.load()).name, "glue");
  assert.deepEqual(/** @type {any} */ (globalThis).asked, [wasm, wasm]);
});

test("a forgotten module is fetched anew", async () => {
  const module = lazy(script("forgotten.mjs", "export const id = {};"));
  const { id } = await module.load();
  module.forget();
  assert.equal(module.value, null);
  assert.notEqual((await module.load()).id, id);
});

// @ts-check
// The bundle as it is shipped, in a program without a page: what it needs of one would fail here.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import hljs from "highlight.js/lib/core";
import { grammars } from "../grammars.js";
import { aliases, inside } from "../names.js";
import { scopes } from "../scopes.js";

const folder = mkdtempSync(join(tmpdir(), "assent-highlight-"));
const bundle = join(folder, "assent_highlight.mjs");
const root = new URL("../..", import.meta.url);
execFileSync("npm", ["run", "--silent", "build", "--", "highlight/index.js", `--outfile=${bundle}`], { cwd: root, stdio: "inherit" });
after(() => rmSync(folder, { recursive: true }));
const { highlight, languages } = await import(bundle);
const { now } = performance;
// Where a test does not say otherwise, no time passes: how fast the machine is decides nothing.
performance.now = () => 0;

/** The tokens of a code by their text. @param {string} code @param {string} language */
function found(code, language) {
  check(code, language);
  return highlight(code, language)?.map((/** @type {any} */ { start, end, scope }) => [code.slice(start, end), scope]);
}

/** @param {string} code @param {string} language */
function check(code, language) {
  let last = 0;
  for (const { start, end, scope } of highlight(code, language) ?? []) {
    assert.ok(last <= start && start < end && end <= code.length, `${language}: ${last} ${start} ${end} of ${code.length}`);
    assert.ok(scopes.includes(scope), scope);
    last = end;
  }
}

test("each token has one of the scopes that the style sheet knows", () => {
  assert.deepEqual(found('const a = 1; // one', "js"), [["const", "keyword"], ["1", "number"], ["// one", "comment"]]);
  assert.deepEqual(found('{"a": [true, "b"]}', "json"), [['"a"', "name"], ["true", "keyword"], ['"b"', "string"]]);
  assert.deepEqual(found("-a\n+b\n", "diff"), [["-a", "deleted"], ["+b", "inserted"]]);
  assert.deepEqual(found("def f(x):\n    return None\n", "python"), [["def", "keyword"], ["f", "name"], ["return", "keyword"], ["None", "keyword"]]);
});

test("the tokenizer finds tokens in every kind of language", () => {
  /** @type {Record<string, string>} */
  const samples = {
    tsx: "const A: string = <b>x</b>;", html: '<p class="x">&amp;</p>', css: "a { color: red }", scss: "$a: 1px;", markdown: "# Title", bash: "if true; then echo x; fi",
    rust: "fn main() { let x = 1; }", go: "func main() {}", java: "class A {}", kotlin: "fun main() {}", c: "int x = 1;", "c++": "int x = 1;", csharp: "var x = 1;",
    "c#": "var x = 1;", php: "<?php echo 1;", ruby: "def x; end", swift: "let x = 1", sql: "SELECT 1 FROM x", yaml: "a: 1", toml: "a = 1", ini: "a = 1",
    dockerfile: "FROM debian", lua: "local x = 1", r: "x <- TRUE", powershell: "if ($x) { 1 }", graphql: "query { a }", shell: "$ ls", makefile: "a: b\n\tc",
  };
  for (const [language, code] of Object.entries(samples)) assert.ok(found(code, language).length, language);
});

test("tokens of an embedded language have positions in the whole text", () => {
  const code = "<p>😀</p><script>const a = 1;</script>";
  assert.ok(found(code, "html").some(([text, scope]) => text === "const" && scope === "keyword"));
});

test("interpolated code inside a string literal is not coloured as a string", () => {
  assert.ok(found("`a${b}c`", "js").some(([text]) => text === "`a" || text === "`a${"));
  assert.ok(!found("`a${b}c`", "js").some(([text]) => text.includes("b")));
});

test("code in an unknown language and overlong code stay plain", () => {
  for (const language of ["", "none", "JS", "__proto__", "constructor", "toString"]) assert.deepEqual(highlight("const a = 1;", language), [], language);
  assert.deepEqual(highlight("const a = 1;\n".repeat(5_000), "js"), []);
  assert.deepEqual(highlight("const a = 1;".repeat(1_000), "js"), []);
  assert.deepEqual(highlight("a b\n".repeat(1_000), "csharp"), []);
  assert.deepEqual(highlight("", "js"), []);
});

test("a timeout is reported differently from code without tokens, and the next call finds the tokens", () => {
  const code = "const a = 1;\n".repeat(10);
  const still = performance.now;
  let time = 0;
  performance.now = () => (time += 50);
  try {
    assert.equal(highlight(code, "js"), null);
    assert.deepEqual(highlight("", "js"), []);
  } finally {
    performance.now = still;
  }
  assert.equal(highlight(code, "js").length, 20);
});

test("tokenizing hostile code terminates in every language", () => {
  performance.now = now;
  const units = ["(", "[", "{", "<", '"', "'", "`", "\\", "/*", "//", "<a ", "a.", "a(", "${", "#{", "=begin", "{{", "<?php ", "😀", "\u0000", "\u202e", "*[", "a b ", "0", "-", "_", "\t", "&", "@a", "<<<", "a: "];
  for (const language of Object.keys(grammars)) {
    for (const unit of units) {
      check(unit.repeat(990 / unit.length), language);
      check(`${unit.repeat(90 / unit.length)};\n`.repeat(50), language);
    }
  }
});

test("the lists of aliases and embedded languages match the grammars", () => {
  const all = hljs.newInstance();
  /** What stands inside, wherever a grammar says so. @param {any} mode @param {Set<any>} seen @returns {string[]} */
  const needed = (mode, seen) => {
    if (!mode || typeof mode !== "object" || seen.has(mode)) return [];
    seen.add(mode);
    const own = mode.subLanguage === undefined ? [] : [mode.subLanguage].flat();
    return [...own, ...Object.values(mode).flatMap((value) => needed(value, seen))];
  };
  for (const [name, grammar] of Object.entries(grammars)) {
    all.registerLanguage(name, grammar);
    const language = all.getLanguage(name);
    assert.deepEqual(language?.aliases ?? [], aliases[name] ?? [], name);
    const known = [...new Set(needed(language, new Set()))].filter((other) => other in grammars);
    assert.deepEqual(known, inside[name] ?? [], name);
  }
});

test("the renderer's list of languages matches the languages of this module", () => {
  const source = readFileSync(new URL("../crates/renderer/src/languages.rs", root), "utf8");
  const listed = [...source.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
  assert.deepEqual(listed, languages);
});

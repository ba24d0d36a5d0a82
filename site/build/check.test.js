// A site with a dead link or anchor is refused, and so is a table of contents without a page.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { deadLinks } from "./check.js";
import { linksOf, markdown, sectionsOf } from "./markdown.js";
import { missingFrom } from "./pages.js";
import { addressOf, pageOf, pathOf } from "./paths.js";

const folder = mkdtempSync(join(tmpdir(), "assent-site-"));
after(() => rmSync(folder, { recursive: true }));

test("dead links and anchors are found, and others are not", () => {
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "index.html"), '<a href="docs/a.html#one">a</a> <a href="https://other.example/">b</a> <a href="#top" id="top">c</a>');
  writeFileSync(join(folder, "docs/a.html"), '<h2 id="one"></h2> <a href="../index.html#two">a</a> <img src="b.png"> <a href="#three">c</a> <a href="../docs">d</a>');
  assert.deepEqual(deadLinks(folder), ["docs/a.html: ../index.html#two", "docs/a.html: b.png", "docs/a.html: #three", "docs/a.html: ../docs"]);
});

test("a page of docs/ that the contents do not have is named", () => {
  assert.deepEqual(missingFrom(["docs/A.md"], ["docs/A.md", "docs/B.md", "docs/notify/mail.py"]), ["docs/B.md"]);
});

test("links between files of the repository are the same links between their pages", () => {
  const links = [
    ["README.md", "docs/API.md", "docs/API.html"],
    ["docs/API.md", "../README.md", "../index.html"],
    ["docs/API.md", "../web/loader/assent.d.ts", "../web/loader/assent.d.ts.html"],
    ["docs/NOTIFY.md", "notify", "notify/index.html"],
    ["README.md", "docs/screenshot.png", "docs/screenshot.png"],
  ];
  for (const [source, address, expected] of links) assert.equal(addressOf(source, pathOf(source, address)), expected);
  assert.equal(pageOf("service/README.md"), "service/README.html");
  const page = markdown.render("[a](KEYS.md#tokens) [b](#c) [d](https://e.example)", { source: "docs/API.md" });
  assert.match(page, /href="KEYS.html#tokens".*href="#c".*href="https:\/\/e.example"/);
});

test("the search has each section with its heading, anchor and words, and tags are text", () => {
  const text = "# Title\n\nSome `code`.\n\n## A *second*\n\n| a | b |\n|---|---|\n| c | [d](e.md) |\n";
  const [first, second] = sectionsOf(text);
  assert.deepEqual([first.heading, first.anchor, first.text.trim()], ["Title", "title", "Some code."]);
  assert.deepEqual([second.heading, second.anchor], ["A second", "a-second"]);
  assert.match(second.text, /a +b +c +d/);
  assert.deepEqual(linksOf(text), ["e.md"]);
  assert.equal(markdown.render("a <br>\n\n<p>b</p>\n\n<!-- c -->\n", {}), "<p>a &lt;br&gt;</p>\n<p>&lt;p&gt;b&lt;/p&gt;\n</p>\n");
});

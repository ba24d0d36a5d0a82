// dist/ as an npm package: what `npm pack` takes, and whether Node, bundlers and TypeScript find their way in it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { checkPackage, Package } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { packInto } from "./pack.js";

const folder = mkdtempSync(join(tmpdir(), "assent-package-"));
after(() => rmSync(folder, { recursive: true }));
const { root, files } = packInto(folder);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("npm pack takes the files of the manifest and what says whose they are", () => {
  const { files: built } = JSON.parse(readFileSync(join(root, "manifest.json"), "utf8"));
  const others = ["LICENSE", "NOTICE", "README.md", "locales/en.json", "manifest.json", "package.json"];
  assert.deepEqual(files.sort(), [...built.map(({ file }) => file), ...others].sort());
});

test("publint finds nothing", async () => {
  const { messages } = await publint({ pkgDir: root, pack: false, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, manifest, { color: false })), []);
});

test("the types are right in every way of resolving modules that knows them", async () => {
  const { name, version } = manifest;
  const contents = files.map((file) => [`/node_modules/${name}/${file}`, readFileSync(join(root, file))]);
  const { problems } = await checkPackage(new Package(Object.fromEntries(contents), name, version));
  // `require` needs a version of Node that takes modules; nothing in a page does that.
  assert.deepEqual(problems.filter(({ kind }) => kind !== "CJSResolvesToESM"), []);
});

for (const [module, moduleResolution] of [["esnext", "bundler"], ["nodenext", "nodenext"]]) {
  test(`what a page writes in TypeScript compiles, and mistakes do not, ${moduleResolution}`, () => {
    // The extension says that it is a module.
    const source = join(folder, "types.mts");
    cpSync(fileURLToPath(new URL("types.ts", import.meta.url)), source);
    const compiler = createRequire(import.meta.url).resolve("typescript/bin/tsc");
    const options = Object.entries({ module, moduleResolution, target: "es2022", lib: "es2022,dom,dom.iterable" });
    const flags = options.flatMap(([name, value]) => [`--${name}`, value]);
    const { stdout, status } = spawnSync(process.execPath, [compiler, "--strict", "--noEmit", ...flags, source], { cwd: folder, encoding: "utf8" });
    assert.equal(stdout, "");
    assert.equal(status, 0);
  });
}

test("importing it where there is no page neither throws nor defines anything", async () => {
  const before = Object.keys(globalThis);
  const exported = await import(pathToFileURL(join(root, "assent.js")).href);
  assert.deepEqual(Object.keys(exported), []);
  assert.deepEqual(Object.keys(globalThis), before);
});

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
  const others = ["LICENSE", "NOTICE", "README.md", "locales/en.json", "manifest.json", "package.json", "sbom.cdx.json"];
  assert.deepEqual(files.sort(), [...built.map(({ file }) => file), ...others].sort());
});

test("the manifest names the revision and the tools that the files were made of", () => {
  const { version, source, tools } = JSON.parse(readFileSync(join(root, "manifest.json"), "utf8"));
  assert.equal(version, manifest.version);
  assert.match(source.revision, /^[0-9a-f]{40,64}$/);
  assert.equal(typeof source.clean, "boolean");
  assert.deepEqual(Object.keys(tools).sort(), ["binaryen", "esbuild", "rustc", "wasm-bindgen"]);
});

test("the bill of materials has what CycloneDX asks for, and each part of NOTICE that has a version", () => {
  const text = readFileSync(join(root, "sbom.cdx.json"), "utf8");
  const { bomFormat, specVersion, version, serialNumber, metadata, components, dependencies } = JSON.parse(text);
  assert.deepEqual([bomFormat, specVersion, version], ["CycloneDX", "1.6", 1]);
  // Neither a time nor a random number: equal builds have equal bytes.
  assert.deepEqual([serialNumber, metadata.timestamp], [undefined, undefined]);
  assert.equal(metadata.component.purl, `pkg:npm/${manifest.name}@${manifest.version}`);
  for (const part of [metadata.component, ...components]) {
    assert.equal(part.type, "library");
    assert.match(part.purl, /^pkg:(cargo|npm|generic)\/[^@]+@[^@]+$/);
    assert.equal(part["bom-ref"], part.purl);
    assert.match(part.licenses[0].expression, /^[\w.()+ -]+$/);
  }
  const references = components.map((part) => part["bom-ref"]);
  assert.equal(new Set(references).size, references.length);
  assert.deepEqual(dependencies, [{ ref: metadata.component["bom-ref"], dependsOn: references }]);
  const notice = readFileSync(join(root, "NOTICE"), "utf8");
  const named = [...notice.matchAll(/^([@\w./-]+ \d+\.\d+\.\d+\S*)$/gm)].map(([, name]) => name);
  const parts = components.filter(({ name }) => name !== "rust-std").map(({ name, version }) => `${name} ${version}`);
  assert.deepEqual([...new Set(parts)].sort(), [...new Set(named)].sort());
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

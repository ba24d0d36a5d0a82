// A new user's first minutes: a fresh clone, the commands of README.md as they are printed there, and a conversation on
// the page that comes up. The whole of it is `cargo xtask test`'s first step with a browser.

import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, Chat, test as base } from "../fixtures.js";
import { calls, says, ScriptedModel } from "../servers/model.js";
import { Port } from "../servers/port.js";
import { CLONE, clone, commandsOfReadme, Program, read, remove, restore, running, TARGET } from "./clone.js";

const UP = /Assent is running: (http:\/\/127\.0\.0\.1:\d+\/)/;
const KEY = "dev-key";

const test = base.extend({
  /** Starts programs that end with the test. */
  start: async ({}, use) => {
    const programs = [];
    await use((...line) => {
      const program = new Program(...line);
      programs.push(program);
      return program;
    });
    await Promise.all(programs.map((program) => program.interrupt("SIGTERM")));
  },
});

test.describe.configure({ mode: "serial" });
// What Trunk says to a page that it reloads, and what the page says where the server has gone.
test.use({ expectedConsole: /WebSocket|nothing is kept on this device|code has no colours|decisions are told in the chat alone/ });

let dev;

test.beforeAll(() => {
  clone();
  // The second command is the one that runs this test: continuous integration runs it as printed.
  const [first, second] = commandsOfReadme();
  dev = first;
  expect(read(".ci/run").trim().split("\n").at(-1)).toBe(second);
});

test.afterAll(remove);

/** Opens the chat of the demo page with the agent that plays scenes, also where an Ollama makes another one the first. */
async function open(page, address) {
  await page.goto(`${address}?agent=demo`);
  const chat = new Chat(page);
  await chat.button("Open chat").click();
  await expect(chat.input).toBeVisible();
  return chat;
}

/** Finds the files below a folder that hold this text, packages of npm aside. */
const filesWith = (text) => (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));

/** What the demo agent can do, and an action of three tools that is approved. */
async function converse(chat) {
  await chat.ask("help");
  await expect(chat.lastMessage).toContainText("approve three");
  await chat.say("approve three");
  await chat.waitsForDecision();
  await chat.approveAll();
  await chat.submit();
  await expect(chat.lastMessage).toContainText("All three are done");
}

test("the first command of the README brings up a page on which an agent answers and asks", async ({ page, start }) => {
  const program = start(dev);
  const [, address] = await program.says(UP);
  const chat = await open(page, address);
  await converse(chat);

  // Trunk tells the page to load itself anew.
  const reloaded = page.waitForEvent("load");
  appendFileSync(join(CLONE, "style/composer.css"), "\n.composer { outline: 1px solid rgb(1, 2, 3); }\n");
  await reloaded;
  await chat.button("Open chat").click();
  await expect(chat.element.locator(".composer")).toHaveCSS("outline-color", "rgb(1, 2, 3)");

  await page.goto("about:blank");
  expect(await program.interrupt()).toBe(0);
  await expect(fetch(address)).rejects.toThrow();
  expect(running()).toEqual([]);
});

test("with a model the page offers an agent that knows the documents, and writes a file once it is allowed to", async ({ page, start }) => {
  const path = join(CLONE, "target/dev/files/packing.md");
  const model = await ScriptedModel.start([
    calls("assent__search_knowledge", { query: "speculation rules" }),
    calls("files__write_file", { path, content: "Earplugs\n" }),
    says("It is written."),
  ]);
  const variables = { ASSENT_MODEL_URL: model.url, ASSENT_MODEL: "scripted", ASSENT_MODEL_KEY: "canary-of-the-model" };
  const program = start(dev, variables);
  const [, address] = await program.says(UP);
  await page.goto(address);
  await expect(page.getByLabel("Who answers")).toHaveValue("desk");
  await expect(page.locator("#who")).toContainText(`the model answers from ${model.url}`);
  const chat = new Chat(page);
  await chat.button("Open chat").click();
  await chat.say("Write a packing list.");
  await chat.waitsForDecision();
  // It was given what it searched for, as the repository has it.
  const [sentence] = /(?<= )[^.]*speculation rules[^.]*\./.exec(read("docs/ANSWERS.md")) ?? [];
  expect(model.requests[1].body).toContain(sentence);
  await expect(chat.tool("write_file")).toContainText("Earplugs");
  expect(existsSync(path)).toBe(false);
  await chat.approveAll();
  await chat.submit();
  await expect(chat.lastMessage).toContainText("It is written.");
  expect(readFileSync(path, "utf8")).toBe("Earplugs\n");

  // The turn takes three requests, and a title of the conversation may be asked for by now.
  expect(model.requests.length).toBeGreaterThan(2);
  expect(new Set(model.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${variables.ASSENT_MODEL_KEY}`]));
  expect(program.output).not.toContain(variables.ASSENT_MODEL_KEY);
  expect(running().join("\n")).toContain("server-filesystem");
  expect(running().join("\n")).not.toContain(variables.ASSENT_MODEL_KEY);
  const written = ["target/dev", "dist-dev"].map((folder) => join(CLONE, folder));
  expect(written.flatMap(filesWith(variables.ASSENT_MODEL_KEY))).toEqual([]);
  await page.goto("about:blank");
  expect(await program.interrupt()).toBe(0);
  await model.stop();
  expect(running()).toEqual([]);
});

test("a page that cannot be built ends the command with a sentence", async ({ start }) => {
  const source = read("crates/math/src/lib.rs");
  writeFileSync(join(CLONE, "crates/math/src/lib.rs"), `${source}\nfn broken( {}\n`);
  const program = start(dev);
  expect(await program.ended).toBe(1);
  expect(program.output).toContain("the page could not be built");
  writeFileSync(join(CLONE, "crates/math/src/lib.rs"), source);
  expect(running()).toEqual([]);
});

test("taken ports and a database of another version are said, and the page comes up", async ({ page, start }) => {
  const database = join(CLONE, "target/dev/assent.sqlite");
  expect(readFileSync(database).length).toBeGreaterThan(0);
  writeFileSync(database, "This is no database.");
  const others = [8080, 8787].map((port) => createServer((_, response) => response.end("Somebody else.")).listen(port, "127.0.0.1"));
  // Somebody else may listen there already, which is as good.
  for (const other of others) other.on("error", () => {});
  const program = start(dev);
  const [, address] = await program.says(UP);
  expect(address).not.toContain(":8080/");
  expect(program.output).toContain("Port 8080 is taken");
  expect(program.output).toContain("Port 8787 is taken");
  expect(program.output).toContain("could not be opened");
  const chat = await open(page, address);
  await chat.ask("help");
  await page.goto("about:blank");
  expect(await program.interrupt()).toBe(0);
  for (const other of others) other.close();
  expect(running()).toEqual([]);
});

test("`trunk serve` alone builds the page beside a running service, without npm", async ({ page, start, console: said }) => {
  restore();
  const ports = [await Port.claim(), await Port.claim()];
  const [pagePort, servicePort] = ports.map(({ number }) => number);
  // The usual ports may be taken on the machine that tests.
  writeFileSync(join(CLONE, "Trunk.toml"), read("Trunk.toml").replace("127.0.0.1:8787", `127.0.0.1:${servicePort}`));
  execFileSync("cargo", ["build", "--quiet", "-p", "assent-service"], { cwd: CLONE, env: { ...process.env, CARGO_TARGET_DIR: TARGET } });
  const service = start(`${TARGET}/debug/assent-service --listen 127.0.0.1:${servicePort} --api-key ${KEY} --database target/assent.sqlite`);
  await service.says(/listening on/);
  // An npm that is called leaves a note.
  const tools = join(CLONE, "target/tools");
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, "npm"), `#!/bin/sh\ntouch "${tools}/called"\nexit 1\n`, { mode: 0o755 });
  const trunk = start("trunk serve", { PATH: `${tools}:${process.env.PATH}`, TRUNK_SERVE_PORT: String(pagePort), TRUNK_OFFLINE: "true" });
  await trunk.says(/server listening at/);
  const address = `http://127.0.0.1:${pagePort}/`;
  // It says so a moment before it does.
  await expect.poll(() => fetch(address).then(({ ok }) => ok, () => false)).toBe(true);
  const chat = await open(page, address);
  await converse(chat);
  await chat.ask("markdown");
  await chat.lastMessage.locator("pre").first().scrollIntoViewIfNeeded();
  await expect.poll(() => said.filter((text) => text.startsWith("info:")).join("\n")).toMatch(/nothing is kept on this device[\s\S]*code has no colours/);
  expect(existsSync(join(tools, "called"))).toBe(false);
  await page.goto("about:blank");
  await trunk.interrupt();
  expect(await service.interrupt()).toBe(0);
  for (const port of ports) port.release();
  expect(running()).toEqual([]);
});

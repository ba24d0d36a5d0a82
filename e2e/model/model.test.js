// A real model, the real service, a real files server and the widget. What the model says is not looked at: only that a call
// of it waits for a click, and does then what was shown, and that its words are seen while they come.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, leave, Service, test as base } from "../fixtures.js";
import { Desk } from "../servers/desk.js";

const ONE_TOOL = fileURLToPath(new URL("one_tool.js", import.meta.url));

const test = base.extend({
  /** Starts a desk whose model is offered tools in this way, and no tools at all by "none". */
  start: async ({ context }, use) => {
    const url = process.env.ASSENT_MODEL_URL;
    if (!url) throw new Error("Run this as `cargo xtask test --model`, which starts a model.");
    let desk;
    await use(async (tools) => {
      const model = `base_url = "${url}"\nname = "SmolLM2"\ntools = "${tools}"\noutput_tokens = 200\ncontext_tokens = 8192`;
      desk = await Desk.start({ model, through: tools === "none" ? null : [ONE_TOOL] });
      return desk;
    });
    await leave(context);
    await desk?.stop();
  },
});

test("a call of a real model writes a file once a click allows it", async ({ chat, start, user }) => {
  const { origin, files } = await start("schema");
  await chat.inline({ "base-url": origin, "agent-id": "desk" });
  await chat.say('Write the text "earplugs" into the file packing.md');
  await chat.waitsForDecision();
  const service = new Service(user, origin);
  const [thread] = await service.threads("desk");
  const stored = (await service.messages(thread.id)).flatMap((message) => message.toolExecutionHumanApprovalRequest ?? []);
  const { path, content } = stored[0].toolArguments;
  await expect(chat.tool("write_file")).toContainText(path);
  expect(readdirSync(files)).toEqual([]);
  await chat.approveAll();
  await chat.submit();
  await expect.poll(() => readdirSync(files).length).toBe(1);
  expect(readFileSync(join(files, readdirSync(files)[0]), "utf8")).toBe(content);
});

/** Notes each text that an answer has while it streams, from now on. */
const watchAnswer = (chat) =>
  chat.element.evaluate(({ shadowRoot }) => {
    globalThis.steps = [];
    const look = () => {
      const text = shadowRoot.querySelector('[data-role="assistant"][data-state="streaming"] .answer')?.textContent;
      if (text && text !== globalThis.steps.at(-1)) globalThis.steps.push(text);
    };
    new MutationObserver(look).observe(shadowRoot, { subtree: true, childList: true, characterData: true });
  });

test("the answer of a real model grows in the widget before it is complete", async ({ chat, start }) => {
  const { origin } = await start("none");
  await chat.inline({ "base-url": origin, "agent-id": "desk" });
  await watchAnswer(chat);
  await chat.ask("Tell me about the sea.");
  const lengths = await chat.page.evaluate(() => globalThis.steps.map(({ length }) => length));
  const grown = lengths.filter((length, place) => place > 0 && length > lengths[place - 1]);
  expect(grown.length).toBeGreaterThan(1);
});

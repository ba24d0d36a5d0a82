// A desk for each test: a real service whose agent has a scripted model and a real files server.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, leave, test as base } from "../../fixtures.js";
import { Desk } from "../../servers/desk.js";
import { callsAll, says, ScriptedModel } from "../../servers/model.js";

export const test = base.extend({
  /** The table `[policy]` of the agent. */
  policy: ["", { option: true }],
  /** Starts a desk whose model answers with these replies. */
  open: async ({ context, policy }, use) => {
    const started = [];
    await use(async (...replies) => {
      const model = await ScriptedModel.start(replies);
      started.push(model);
      const desk = await Desk.start({ model: `base_url = "${model.url}"\nname = "small"`, policy });
      started.unshift(desk);
      return { desk, model };
    });
    await leave(context);
    for (const server of started) await server.stop();
  },
});

export const write = (desk, name) => ["files__write_file", { path: join(desk.files, name), content: `I am ${name}.` }];
export const at = (desk) => ({ "base-url": desk.origin, "agent-id": "desk" });
/** A reply that names the folder of the desk, which is known once that has started. */
export async function* later(reply) {
  yield* reply();
}
/** A chat whose agent asks whether it may write the file "a", and writes it when it may. */
export async function asked(chat, open) {
  const replies = [];
  const { desk } = await open(later(() => replies[0]), says("Written."));
  replies.push(callsAll(write(desk, "a")));
  await chat.inline(at(desk));
  await chat.asksApproval("Write a file");
  await chat.waitsForDecision();
  return desk;
}
export const written = (desk, ...names) => names.map((name) => existsSync(join(desk.files, name)));

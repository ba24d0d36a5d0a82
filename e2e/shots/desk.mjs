// The demo with a real agent: a real files server, and a model that says what is written here.

import { createServer } from "node:http";
import { Chat, expect } from "../fixtures.js";
import { demo } from "../servers/demo.js";
import { Desk } from "../servers/desk.js";
import { calls, says, ScriptedModel } from "../servers/model.js";

const LIST = "# For the night train\n\n- earplugs and a sleep mask\n- a mug for the tea at six\n- slippers, and the ticket\n";
const AGENTS = {
  agents: [
    {
      id: "desk",
      name: "Larkspur desk, with qwen3:8b",
      about: "A real agent: the model answers from http://127.0.0.1:11434/v1. It reads and writes the files in target/dev/files, and asks you before it changes one.",
    },
    { id: "demo", name: "Demo agent, without a model", about: "It plays scenes that show everything the chat can do, and nothing acts." },
  ],
  note: "",
};

/** Opens the demo, does this, and returns what ends the servers. */
const desk = (then) => async ({ page }) => {
  const model = await ScriptedModel.start([
    calls("files__write_file", { path: "packing.md", content: LIST }),
    says("Done: `packing.md` has **three lines**. Shall I add something for the walk?"),
  ]);
  const service = await Desk.start({ model: `base_url = "${model.url}"\nname = "scripted"` });
  const server = createServer(demo({ service: service.origin, agents: AGENTS })).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const end = async () => {
    server.close();
    server.closeAllConnections();
    await service.stop();
    await model.stop();
  };
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await expect(page.getByLabel("Who answers")).toBeVisible();
    await then(new Chat(page));
  } catch (error) {
    // A service that still runs would keep this program from ending.
    await end();
    throw error;
  }
  return async () => {
    await page.close();
    await end();
  };
};

const asks = async (chat) => {
  await chat.button("Open chat").click();
  await chat.say("Write a packing list for the night train into packing.md");
  await chat.waitsForDecision();
  await expect(chat.tool("write_file")).toContainText("earplugs");
};

const writes = async (chat) => {
  await asks(chat);
  await chat.approveAll();
  await chat.submit();
  await expect(chat.lastMessage).toContainText("three lines");
  await chat.isAnswered();
};

export const DESK = {
  "desk-offered": desk(() => {}),
  "desk-asks": desk(asks),
  "desk-wrote": desk(writes),
};

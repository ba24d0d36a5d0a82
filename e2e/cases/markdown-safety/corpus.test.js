// Every hostile input, on a page with a strict policy and Trusted Types: stored ones and streamed ones.

import { expect, test } from "../../fixtures.js";
import { deeds, expectUsable, GROUPS, hostile, strangers, watch } from "./hostile.js";

/** The most inputs, and the most characters, of one conversation, and of one repetition. */
const MOST = { inputs: 100, characters: 200_000, repeated: 12_000 };
/** A last answer, which is a heading once all answers are drawn as Markdown. */
const END = "# That was all";

/** Cuts a group into conversations. */
function conversations(cases) {
  const all = [];
  let size = Infinity;
  for (const one of cases) {
    if (size + one.text.length > MOST.characters || all.at(-1).length === MOST.inputs) {
      all.push([]);
      size = 0;
    }
    all.at(-1).push(one);
    size += one.text.length;
  }
  return all;
}

/** A conversation opens with its last messages. */
async function showAll(chat) {
  const more = chat.role("button", { name: "Show earlier messages" });
  await expect
    .poll(
      async () => {
        await more.evaluateAll((buttons) => buttons.forEach((button) => button.click()));
        return more.count();
      },
      { intervals: [50] },
    )
    .toBe(0);
}

/** Shows these texts as stored answers, and looks for what must not be there. */
async function show(page, chat, scripted, texts) {
  const events = await watch(page);
  const thread = scripted.addThread("Hostile");
  for (const text of [...texts, END]) scripted.store(thread.id, "assistant", text, { handle: "Scripted" });
  await chat.inline({ "base-url": scripted.origin, "thread-id": thread.id });
  await expect(chat.lastMessage.getByRole("heading", { name: "That was all" })).toBeVisible({ timeout: 30_000 });
  await showAll(chat);
  // A message of nothing but spaces is not shown.
  await expect(chat.messages).toHaveCount(texts.filter((text) => text.trim()).length + 1);
  expect(await strangers(page, texts)).toEqual([]);
  await expectUsable(chat);
  expect(deeds(events, scripted.origin)).toEqual([]);
}

for (const group of GROUPS) {
  // Where an address leads is what the engine makes of it; nothing else here is its own.
  const engine = group === "links" ? "@firefox" : [];
  conversations(hostile(group, MOST.repeated)).forEach((cases, number) => {
    // The tests of the parser read all of them in each run.
    const tag = number > 1 ? "@long" : engine;
    test(`stored answers, ${group} ${number + 1}`, { tag }, ({ page, chat, scripted }) => show(page, chat, scripted, cases.map(({ text }) => text)));
  });
}

// The long ones are by themselves.
for (const [what, groups] of [["of all kinds", GROUPS.filter((group) => group !== "shapes")], ["of long shapes", ["shapes"]]]) {
  test(`streamed answers ${what}`, { tag: groups.includes("shapes") ? "@long" : [] }, async ({ page, chat, scripted }) => {
    test.slow();
    const events = await watch(page);
    // A few of each group, and of each those that show themselves while they are not whole.
    const some = groups.flatMap((group) => hostile(group, MOST.repeated).filter((_, place) => place % 9 === 0));
    await chat.inline({ "base-url": scripted.origin });
    for (const { text } of some) {
      const post = await chat.post(scripted, "Go on.");
      const characters = [...text];
      const length = Math.ceil(characters.length / 60);
      for (let at = 0; at < characters.length; at += length) post.say(characters.slice(at, at + length).join(""));
      await expect(chat.lastMessage).toHaveAttribute("data-state", "streaming");
      expect(await strangers(page, [text])).toEqual([]);
      post.complete(text);
      await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
      expect(await strangers(page, [text])).toEqual([]);
      await expect(chat.stop).toHaveCount(0);
    }
    await expectUsable(chat);
    expect(deeds(events, scripted.origin)).toEqual([]);
  });
}

for (const name of ["opening brackets", "backticks", "pipes", "quotes in quotes", "very long word"]) {
  const { text } = [...hostile("shapes"), ...hostile("characters")].find((one) => one.name.endsWith(`: ${name}`));
  test(`whole lengths: ${name}`, { tag: name === "pipes" ? [] : "@long" }, ({ page, chat, scripted }) => show(page, chat, scripted, [text]));
}

// The service does not take an answer: the reason stands where it belongs, and nothing chosen is lost.

import { json } from "../../servers/scripted.js";
import { expect, test } from "../../fixtures.js";
import { asked, tool } from "./tools.js";

test.use({ expectedConsole: /Failed to load resource/ });

/** A chat that has approved `one` and denied `two`, at a service that answers the answer with this. */
async function refusedWith(chat, scripted, refuse) {
  const more = await asked(chat, scripted, [tool("b", "one"), tool("b", "two")]);
  await chat.decide("one", "Approve");
  await chat.decide("two", "Deny");
  scripted.on.post = refuse;
  await chat.submit();
  return more;
}

/** The decisions are still there, and can be sent once the service takes them. */
async function expectToGoOn(chat, scripted, posts = 2) {
  await expectKept(chat, scripted, posts);
  scripted.on = {};
  await chat.submit();
  const answer = await scripted.nextPost();
  expect(answer.content[0].toolApprovalResult.map((result) => result.approvalResult)).toEqual(["APPROVED", "DENIED"]);
  answer.answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.approval.getByRole("alert")).toHaveCount(0);
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(scripted.to("post")).toHaveLength(posts + 1);
}

async function expectKept(chat, scripted, posts) {
  await expect(chat.tool("one").getByRole("radio", { name: "Approve" })).toBeChecked();
  await expect(chat.tool("two").getByRole("radio", { name: "Deny" })).toBeChecked();
  expect(scripted.to("post")).toHaveLength(posts);
}

test("what is wrong with one tool is said at that tool", async ({ chat, scripted }) => {
  await refusedWith(chat, scripted, (_, response) =>
    json(response, 400, {
      error: "Invalid tool approval result",
      message: "The decisions could not be read.",
      details: {
        batchId: "b",
        issues: [
          { toolExecutionId: "execution-two", error: "This tool was changed meanwhile." },
          { toolExecutionId: "execution-nine", error: "Nobody asked about this." },
        ],
      },
    }),
  );
  await expect(chat.approval).toHaveAttribute("data-state", "failed");
  await expect(chat.tool("two").getByRole("alert")).toHaveText("This tool was changed meanwhile.");
  await expect(chat.tool("one").getByRole("alert")).toHaveCount(0);
  await expect(chat.approval.getByRole("alert").filter({ hasText: "The decisions could not be read." })).toContainText("Nobody asked about this.");
  await expect(chat.approval.getByText("This tool was changed meanwhile.")).toHaveCount(1);
  await expectToGoOn(chat, scripted);
});

test("states in conflict are named", async ({ chat, scripted }) => {
  await refusedWith(chat, scripted, (_, response) =>
    json(response, 400, { error: "Conflicting approval states", batchId: "b", conflictingStates: ["APPROVED", "ABORTED_WITH_FEEDBACK"] }),
  );
  await expect(chat.approval).toHaveAttribute("data-state", "failed");
  await expect(chat.approval).toContainText("These decisions do not go together: Approved, Stopped.");
  await expectToGoOn(chat, scripted);
});

test("states that are invalid are named with their tools", async ({ chat, scripted }) => {
  const invalidStates = [
    { toolExecutionId: "execution-one", state: "APPROVED" },
    { toolExecutionId: "execution-two", state: "ABORTED_WITH_FEEDBACK" },
  ];
  await refusedWith(chat, scripted, (_, response) => json(response, 400, { error: "Conflicting approval states", batchId: "b", invalidStates }));
  await expect(chat.approval).toContainText("These decisions do not go together: one: Approved, two: Stopped.");
  await expectToGoOn(chat, scripted);
});

const SENTENCES = [
  [401, { message: "No." }, /sign-in/],
  [403, {}, /You are not allowed to do this/],
  [429, {}, /too many requests/],
  [400, {}, /The service did not accept this/],
];

test("an answer to which the service says 401, 403, 429, or 400 without a word, is kept", async ({ chat, scripted }) => {
  const refuse = ([status, body]) => (_, response) => json(response, status, body);
  await refusedWith(chat, scripted, refuse(SENTENCES[0]));
  for (const [place, row] of SENTENCES.entries()) {
    if (place > 0) {
      scripted.on.post = refuse(row);
      await chat.submit();
    }
    await expect(chat.approval.getByRole("alert")).toContainText(row[2]);
    await expect(chat.approval).toHaveAttribute("data-state", "failed");
    await expectKept(chat, scripted, place + 2);
  }
  await expectToGoOn(chat, scripted, SENTENCES.length + 1);
});

test("the words of a refused stop stay in their box", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await chat.button("Stop and give feedback").click();
  await chat.role("textbox", { name: "Feedback" }).fill("Ask Ada first");
  scripted.on.post = (_, response) => json(response, 400, { message: "Not now." });
  await chat.button("Stop these actions").click();
  await expect(chat.approval).toHaveAttribute("data-state", "failed");
  await expect(chat.approval.getByRole("alert")).toContainText("Not now.");
  await expect(chat.role("textbox", { name: "Feedback" })).toHaveValue("Ask Ada first");
  await expect(chat.own).toHaveCount(1);
  scripted.on = {};
  await chat.button("Stop these actions").click();
  const answer = await scripted.nextPost();
  expect(answer.text).toBe("Ask Ada first");
  answer.answer("Fine.");
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.own.last()).toContainText("Ask Ada first");
});

test("an answer that came too late reads the thread again, and says what became of it", async ({ chat, scripted }) => {
  const { decide } = await asked(chat, scripted, [tool("b", "one"), tool("b", "two")]);
  await chat.decide("one", "Approve");
  await chat.decide("two", "Approve");
  decide("DENIED", "APPROVED");
  scripted.on.post = (_, response) => json(response, 400, { message: "This request was already answered." });
  await chat.submit();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("one")).toContainText("Denied");
  await expect(chat.tool("two")).toContainText("Approved");
  await expect(chat.approval).toContainText("This was decided somewhere else; what was chosen here was not used.");
  expect(scripted.to("post")).toHaveLength(2);
  scripted.on = {};
  await chat.say("and now?");
  (await scripted.nextPost()).answer("Now we go on.");
  await expect(chat.lastMessage).toContainText("Now we go on.");
});

test("an answer in a conversation that is gone posts nothing more", async ({ chat, scripted }) => {
  const { thread } = await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Approve");
  const gone = (_, response) => json(response, 404, { message: "There is no such conversation." });
  Object.assign(scripted.on, { post: gone, messages: gone });
  await chat.submit();
  await expect(chat.approval).not.toHaveAttribute("data-state", "submitting");
  await expect.poll(() => scripted.to("messages").filter(({ id }) => id === thread).length).toBeGreaterThan(0);
  expect(scripted.to("post")).toHaveLength(2);
});

// Whatever changes its height above what is being read, the line that is read stays where it is.

import { request, storeRequest, tool } from "../../servers/approvals.js";
import { Random } from "../../chaos/random.js";
import { expect, test, titleOf } from "../../fixtures.js";

const WIDTHS = [360, 768, 1200];
/** Of which every run has the first. */
const SEEDS = [1, 2, 3, 4];
const CHANGES = 12;
const HEIGHT = 700;
/** How far below the upper edge of the area a message is that is kept at the top. */
const TOP = 20;

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const RICH = [
  "The lamp came broken; this is what is known about it.",
  "![The lamp](https://images.example.org/lamp.png)",
  "$$\\frac{a}{\\sqrt{b}} = \\sum_{n=1}^{10} n^2$$",
  `\`\`\`js\nconst order = { number: 4711, state: "broken", text: "${"A long line of code that has to be wrapped. ".repeat(6)}" };\n\`\`\``,
  "| part | state |\n|---|---|\n| shade | broken |\n| foot | whole |",
].join("\n\n");
const TOOLS = ["refund_payment", "send_email", "delete_file"].map((name) =>
  tool("b", name, { toolArguments: { order: "4711", reason: "The lamp came broken, and the customer wants the money back. ".repeat(2) } }));

test.use({ expectedConsole: /^request: https:\/\/images\.example\.org\// });

/** How far an element is below the upper edge of the area, in whole pixels, as the position of the area is. */
const below = (node) => node.evaluate((node) => Math.round(node.getBoundingClientRect().top - node.closest("[part=transcript]").getBoundingClientRect().top));

/** Waits until what has changed is drawn, and what follows from it. */
const drawn = (page) => page.evaluate(async () => {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
});

/** A conversation with steps, a rich answer and a request for three tools. */
async function asked(page, chat, scripted) {
  await page.context().route(/^https:/, (route) => route.fulfill({ contentType: "image/png", body: PIXEL }));
  await chat.inline({ "base-url": scripted.origin, csp: "off" });
  const first = await chat.post(scripted, "What about the lamp?");
  first.send("NOTIFICATION_AGENT_THINKING_STARTED", "Thinking about it");
  first.send("NOTIFICATION_AGENT_THINKING_COMPLETE", "Thought about it");
  first.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Searching the handbook");
  first.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_COMPLETED", "Searched the handbook");
  first.complete(RICH);
  await chat.isAnswered();
  await chat.isDrawn();
  const second = await chat.post(scripted, "Settle it");
  storeRequest(scripted, second.thread, TOOLS);
  request(second, ...TOOLS);
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await expect(chat.stop).toHaveCount(0);
}

/** Submits the decisions; returns the post, of which the answer has begun and is at the top. */
async function decided(chat, scripted) {
  await chat.approveAll();
  await chat.submit();
  const post = await scripted.nextPost();
  post.send("CONNECTION_ESTABLISHED");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "streaming");
  await expect.poll(() => below(chat.lastMessage)).toBe(TOP);
  return post;
}

/** The service has the decisions: the card folds. */
async function taken(chat, post) {
  post.send("MESSAGE_RECEIVED");
  for (const { toolName } of TOOLS) post.send("NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED", toolName);
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
}

for (const width of WIDTHS) {
  test(`the answer to a decision stays at the top while the card above it folds, at ${width} pixels`, { tag: "@firefox" }, async ({ page, chat, scripted }) => {
    await page.setViewportSize({ width, height: HEIGHT });
    await asked(page, chat, scripted);
    const card = await chat.approval.boundingBox();
    const post = await decided(chat, scripted);
    await taken(chat, post);
    await drawn(page);
    expect((await chat.approval.boundingBox()).height).toBeLessThan(card.height);
    expect(await below(chat.lastMessage)).toBe(TOP);
    post.say("All three are done.");
    await expect(chat.lastMessage).toContainText("All three are done.");
    expect(await below(chat.lastMessage)).toBe(TOP);
    post.end();
  });
}

/** Presses what is above, wherever it is, as its own script would. */
const press = (node) => node.first().evaluate((node) => node.click());

/** What may change above, by name: each returns false where there is nothing of it. */
const CHANGE = {
  activity: ({ chat }) => press(chat.part("activity").first().getByRole("button")),
  picture: async ({ chat }) => {
    const load = chat.button("Load image");
    if (!(await load.count())) return;
    await press(load);
    await expect(load).toHaveCount(0);
  },
  lines: ({ chat }) => press(chat.button("Wrap lines")),
  arguments: ({ chat, random }) => press(chat.button(`Arguments of ${titleOf(random.pick(TOOLS).toolName)}`)),
  answer: ({ post, random }) => post.say(`One line more, ${random.below(1000)}.\n\n`),
  width: async ({ page, random, width }) => page.setViewportSize({ width: width - random.below(30), height: HEIGHT }),
  height: async ({ page, random, width }) => page.setViewportSize({ width, height: HEIGHT - random.below(200) }),
  /** What has no control: colours of code, fonts, a note that goes. */
  other: ({ chat, random }) => chat.messages.nth(random.below(3)).evaluate((node, height) => {
    node.style.paddingBlockEnd = `${height}px`;
  }, random.below(120)),
};

for (const width of WIDTHS) {
  for (const seed of SEEDS) {
    test(`what is at the top stays there, whatever changes above, at ${width} pixels, seed ${seed}`, { tag: seed === SEEDS[0] ? "@firefox" : "@long" }, async ({ page, chat, scripted }) => {
      await page.setViewportSize({ width, height: HEIGHT });
      await asked(page, chat, scripted);
      const post = await decided(chat, scripted);
      await taken(chat, post);
      const random = new Random(`above ${width} ${seed}`);
      for (let number = 1; number <= CHANGES; number += 1) {
        const name = random.pick(Object.keys(CHANGE));
        await CHANGE[name]({ page, chat, post, random, width });
        await drawn(page);
        expect(await below(chat.lastMessage), `${number}. ${name}`).toBe(TOP);
      }
      post.end();
    });
  }
}

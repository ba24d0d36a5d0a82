// The first page of the demo says who answers and lets one choose, with the keyboard alone, too.

import { bringAxe, violations } from "../a11y/axe.js";
import { Chat } from "../../fixtures.js";
import { expect, test, widths } from "./demo.js";

const REAL = { id: "echo", name: "Larkspur desk, with a-model-with-quite-a-long-name:8b-instruct-q4_K_M", about: "A real agent: the model answers from http://127.0.0.1:11434/v1. It reads and writes the files in /srv/a-long/path-without/any-space-in-it/target/dev/files, and asks you before it changes one." };
const DEMO = { id: "demo", name: "Demo agent, without a model", about: "It plays scenes." };

test("without a model the page says in a line how to get one, and the demo agent answers", async ({ page, serveDemo }) => {
  await page.goto(await serveDemo());
  await expect(page.getByLabel("Who answers")).toHaveValue("demo");
  await expect(page.locator("#who")).toContainText("start Ollama, or set ASSENT_MODEL_URL and ASSENT_MODEL");
  const chat = new Chat(page);
  await chat.button("Open chat").click();
  await chat.ask("help");
  await expect(chat.lastMessage).toContainText("approve three");
});

test("who is chosen answers, and the address keeps the choice", async ({ page, serveDemo }) => {
  const agents = { agents: [REAL, DEMO], note: "" };
  await page.goto(await serveDemo({ agents }));
  const choice = page.getByLabel("Who answers");
  await expect(choice).toHaveValue(REAL.id);
  await expect(choice).toHaveAccessibleDescription(REAL.about);
  await choice.focus();
  await page.keyboard.press("ArrowDown");
  await expect(choice).toHaveValue("demo");
  await expect(choice).toHaveAccessibleDescription(DEMO.about);
  await page.reload();
  await expect(choice).toHaveValue("demo");
  await choice.selectOption(REAL.id);
  const chat = new Chat(page);
  await chat.button("Open chat").click();
  await chat.ask("Are you there?");
  await expect(chat.lastMessage).toContainText("Are you there?");
});

test("the first page suggests what the chosen agent can do, and one press does it", { tag: "@long" }, async ({ page, serveDemo }) => {
  await page.goto(await serveDemo({ agents: { agents: [DEMO, REAL], note: "" } }));
  const chat = new Chat(page);
  await chat.button("Open chat").click();
  const suggestions = chat.role("list", { name: "Suggestions" }).getByRole("button");
  await expect(suggestions).toHaveText(["What can you do?", "Approve three tools", "Look up the delivery times"]);
  await page.getByLabel("Who answers").selectOption(REAL.id);
  await expect(suggestions).toHaveCount(0);
  await page.getByLabel("Who answers").selectOption(DEMO.id);
  await chat.button("Approve three tools").click();
  await expect(chat.approval).toBeVisible();
});

test("the choice is accessible and fits the page, light and wide, and dark and narrow", { tag: "@long" }, async ({ page, serveDemo }) => {
  await bringAxe(page);
  await page.goto(await serveDemo({ agents: { agents: [REAL, DEMO], note: "A note." } }));
  await expect(page.locator("#who")).toBeVisible();
  for (const [colorScheme, width] of [["light", 1200], ["dark", 360], ["light", 320]]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const [wide, own] = await widths(page);
    expect(wide, `${width}`).toBe(own);
    expect.soft(await violations(page), `${colorScheme} ${width}`).toEqual([]);
  }
});

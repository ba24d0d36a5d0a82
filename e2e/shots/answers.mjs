// The states of an answer with everything in it.

import { answer, RICH, stored } from "../cases/answers/rich.js";
import { expect } from "../fixtures.js";
import { streaming } from "./stage.mjs";

/** What is seen of the transcript begins at this block of the last answer. */
const showFrom = async (chat, text) => {
  const block = answer(chat).getByText(text, { exact: true }).first();
  await block.evaluate((element) => {
    const area = element.closest("[part~=transcript]");
    area.scrollTop += element.getBoundingClientRect().top - area.getBoundingClientRect().top - 12;
  });
};

/** An answer that has come as far as this text. */
const until = (end, seen) => async (stage) => {
  const post = await streaming(stage, "What about the islands?");
  post.say(RICH.slice(0, RICH.indexOf(end) + end.length));
  await expect(answer(stage.chat)).toContainText(seen);
  await stage.chat.transcript.evaluate((area) => (area.scrollTop = area.scrollHeight));
};

/** A finished answer from this heading on. */
const from = (heading, more = async (_) => {}) => async (stage) => {
  await stored(stage.chat, stage.scripted, [RICH]);
  await expect(answer(stage.chat).getByRole("note")).toHaveCount(2);
  await showFrom(stage.chat, heading);
  await more(stage);
};

/** Each state by name: how to get there from a new page. */
export const ANSWERS = {
  "answer-streaming-text": until("**cheaper and gre", "cheaper and gre"),
  "answer-streaming-list": until("not in the week of", "not in the week of"),
  "answer-streaming-table": until("| Ferry | 5–9 | 4.90", "4.90"),
  "answer-streaming-code": until("Route::Ferry if mass", "Route::Ferry if mass"),
  "answer-streaming-link": until("[Terms of the har", "Terms of the har"),
  "answer-text": from("Moving the island deliveries"),
  "answer-table": from("What it costs", ({ chat }) => expect(answer(chat).locator("math[display=block]")).toBeVisible()),
  "answer-code": from("The code", ({ page }) => page.waitForFunction(() => CSS.highlights.get("assent-keyword")?.size)),
  "answer-code-forced": async (stage) => {
    await stage.page.emulateMedia({ forcedColors: "active" });
    await from("The code", ({ page }) => page.waitForFunction(() => CSS.highlights.get("assent-keyword")?.size))(stage);
  },
  "answer-wrapped": from("The code", async ({ chat }) => {
    await answer(chat).getByRole("button", { name: "Wrap lines" }).first().click();
  }),
  "answer-links": from("Where to read on"),
  "answer-table-wide": async ({ chat, scripted }) => {
    const rows = ["Route", "Price", "Days", "Notes"].map((head) => [head, "about as many words as a cell has", "490", "from the harbour to every island"]);
    const line = (cells) => `| ${cells.join(" | ")} |`;
    const table = [line(rows.map(([head]) => head)), line(rows.map(() => "--")), ...[1, 2, 3].map((at) => line(rows.map((cells) => cells[at])))];
    await stored(chat, scripted, [`What it costs[^ferry]:\n\n${table.join("\n")}\n\n[^ferry]: By sea.\n`]);
    await expect(answer(chat).getByRole("note")).toHaveCount(1);
  },
};

// The sound of a new decision.

import { expect, test } from "../../fixtures.js";
import { ask, note, sounds } from "./elsewhere.js";

test("an agent that asks is heard once, in one of the tabs, and not again after a reload", async ({ page, chat, context, scripted }) => {
  await note(context);
  const settings = { "base-url": scripted.origin, notify: "sound" };
  const other = await chat.tab();
  await other.inline(settings);
  await other.input.click();
  await chat.inline(settings);
  await chat.loaded();
  await ask(chat, scripted, ["delete_file"]);
  const all = async () => (await sounds(page)) + (await sounds(other.page));
  await expect.poll(all).toBe(1);

  await page.reload();
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  await chat.input.click();
  // The title comes of the same news as a sound would.
  await chat.element.evaluate((element) => element.setAttribute("notify", "sound title"));
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await expect(page).toHaveTitle(/^\(1\) /);
  expect(await sounds(page)).toBe(0);
});

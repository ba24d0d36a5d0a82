// What a decision takes: clicks, notches of the wheel and keys, by mouse and by keyboard. The times are only told.

import { expect, test } from "../../fixtures.js";

const MIXED = [["refund_payment", "Approve"], ["send_email", "Deny"], ["delete_file", "Approve"]];
/** A notch of the wheel, in pixels. */
const NOTCH = 100;

/** A person at a page, who counts what is done. */
class Person {
  constructor(page, chat) {
    Object.assign(this, { page, chat, clicks: 0, notches: 0, keys: 0, began: Date.now() });
  }

  /** Clicks on what can be seen, after turning the wheel until it can be. */
  async click(target) {
    await expect(target).toBeEnabled();
    const area = await this.chat.transcript.boundingBox();
    for (;;) {
      const box = await target.boundingBox();
      const middle = box.y + box.height / 2;
      // Nothing lies over it, such as the foot of the card.
      const isIn = await target.evaluate((it) => {
        const { x, y, width, height } = it.getBoundingClientRect();
        return it.contains(it.getRootNode().elementFromPoint(x + width / 2, y + height / 2));
      });
      if (isIn) {
        await this.page.evaluate(async () => {
          for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
        });
        await this.page.mouse.click(box.x + box.width / 2, middle);
        this.clicks += 1;
        return;
      }
      await this.page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
      await this.page.mouse.wheel(0, middle > area.y ? NOTCH : -NOTCH);
      this.notches += 1;
      await expect.poll(async () => (await target.boundingBox()).y).not.toBe(box.y);
    }
  }

  /** Presses a key where the focus is, once it is there. */
  async press(key, focused) {
    await expect(focused).toBeFocused();
    await this.page.keyboard.press(key);
    this.keys += 1;
  }

  tell(what) {
    const { clicks, notches, keys, began } = this;
    console.log(`${what}: ${clicks} clicks, ${notches} notches, ${keys} keys, ${Date.now() - began} ms`);
    return { clicks, notches, keys };
  }
}

/** A panel with a request. */
async function asked(page, chat, text) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await chat.panel();
  await chat.asksApproval(text);
  await chat.waitsForDecision();
  return new Person(page, chat);
}

test("one tool is one click", async ({ page, chat }) => {
  const person = await asked(page, chat, "approve one");
  await person.click(chat.verdict("refund_payment", "Approve"));
  await expect(chat.tool("refund_payment")).toHaveAttribute("data-state", "APPROVED");
  expect(person.tell("one tool, mouse")).toEqual({ clicks: 1, notches: 0, keys: 0 });
});

test("three tools are four clicks and as much wheel as there is to read", async ({ page, chat }) => {
  const person = await asked(page, chat, "approve three");
  for (const [tool, verdict] of MIXED) await person.click(chat.verdict(tool, verdict));
  await person.click(chat.submitButton);
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  const { clicks, notches } = person.tell("three tools, mouse");
  expect(clicks).toBe(4);
  expect(notches).toBeLessThan(8);
});

test("three tools are four keys and no scrolling", async ({ page, chat }) => {
  const person = await asked(page, chat, "approve three");
  await chat.input.press("Alt+ArrowUp");
  for (const [tool, verdict] of MIXED) await person.press(verdict[0].toLowerCase(), chat.tool(tool));
  await person.press("Enter", chat.submitButton);
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await expect(chat.tool("send_email")).toHaveAttribute("data-state", "DENIED");
  expect(person.tell("three tools, keyboard")).toEqual({ clicks: 0, notches: 0, keys: 4 });
});

// Long numbers in front of a list's items are shown whole, wherever the list is.

import { expect, test } from "../../fixtures.js";
import { answer, begun, finish, go } from "./rich.js";

test.use({ viewport: { width: 360, height: 740 } });

/** The last number of each list, with the widths of its mark and of the room before the items. */
const marks = (chat) =>
  answer(chat).locator("ol").evaluateAll((lists) =>
    lists.map((list) => {
      const number = list.start + list.children.length - 1;
      const mark = document.createElement("span");
      // As browsers write it: figures of one width, and a space that counts.
      mark.textContent = `${number}.\u00a0`;
      Object.assign(mark.style, { position: "absolute", whiteSpace: "nowrap", fontVariantNumeric: "tabular-nums" });
      list.lastElementChild.append(mark);
      const { width } = mark.getBoundingClientRect();
      mark.remove();
      const { direction, paddingInlineStart } = getComputedStyle(list);
      return { number, direction, width, room: parseFloat(paddingInlineStart) };
    }),
  );

const lists = (word) => `1000. ${word}
2. ${word}

# ${word}

998. ${word}
2. ${word}

> 99999. ${word}
> 1. ${word}

- 123456. ${word}
  1. ${word}
     - 1234567. ${word}

[^1]

[^1]: 12345678. ${word}

***

999999999. ${word}
1. ${word}
`;
const NUMBERS = [1001, 999, 100000, 123457, 1234567, 1000000000, 12345678];

test("no digit is cut off, from the left and from the right", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  let post = await begun(chat, scripted);
  for (const [direction, word] of [["ltr", "word"], ["rtl", "מילה"]]) {
    await finish(chat, post, lists(word));
    await expect(answer(chat).locator("ol")).toHaveCount(NUMBERS.length);
    const all = await marks(chat);
    expect(all.map(({ number }) => number).sort()).toEqual([...NUMBERS].sort());
    for (const mark of all) {
      expect(mark.direction).toBe(direction);
      expect(mark.width, `${mark.number}`).toBeLessThanOrEqual(mark.room);
    }
    const beyond = await page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);
    expect(beyond).toBe(0);
    if (direction === "ltr") post = await go(chat, scripted);
  }
});

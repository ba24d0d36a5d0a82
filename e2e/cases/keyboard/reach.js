// How the keyboard gets somewhere.

import { expect } from "../../fixtures.js";

/** Presses a key until the focus is on or in the element. */
export async function reach(page, target, key = "Tab") {
  const within = () => target.evaluate((element) => element.contains(element.getRootNode().activeElement));
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await target.count()) === 1 && (await within())) return;
    await page.keyboard.press(key);
  }
  expect(await within()).toBe(true);
}

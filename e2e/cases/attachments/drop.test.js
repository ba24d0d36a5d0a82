// Files that are dragged over the chat: where they can be dropped is said over all that is there.

import { expect, test } from "../../fixtures.js";
import { takeFiles } from "./files.js";

test("what is said while files are over the chat covers the greeting", async ({ chat }) => {
  await chat.inline();
  await takeFiles(chat);
  const greeting = chat.element.locator(".greeting-text");
  await expect(greeting).toBeVisible();
  await chat.element.evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["a"], "a.txt"));
    const event = new DragEvent("dragover", { bubbles: true, composed: true, cancelable: true, dataTransfer });
    element.shadowRoot.querySelector("h2").dispatchEvent(event);
  });
  const target = chat.element.locator(".drop-target");
  await expect(target).toBeVisible();
  const box = await greeting.boundingBox();
  const seen = await target.evaluate((element, { x, y, width, height }) => {
    // It lets the pointer through: this says who is on top.
    element.style.pointerEvents = "auto";
    const root = element.getRootNode();
    const points = [[0.1, 0.1], [0.5, 0.5], [0.9, 0.9]].map(([across, down]) => root.elementFromPoint(x + width * across, y + height * down));
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    return { isOnTop: points.every((it) => element.contains(it)), opacity, colour: getComputedStyle(element).backgroundColor };
  }, box);
  expect(seen.isOnTop).toBe(true);
  expect(seen.opacity).toBe(1);
  expect(seen.colour).toMatch(/^rgb\(/);
});

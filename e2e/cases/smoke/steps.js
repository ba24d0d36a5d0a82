// One conversation for every engine: typed and sent, an action approved, an answer drawn while it streams, and no error.
// It asks little of who carries it out, so that a browser without Playwright can: `open(path)`, `run(function, value)` in the page,
// and `click(find, what)` and `type(find, what, text)`, where `find` is run in the page and returns the element.

import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";

const ANSWER = '[part~="message"][data-role="assistant"]';

/** The element of the chat that this selector means, and with this text where there is one; null while it, or what it is the label of, cannot be used. */
function find({ selector, text }) {
  const found = document.querySelector("assent-chat")?.shadowRoot.querySelectorAll(selector) ?? [];
  return [...found].find((element) => !(element.control ?? element).disabled && (!text || element.textContent.trim() === text)) ?? null;
}

export async function converse(visitor) {
  const texts = (selector) => () =>
    visitor.run((selector) => Array.from(document.querySelector("assent-chat").shadowRoot.querySelectorAll(selector), ({ textContent }) => textContent), selector);
  const there = async (what) => {
    await expect.poll(() => visitor.run(find, what).then(Boolean), { message: JSON.stringify(what) }).toBe(true);
    return what;
  };
  const click = async (selector, text) => visitor.click(find, await there({ selector, text }));
  const say = async (text) => {
    await visitor.type(find, await there({ selector: '.app [part~="input"]' }), text);
    await click('[part~="send"]');
  };

  await visitor.open(`/smoke/?user-id=user-${randomUUID()}`);
  await click('[part~="launcher"]');
  await say("approve one");
  await click('[part~="approval-tool"] button:enabled', "Approve");
  await there({ selector: '[part~="approval"][data-state="answered"] [part~="approval-tool"][data-state="APPROVED"]' });
  // Drawn, and not the plain text: the renderer is there.
  await expect.poll(texts(`${ANSWER}[data-state="complete"] strong`)).toContain("49.90 EUR");

  await visitor.run((selector) => {
    const drawn = (globalThis.drawn = []);
    const { shadowRoot } = document.querySelector("assent-chat");
    const look = () => drawn.push(...Array.from(shadowRoot.querySelectorAll(selector), ({ textContent }) => textContent));
    new MutationObserver(look).observe(shadowRoot, { subtree: true, childList: true });
  }, `${ANSWER}[data-state="streaming"] li`);
  await say("markdown");
  await expect.poll(texts(`${ANSWER}[data-state="complete"] [role="heading"], ${ANSWER}[data-state="complete"] :is(h1, h2, h3, h4, h5, h6)`)).toContain("Quotes");
  expect(await visitor.run(() => globalThis.drawn)).toContain("First, weigh the parcel.");
  expect(await texts(`${ANSWER} ol > li`)()).toContain("First, weigh the parcel.");
  expect((await texts(`${ANSWER} pre code`)()).join()).toContain("fn price(weight: u32, island: bool) -> Option<u32> {");
  expect(await visitor.run(() => globalThis.failures)).toEqual([]);
}

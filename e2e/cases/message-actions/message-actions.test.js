// The actions of a message: copying it, and when they are seen.

import { expect, test } from "../../fixtures.js";

const MARKDOWN = "The **wide** box:\n\n1. lamps\n2. kites";

/** Answers the next message with this text. */
async function answered(chat, scripted, text = MARKDOWN) {
  const post = await chat.streaming(scripted, "Which box?");
  post.complete(text);
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
}

/** What the clipboard holds of this kind. */
const copied = (page, kind) =>
  page.evaluate(async (kind) => {
    const [item] = await navigator.clipboard.read();
    return item.types.includes(kind) ? await (await item.getType(kind)).text() : null;
  }, kind);

/** The button below the answer. */
const copyOf = (chat) => chat.lastMessage.getByRole("button", { name: "Copy", exact: true });

test("an answer is copied as rich text and as Markdown at once", async ({ page, context, chat, scripted }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await answered(chat, scripted);
  await expect(chat.lastMessage.getByRole("list")).toBeVisible();
  await chat.lastMessage.hover();
  await copyOf(chat).click();
  await expect(chat.button("Copied")).toBeVisible();
  expect(await copied(page, "text/plain")).toBe(MARKDOWN);
  expect(await copied(page, "text/html")).toMatch(/<strong>wide<\/strong>/);
  await chat.input.focus();
  await expect(copyOf(chat)).toBeVisible();
});

test("that an answer was copied is said to a screen reader", async ({ context, chat, scripted }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await answered(chat, scripted);
  await chat.lastMessage.hover();
  await copyOf(chat).click();
  await expect(chat.part("status").filter({ hasText: "Copied" })).toHaveAttribute("aria-live", "polite");
});

test("the buttons show for the pointer and for the focus, and take no room that was not theirs", async ({ chat, scripted }) => {
  await answered(chat, scripted);
  await chat.isDrawn();
  const actions = chat.lastMessage.locator(".message-actions");
  await chat.input.hover();
  await expect(actions).toHaveCSS("opacity", "0");
  const { height } = await chat.lastMessage.boundingBox();
  await chat.lastMessage.hover();
  await expect(actions).toHaveCSS("opacity", "1");
  expect((await chat.lastMessage.boundingBox()).height).toBe(height);
  await chat.input.hover();
  await expect(actions).toHaveCSS("opacity", "0");
  await copyOf(chat).focus();
  await expect(actions).toHaveCSS("opacity", "1");
});

test.describe("on a touch screen", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test("the buttons are always there", async ({ chat, scripted }) => {
    await answered(chat, scripted);
    await expect(chat.lastMessage.locator(".message-actions")).toHaveCSS("opacity", "1");
  });
});

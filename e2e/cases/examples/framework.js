// What the examples with a framework have in common: each is built and used, under the strict policy, and used in development.

import { build, expect, missing, test } from "./project.js";

/** Defines the tests of an example that Vite builds. */
export function builtByVite(name) {
  test(name, async ({ page, chat, example, serve }) => {
    const pages = build(example(name.toLowerCase()));
    expect(missing(pages)).toEqual([]);
    await page.goto(`${await serve([["/", `${pages}/`]])}/`);
    await useFully(page, chat, name, ["agent-id", "mode"]);
  });
  inDevelopment(name);
}

/** Defines the test of an example in development. */
export function inDevelopment(name) {
  test.describe("in development", () => {
    test.use({ expectedConsole: /\[vite\]|React DevTools|favicon\.ico/ });

    test(name, { tag: "@long" }, async ({ page, chat, example, develop }) => {
      await page.goto(await develop(example(name.toLowerCase())));
      await page.getByRole("button", { name: "Ask us" }).click();
      await chat.askFormatted("markdown");
    });
  });
}

/** Does what the pages of all frameworks are there for. */
export async function useFully(page, chat, name, attributes) {
  await expect(page.getByRole("heading", { level: 1, name: `Assent in ${name}` })).toBeVisible();
  await expect(page.getByText("The chat is closed.")).toBeVisible();
  // Functions are properties; as attributes they would be text.
  const is = await chat.element.evaluate((element) => ({
    set: [typeof element.uploader, typeof element.linkPolicy],
    attributes: element.getAttributeNames().sort(),
  }));
  expect(is).toEqual({ set: ["function", "function"], attributes });

  await page.getByRole("button", { name: "Ask us" }).click();
  await expect(chat.input).toBeFocused();
  await expect(page.getByText("The chat is open.")).toBeVisible();
  await chat.ask("hello");
  await chat.say("approve one");
  await chat.decide("refund_payment", "Approve");
  await chat.submit();
  await expect(page.locator("main > ul > li")).toHaveText("refund_payment: APPROVED");
  // The service takes no message while the agent goes on, whether a chat is there or not.
  await chat.isAnswered();

  const offer = page.getByRole("checkbox", { name: "Offer the chat" });
  await offer.uncheck();
  await expect(chat.element).toHaveCount(0);
  await expect(page.getByText("The chat is closed.")).toBeVisible();
  await offer.check();
  await chat.button("Open chat").click();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("Hello!");
}

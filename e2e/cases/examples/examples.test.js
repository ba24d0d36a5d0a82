// The examples do what they show: the page has the chat, opens it, hears from it, sets functions, takes it away and brings it back.

import { build, expect, missing, test } from "./project.js";

for (const name of ["React", "Vue", "Svelte"]) {
  test(`${name}`, async ({ page, chat, example, serve }) => {
    const pages = build(example(name.toLowerCase()));
    expect(missing(pages)).toEqual([]);
    await page.goto(`${await serve([["/", `${pages}/`]])}/`);
    await expect(page.getByRole("heading", { level: 1, name: `Assent in ${name}` })).toBeVisible();
    await expect(page.getByText("The chat is closed.")).toBeVisible();
    // Functions are properties; as attributes they would be text.
    const { set, attributes } = await chat.element.evaluate((element) => ({
      set: [typeof element.uploader, typeof element.linkPolicy],
      attributes: element.getAttributeNames(),
    }));
    expect(set).toEqual(["function", "function"]);
    expect(attributes.sort()).toEqual(["agent-id", "mode"]);

    await page.getByRole("button", { name: "Ask us" }).click();
    await expect(chat.input).toBeFocused();
    await expect(page.getByText("The chat is open.")).toBeVisible();
    await chat.ask("hello");
    await chat.say("approve one");
    await chat.decide("refund_payment", "Approve");
    await chat.submit();
    await expect(page.locator("main > ul > li")).toHaveText("refund_payment: APPROVED");

    const offer = page.getByRole("checkbox", { name: "Offer the chat" });
    await offer.uncheck();
    await expect(chat.element).toHaveCount(0);
    await expect(page.getByText("The chat is closed.")).toBeVisible();
    await offer.check();
    await chat.button("Open chat").click();
    await expect(chat.approval).toHaveAttribute("data-state", "answered");
    await chat.ask("hello");
    await expect(chat.lastMessage).toContainText("Hello!");
  });
}

test.describe("in development", () => {
  test.use({ expectedConsole: /\[vite\]|React DevTools|favicon\.ico/ });

  for (const name of ["React", "Vue", "Svelte"]) {
    test(name, async ({ page, chat, example, develop }) => {
      await page.goto(await develop(example(name.toLowerCase())));
      await page.getByRole("button", { name: "Ask us" }).click();
      await chat.askFormatted("markdown");
    });
  }
});

test("HTML, launcher: one tag", async ({ page, chat, plain }) => {
  await page.goto(`${plain}/launcher.html`);
  const opened = page.evaluate(() => new Promise((resolve) => document.addEventListener("assent:open", resolve)).then(() => true));
  await chat.button("Open chat").click();
  expect(await opened).toBe(true);
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("Hello!");
  const element = await chat.element.elementHandle();
  await element.evaluate((element) => element.remove());
  await expect(chat.element).toHaveCount(0);
  await element.evaluate((element) => document.body.append(element));
  await expect(chat.lastMessage).toContainText("Hello!");
});

test("HTML, inline: functions, events, taken away and brought back", async ({ page, chat, plain }) => {
  await page.goto(`${plain}/inline.html`);
  await chat.say("approve one");
  await chat.tool("refund_payment").waitFor();
  await chat.button("Stop and give feedback").click();
  await expect(chat.approval.getByRole("button", { name: "Attach files" })).toBeVisible();
  await chat.button("Back").click();
  await chat.decide("refund_payment", "Deny");
  await chat.submit();
  await expect(page.locator("#decisions > li")).toHaveText(["refund_payment: DENIED"]);
  const offer = page.getByRole("checkbox", { name: "Offer the chat" });
  await offer.uncheck();
  await expect(chat.element).toHaveCount(0);
  await offer.check();
  await expect(chat.approval).toHaveAttribute("data-state", "answered");
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("Hello!");
});

test("HTML, fullscreen: the chat is the page", async ({ page, chat, plain }) => {
  await page.goto(`${plain}/fullscreen.html`);
  await expect(chat.heading).toHaveText("Travel desk");
  await chat.ask("hello");
  await expect(chat.lastMessage).toContainText("Hello!");
  const { width, height } = page.viewportSize();
  expect(await chat.part("panel").boundingBox()).toEqual({ x: 0, y: 0, width, height });
});

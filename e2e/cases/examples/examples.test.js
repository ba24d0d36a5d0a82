// The examples do what they show: the page has the chat, opens it, hears from it, sets functions, takes it away and brings it back.

import { composer, file } from "../attachments/files.js";
import { build, expect, missing, test } from "./project.js";

for (const name of ["React", "Vue", "Svelte"]) {
  test(`${name}`, async ({ page, chat, example, serve }) => {
    const pages = build(example(name.toLowerCase()));
    expect(missing(pages)).toEqual([]);
    await page.goto(`${await serve([["/", `${pages}/`]])}/`);
    await useFully(page, chat, name, ["agent-id", "mode"]);
  });
}

test("Leptos", async ({ page, chat, leptos }) => {
  await page.goto(`${leptos}/`);
  await expect(page.getByText("Conversation: none yet")).toBeVisible();
  await useFully(page, chat, "Leptos", ["agent-id", "class", "mode", "theme"]);

  const { threadId } = await chat.element.evaluate((element) => element.state);
  await expect(page.getByText(`Conversation: ${threadId}`)).toBeVisible();
  await expect(chat.element).toHaveAttribute("theme", "light");
  await page.getByRole("checkbox", { name: "Dark" }).check();
  await expect(chat.element).toHaveAttribute("theme", "dark");
  // Its functions are Rust, and answer as the chat expects it.
  const answers = await chat.element.evaluate(async ({ linkPolicy, uploader }) => [
    linkPolicy(new URL("https://a.example")),
    linkPolicy(new URL("http://a.example")),
    await uploader(new File([], "list.pdf"), {}),
  ]);
  expect(answers).toEqual([true, false, { fileId: "upload-of-list.pdf" }]);
  await composer(chat).choose(file("list.pdf"));
  await expect(composer(chat).files).toContainText("list.pdf");
  await expect(chat.send).toBeEnabled();
});

/** Does what the pages of all frameworks are there for. */
async function useFully(page, chat, name, attributes) {
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

test.describe("in development", () => {
  test.use({ expectedConsole: /\[vite\]|React DevTools|favicon\.ico/ });

  for (const name of ["React", "Vue", "Svelte", "Leptos"]) {
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

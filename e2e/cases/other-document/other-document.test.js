// A chat that is moved into another document, such as a window of the page's own, and back: it looks the same in each.

import { expect, test } from "../embedding/site.js";

/** The page of the cases in which a chat is moved. */
const PAGE = new URL("../moved/", import.meta.url);

/** What only style sheets give: of the loader, of the application, and of a rendered answer. */
const looks = (chat) =>
  chat.element.evaluate((element) => {
    const style = (selector) => getComputedStyle(element.shadowRoot.querySelector(selector));
    return [style('[part="panel"]').display, style('.composer-box').borderRadius, style("article table").borderCollapse, style('[part="input"]').resize];
  });

// Not in Firefox: what drives it there finds the moved element, and cannot ask it anything.
test("styles, stream and draft go along, there and back", async ({ page, chat, scripted, serve, visit }) => {
  await visit(`${await serve(PAGE)}/`);
  const post = await chat.post(scripted, "Tell me");
  post.say("| a | b |\n|---|---|\n| 1 | 2 |\n\nBefore, ");
  await expect(chat.lastMessage.getByRole("cell", { name: "2" })).toBeVisible();
  await chat.input.fill("typed meanwhile");
  const before = await looks(chat);
  await page.evaluate(() => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.width = "600"; frame.height = "600";
    frame.contentDocument.body.append(document.querySelector("assent-chat"));
  });
  const inside = page.frameLocator("iframe").locator("assent-chat");
  await expect(inside).toHaveCount(1);
  const there = { element: inside };
  expect(await looks(there)).toEqual(before);
  post.say("and after.");
  await expect(inside.getByRole("article").last()).toContainText("Before, and after.");
  await expect(inside.getByRole("textbox", { name: "Message", exact: true })).toHaveValue("typed meanwhile");
  await page.evaluate(() => {
    document.body.append(document.querySelector("iframe").contentDocument.querySelector("assent-chat"));
    document.querySelector("iframe").remove();
  });
  await expect(chat.element).toHaveCount(1);
  expect(await looks(chat)).toEqual(before);
  post.complete("| a | b |\n|---|---|\n| 1 | 2 |\n\nBefore, and after.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  expect(scripted.to("post")).toHaveLength(1);
});

test("one that begins in another document has its styles there", async ({ page, chat, scripted, serve, visit }) => {
  await visit(`${await serve(PAGE)}/`);
  await chat.element.evaluate((element) => element.ready);
  await page.evaluate(() => {
    const frame = document.body.appendChild(document.createElement("iframe"));
    frame.width = "600"; frame.height = "600";
    const other = document.createElement("assent-chat");
    for (const { name, value } of document.querySelector("assent-chat").attributes) other.setAttribute(name, value);
    frame.contentDocument.body.append(other);
  });
  const inside = page.frameLocator("iframe").locator("assent-chat");
  await expect(inside.locator('[part~="transcript"]')).toBeVisible();
  const send = inside.getByRole("button", { name: "Send" });
  await expect.poll(() => send.evaluate((it) => getComputedStyle(it).borderRadius)).toBe("50%");
});

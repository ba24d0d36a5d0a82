// The title of the page while decisions wait.

import { expect, test } from "../../fixtures.js";
import { ask, hide } from "./elsewhere.js";

const OWN = "A page with the chat as a part of it";

test("a hidden page carries the number, and has exactly its own title when it is shown or nothing waits", { tag: "@firefox" }, async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  const written = () => page.evaluate(() => document.querySelector("title").childNodes.length);
  await ask(chat, scripted, ["delete_file", "send_mail"]);
  await expect(page).toHaveTitle(OWN);
  await hide(page);
  await expect(page).toHaveTitle(`(2) ${OWN}`);
  await hide(page, false);
  await expect(page).toHaveTitle(OWN);
  expect(await written()).toBe(1);
  await hide(page);
  await expect(page).toHaveTitle(`(2) ${OWN}`);
  scripted.hold = false;
  await chat.approveAll();
  await chat.submit();
  await expect(page).toHaveTitle(OWN);
  expect(await written()).toBe(1);
});

test("a title that the page sets meanwhile stays", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await ask(chat, scripted, ["delete_file"], () => hide(page));
  await expect(page).toHaveTitle(`(1) ${OWN}`);
  await page.evaluate(() => (document.title = "(7) Mails"));
  await hide(page, false);
  await expect(page).toHaveTitle("(7) Mails");
});

test("several chats count together, and leave with their number", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await ask(chat, scripted, ["delete_file"]);
  await page.evaluate(() => {
    const first = document.querySelector("assent-chat");
    const second = first.cloneNode();
    second.id = "second";
    second.setAttribute("agent-id", "other");
    second.setAttribute("thread-id", "new");
    first.after(second);
    return second.ready;
  });
  const other = new chat.constructor(page, chat.user, page.locator("#second"));
  await ask(other, scripted, ["send_mail"], () => hide(page));
  await expect(page).toHaveTitle(`(2) ${OWN}`);
  await page.evaluate(() => document.querySelector("assent-chat").remove());
  await expect(page).toHaveTitle(`(1) ${OWN}`);
  await page.evaluate(() => document.querySelector("assent-chat").remove());
  await expect(page).toHaveTitle(OWN);
});

test("the module is fetched for the first decision that waits, and not before", async ({ page, chat, scripted }) => {
  const fetched = [];
  page.on("request", (request) => /assent_notify/.test(request.url()) && fetched.push(request.url()));
  await chat.inline({ "base-url": scripted.origin });
  await chat.loaded();
  await chat.ask("Hello");
  expect(fetched).toEqual([]);
  await ask(chat, scripted, ["delete_file"]);
  await expect.poll(() => fetched).toHaveLength(1);
});

test("an empty attribute leaves the title alone", async ({ page, chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await ask(chat, scripted, ["delete_file"], () => hide(page));
  await expect(page).toHaveTitle(`(1) ${OWN}`);
  await chat.element.evaluate((element) => element.setAttribute("notify", ""));
  await expect(page).toHaveTitle(OWN);
});

test.describe("a word that is none", () => {
  test.use({ expectedConsole: /notify="bell" is not one of title, sound, system; left out\./ });

  test("is left out, with one warning", async ({ page, chat, scripted, console }) => {
    await chat.inline({ "base-url": scripted.origin, notify: "title bell" });
    await ask(chat, scripted, ["delete_file"], () => hide(page));
    await expect(page).toHaveTitle(`(1) ${OWN}`);
    expect(console.filter((text) => text.includes("bell"))).toHaveLength(1);
  });
});

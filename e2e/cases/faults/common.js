// What the cases of faults share: bodies that no service of ours sends, and what must hold after each fault.

import { expect } from "../../fixtures.js";

/** What a browser says of each request that fails; cases expect it. */
export const EXPECTED = { expectedConsole: /Failed to load resource|blocked by CORS policy/ };

/** What only a parser, a browser or a programmer says. */
export const RAW =
  /unexpected (token|end|eof)|expected (value|ident)|at line \d|syntaxerror|typeerror|rangeerror|failed to fetch|networkerror|<html|<!doctype|\[object|undefined|\bnull\b|panicked|unwrap|serde|utf-?8|ECONN/i;

const PAGE = "<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>";
export const html = (status) => (_, response) => response.writeHead(status, { "content-type": "text/html" }).end(PAGE);

/** A sentence for people: capital, full stop, and nothing of a machine. */
export async function expectSentence(locator) {
  await expect(locator).toBeVisible();
  const sentence = await locator.innerText();
  expect(sentence).toMatch(/^[A-Z“][^]*[.)!]/);
  expect(sentence).not.toMatch(RAW);
}

/** After the fault: what was typed is still there, and the next message is answered. */
export async function expectToGoOn(chat, scripted, typed) {
  await expect(chat.input).toHaveValue("typed meanwhile");
  await expect(chat.own.first()).toContainText(typed);
  expect(await chat.element.evaluate((element) => element.shadowRoot.textContent)).not.toMatch(RAW);
  scripted.on = {};
  scripted.down = false;
  await chat.ask("the next message");
  await expect(chat.lastMessage).toContainText("Fine.");
}

/** Begins a new conversation on the same page. */
export async function anew(chat) {
  await expect(chat.stop).toHaveCount(0);
  await chat.newThread.click();
  await expect(chat.messages).toHaveCount(0);
  await expect(chat.input).toHaveValue("");
}

/** Lets the page's time run, which is installed, until this holds. */
export async function hurry(page, holds) {
  await expect(async () => {
    await page.clock.runFor(3000);
    await holds();
  }).toPass({ intervals: [100] });
}

/** A post that the test answers, of a message that was just sent. */
export async function begin(chat, scripted) {
  scripted.hold = true;
  await chat.inline({ "base-url": scripted.origin });
  await chat.say("my long question");
  const post = await scripted.nextPost();
  scripted.hold = false;
  await chat.input.fill("typed meanwhile");
  return post;
}

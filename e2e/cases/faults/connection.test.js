// Services that cannot be reached, or not from this page: nothing typed is lost, and nothing is posted twice.

import { expect, test } from "../../fixtures.js";
import { ScriptedService } from "../../servers/scripted.js";
import { EXPECTED, expectSentence, hurry, RAW } from "./common.js";

test.use({ expectedConsole: new RegExp(`${EXPECTED.expectedConsole.source}|assent-chat: not loaded\\.|wasm streaming compile failed`) });

test("a service that is down keeps the message until it is back", async ({ page, chat, scripted }) => {
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  scripted.down = true;
  await chat.say("my long question");
  await hurry(page, () => expect(chat.own.last()).toHaveAttribute("data-state", "failed", { timeout: 300 }));
  await expect(chat.own.last()).toContainText("my long question");
  expect(await chat.own.last().innerText()).not.toMatch(RAW);
  await chat.input.fill("typed meanwhile");
  scripted.down = false;
  await chat.own.last().getByRole("button", { name: /Retry|Check again/ }).click();
  // It never arrived, so that sending it again is safe, and asked of the person.
  await hurry(page, async () => {
    const retry = chat.own.last().getByRole("button", { name: "Retry" });
    if (await retry.isVisible()) await retry.click();
    await expect(chat.lastMessage).toContainText("Fine.", { timeout: 500 });
  });
  expect(scripted.to("post").map(({ body }) => JSON.parse(body).content[0].text)).toEqual(["first", "my long question"]);
  await expect(chat.input).toHaveValue("typed meanwhile");
});

const UNREACHABLE = {
  "refuses connections": (scripted) => scripted.refuse(),
  "resets connections before its headers": (scripted) => {
    scripted.down = true;
  },
};

for (const [name, fail] of Object.entries(UNREACHABLE)) {
  test(`a service that ${name} keeps the first message`, async ({ chat, scripted }) => {
    await chat.inline({ "base-url": scripted.origin });
    await fail(scripted);
    await chat.say("my long question");
    const alert = chat.messages.getByRole("alert");
    await expect(alert).toContainText("The service cannot be reached. Check your connection and try again.");
    await expectSentence(alert.locator("p").first());
    await scripted.accept();
    await chat.button("Retry").click();
    await expect(chat.lastMessage).toContainText("Fine.");
    await expect(chat.own).toHaveCount(1);
    expect(scripted.to("post")).toHaveLength(1);
  });
}

test("a service that does not allow this page is named as the reason", async ({ page, chat, scripted }) => {
  scripted.cors = false;
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin });
  const alert = chat.list.getByRole("alert");
  const sentence = "The service does not allow this page to use it. Tell the owner of this page.";
  await hurry(page, () => expect(alert).toContainText(sentence, { timeout: 300 }));
  await chat.say("my long question");
  await expect(chat.messages.getByRole("alert")).toContainText(sentence);
  scripted.cors = true;
  await chat.button("Retry").last().click();
  await expect(chat.lastMessage).toContainText("Fine.");
});

test("a service that answered before is not taken for one that does not allow this page", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  scripted.cors = false;
  await chat.say("my long question");
  await expect(chat.messages.getByRole("alert")).toContainText("The service cannot be reached.");
});

test("a redirect hands nothing to another host", async ({ chat, scripted }) => {
  const other = await ScriptedService.start();
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  scripted.on.post = (request, response) => response.writeHead(307, { location: other.origin + request.path }).end();
  await chat.say("my long question");
  await expect(chat.messages.getByRole("alert")).toContainText("The service's address leads to another one, to which nothing is sent.");
  await expect(chat.own.last()).toContainText("my long question");
  expect(other.requests).toHaveLength(0);
  await other.stop();
});

test("a message of which nobody knows is sent again only by who confirms it", async ({ page, chat, scripted }) => {
  await page.clock.install();
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  scripted.on.post = (_, response) => response.socket.destroy();
  scripted.on.messages = (_, response) => response.writeHead(500).end();
  await chat.say("my long question");
  const own = chat.own.last();
  const again = own.getByRole("button", { name: "Send again" });
  await hurry(page, () => expect(again).toBeVisible({ timeout: 300 }));
  await expect(own).toContainText("it is not known whether this message arrived");
  scripted.on = {};
  await again.click();
  await expect(own).toContainText("If this message did arrive, it will be there twice.");
  await own.getByRole("button", { name: "Cancel" }).click();
  await expect(own).not.toContainText("twice");
  await again.click();
  expect(scripted.to("post")).toHaveLength(2);
  await again.click();
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(scripted.to("post")).toHaveLength(3);
  await expect(chat.own).toHaveCount(2);
});

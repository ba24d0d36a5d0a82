// Services that cannot be reached, or not from this page, as browsers tell one from the other: nothing typed is lost, and nothing
// is posted twice. What comes of each failure is decided by core and client, and tested there.

import { expect, test } from "../../fixtures.js";
import { ScriptedService } from "../../servers/scripted.js";
import { EXPECTED, hurry } from "./common.js";

test.use(EXPECTED);

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
    await expect(chat.messages.getByRole("alert")).toContainText("Can’t reach the service. Check your connection and try again.");
    await scripted.accept();
    await chat.button("Try again").click();
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
  await chat.button("Try again").last().click();
  await expect(chat.lastMessage).toContainText("Fine.");
});

test("a service that answered before is not taken for one that does not allow this page", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await expect(chat.list).toHaveAttribute("data-state", "ready");
  scripted.cors = false;
  await chat.say("my long question");
  await expect(chat.messages.getByRole("alert")).toContainText("Can’t reach the service.");
});

test("a redirect hands nothing to another host", async ({ chat, scripted }) => {
  const other = await ScriptedService.start();
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  scripted.on.post = (request, response) => response.writeHead(307, { location: other.origin + request.path }).end();
  await chat.say("my long question");
  await expect(chat.messages.getByRole("alert")).toContainText("The service’s address leads to another one, to which nothing is sent.");
  await expect(chat.own.last()).toContainText("my long question");
  expect(other.requests).toHaveLength(0);
  await other.stop();
});

test("an answer that breaks with the network is completed when that is back", async ({ context, page, chat, scripted }) => {
  await page.clock.install();
  const post = await chat.streaming(scripted, "my long question", {}, "Half of it");
  await chat.loaded();
  await context.setOffline(true);
  post.cut();
  await expect(chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  await page.clock.runFor(60_000);
  await expect(chat.lastMessage).toContainText("Reading the rest of the answer");
  scripted.store(post.thread, "assistant", "Half of it, and then the rest.", { handle: "@scripted" });
  await context.setOffline(false);
  await expect(chat.lastMessage).toContainText("Half of it, and then the rest.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  expect(scripted.to("post")).toHaveLength(1);
});

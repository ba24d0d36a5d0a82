// A page that ends with a message that was not sent: the next one can send it, once.

import { expect, test } from "../../fixtures.js";
import { EXPECTED } from "../faults/common.js";

test.use(EXPECTED);

const posts = (scripted) => scripted.to("post").map(({ body }) => JSON.parse(body).content[0].text);

/** Why a message is not sent: how that begins, and how it ends. */
const REASONS = {
  "no network": [({ chat }) => chat.page.context().setOffline(true), ({ chat }) => chat.page.context().setOffline(false)],
  "a service that cannot be reached": [({ scripted }) => scripted.refuse(), ({ scripted }) => scripted.accept()],
};

for (const [reason, [begin, end]] of Object.entries(REASONS)) {
  test(`a message that could not be sent is there after a reload, and can be sent: ${reason}`, async ({ chat, scripted }) => {
    await chat.inline({ "base-url": scripted.origin });
    await chat.ask("first");
    await chat.loaded();
    await begin({ chat, scripted });
    await chat.say("my long question");
    await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
    await end({ chat, scripted });
    await chat.page.reload();
    await expect(chat.own.last()).toContainText("my long question");
    await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
    expect(posts(scripted)).toEqual(["first"]);
    await chat.own.last().getByRole("button", { name: /^(Try again|Send now)$/ }).click();
    await expect(chat.lastMessage).toContainText("Fine.");
    expect(posts(scripted)).toEqual(["first", "my long question"]);
    await expect(chat.own).toHaveCount(2);
  });
}

test("what could not reach the service says so with buttons, also after a reload, and is sent when the service is there", async ({ chat, scripted }, info) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  await chat.loaded();
  await scripted.refuse();
  await chat.say("my long question");
  const own = chat.own.last();
  // The page is online, and a browser does not say whether the service had it.
  const says = async (when) => {
    await expect(own).toContainText("my long question");
    await expect(own.getByText("Connection lost. This may not have arrived.")).toBeVisible();
    await expect(own.getByRole("button")).toHaveText(["Copy", "Check again", "Dismiss", "Send again"]);
    await info.attach(when, { body: await chat.page.screenshot(), contentType: "image/png" });
  };
  await says("before the reload");
  await chat.page.reload();
  await says("after the reload");
  await scripted.accept();
  await own.getByRole("button", { name: "Check again" }).click();
  await expect(own.getByRole("alert")).toContainText("Not delivered. Try again.");
  await own.getByRole("button", { name: "Try again" }).click();
  await expect(chat.lastMessage).toContainText("Fine.");
  await expect(own.getByRole("button")).toHaveText(["Copy"]);
  expect(posts(scripted)).toEqual(["first", "my long question"]);
});

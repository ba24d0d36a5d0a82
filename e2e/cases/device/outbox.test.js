// A page that ends with a message that was not sent: the next one can send it, once.

import { expect, test } from "../../fixtures.js";
import { EXPECTED } from "../faults/common.js";

test.use(EXPECTED);

const posts = (scripted) => scripted.to("post").map(({ body }) => JSON.parse(body).content[0].text);

test("a message that could not be sent is there after a reload, and can be sent", async ({ chat, scripted }) => {
  await chat.inline({ "base-url": scripted.origin });
  await chat.ask("first");
  await chat.loaded();
  await chat.page.context().setOffline(true);
  await chat.say("my long question");
  await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
  await chat.page.context().setOffline(false);
  await chat.page.reload();
  await expect(chat.own.last()).toContainText("my long question");
  await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
  expect(posts(scripted)).toEqual(["first"]);
  await chat.own.last().getByRole("button", { name: /^(Try again|Send now)$/ }).click();
  await expect(chat.lastMessage).toContainText("Fine.");
  expect(posts(scripted)).toEqual(["first", "my long question"]);
  await expect(chat.own).toHaveCount(2);
});

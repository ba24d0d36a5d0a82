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

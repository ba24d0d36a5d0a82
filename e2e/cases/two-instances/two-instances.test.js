// Two chats on one page, with other agents and other users: neither shows or asks anything of the other.

import { Chat } from "../../fixtures.js";
import { expect, test } from "../embedding/site.js";

test("each has its own conversation and user, also after a reload", async ({ page, user, scripted, serve, visit }) => {
  await page.setViewportSize({ width: 1000, height: 1300 });
  await visit(`${await serve(import.meta.url)}/`);
  const [first, second] = ["first", "second"].map((id) => new Chat(page, user, page.locator(`#${id}`)));
  // Both answers at the same time, one piece of each in turn.
  const one = await first.post(scripted, "from the first");
  const other = await second.post(scripted, "from the second");
  for (let piece = 0; piece < 3; piece += 1) {
    one.say(`one${piece} `);
    other.say(`other${piece} `);
  }
  await expect(first.lastMessage).toContainText("one0 one1 one2");
  await expect(second.lastMessage).toContainText("other0 other1 other2");
  one.complete("The first is done.");
  await expect(first.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(second.lastMessage).toHaveAttribute("data-state", "streaming");
  other.complete("The second is done.");
  await expect(second.lastMessage).toHaveAttribute("data-state", "complete");
  for (const [chat, own, foreign] of [[first, "first", "second"], [second, "second", "first"]]) {
    await expect(chat.transcript).toContainText(`from the ${own}`);
    await expect(chat.transcript).not.toContainText(`from the ${foreign}`);
    await expect(chat.messages).toHaveCount(2);
  }

  // Whose request it is: the agent of the list and the thread, and the user.
  const users = (agent) => scripted.requests.filter(({ path, body }) => path.endsWith(`/${agent}`) || body.includes(`"${agent}"`));
  for (const [agent, name] of [["demo", `${user}-a`], ["travel", `${user}-b`]]) {
    expect(users(agent).length).toBeGreaterThan(0);
    for (const { headers } of users(agent)) expect(headers["x-service-user-id"]).toBe(name);
  }

  // After a reload each comes back to its own; the service of this test does not tell users apart.
  await page.reload();
  await expect(first.transcript).toContainText("The first is done.");
  await expect(second.transcript).toContainText("The second is done.");
});

// The diagnostic log: what is needed to see a problem again, without what nobody else may have.

import { API_KEY, expect, test } from "../../fixtures.js";
import { answerWithSteps, more, recordings } from "./device.js";

const TOKEN = "a-token-that-nobody-may-see";
const TENANT = "tenant-of-the-page";

test("it is copied with raw events and options, and without secrets", async ({ page, chat, scripted }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await chat.inline({ "base-url": scripted.origin, activity: "full" });
  await chat.element.evaluate(
    (element, [token, tenant]) => Object.assign(element, { tokenProvider: () => token, requestHeaders: () => ({ "X-Tenant": tenant }) }),
    [TOKEN, TENANT],
  );
  const post = await answerWithSteps(chat, scripted, `I am ${chat.user} of ${TENANT}`);
  post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED", `Not for ${TOKEN}, ${API_KEY} and ${chat.user}`);
  post.complete("Done.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await more(chat).click();
  await chat.role("menuitem", { name: "Copy diagnostic log" }).click();
  await expect(chat.role("menuitem", { name: "Diagnostic log copied" })).toBeFocused();
  await expect(chat.part("status").first()).toHaveText(/Diagnostic log copied/);
  const text = await page.evaluate(() => navigator.clipboard.readText());
  for (const secret of [TOKEN, TENANT, API_KEY, chat.user]) expect(text).not.toContain(secret);
  const kept = async () => JSON.stringify(await recordings(page));
  await expect.poll(kept).toContain("[removed]");
  for (const secret of [TOKEN, API_KEY]) expect(await kept()).not.toContain(secret);
  const log = JSON.parse(text);
  expect(log).toMatchObject({ log: "assent", format: 1, options: { "base-url": `${scripted.origin}/`, activity: "full" } });
  expect(Object.keys(log.options)).not.toContain("api-key");
  expect(log.answers).toHaveLength(1);
  const [answer] = log.answers;
  expect(answer).toMatchObject({ question: "I am [removed] of [removed]", how: "closed" });
  const types = answer.events.map(([, event]) => JSON.parse(event).type);
  expect(types).toEqual([
    "CONNECTION_ESTABLISHED",
    "MESSAGE_RECEIVED",
    "NOTIFICATION_AGENT_THINKING_STARTED",
    "NOTIFICATION_AGENT_THINKING_COMPLETE",
    "NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED",
    "NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED",
    "AGENT_RESPONSE_COMPLETE",
  ]);
});

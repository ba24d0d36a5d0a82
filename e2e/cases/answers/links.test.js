// Where links lead is shown, and the page decides which there are.

import { expect, test } from "../../fixtures.js";
import { hostile } from "../markdown-safety/hostile.js";
import { answer, answered } from "./rich.js";

const LINKS = "[Terms](https://www.example.org/terms), [www.example.org/a](https://www.example.org/a), [mail](mailto:shop@example.org), [call](tel:+4930123456), [script](javascript:alert(1))";
const addresses = (chat) => answer(chat).getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));

test("a link opens elsewhere and gives nothing away", async ({ chat, scripted }) => {
  await answered(chat, scripted, LINKS);
  await expect(answer(chat).getByRole("link")).toHaveCount(4);
  const links = await answer(chat).getByRole("link").evaluateAll((all) => all.map((link) => [link.target, [...link.relList].sort().join(" ")]));
  for (const link of links) expect(link).toEqual(["_blank", "nofollow noopener noreferrer"]);
  await expect(answer(chat)).not.toContainText("Leads to");
});

test("a link whose text is another address says where it leads", async ({ chat, scripted }) => {
  await answered(chat, scripted, "[https://www.example.org/prices](https://prices.example.net/islands) and [the prices](https://prices.example.net/islands)");
  await expect(answer(chat).getByRole("link", { name: /^https:\/\/www\.example\.org\/prices\s*Leads to prices\.example\.net$/ })).toBeVisible();
  await expect(answer(chat).getByText("Leads to")).toHaveCount(1);
});

test("disguises are seen through", async ({ chat, scripted }) => {
  const disguises = [
    "text that is another address",
    "text that is another host",
    "host that begins like another one",
    "host with Cyrillic letters",
    "text with an isolate",
    "text in several pieces",
    "reference that is defined twice",
  ];
  const cases = hostile("lookalikes").filter(({ name }) => disguises.includes(name.split(": ")[1]));
  expect(cases).toHaveLength(disguises.length);
  // Each is an item of its own; definitions are for all.
  await answered(chat, scripted, cases.map(({ text }) => text).join("\n\n---\n\n"));
  await expect(answer(chat).getByRole("link")).toHaveCount(disguises.length);
  await expect(answer(chat).getByRole("link", { name: "Leads to" })).toHaveCount(disguises.length);
});

test("linkPolicy decides which links there are, and never lets a script be one", async ({ page, chat, scripted }) => {
  await page.addInitScript(() => {
    customElements.whenDefined("assent-chat").then(() => {
      document.querySelector("assent-chat").linkPolicy = (url) => url.protocol !== "tel:" && url.pathname !== "/a";
    });
  });
  await answered(chat, scripted, LINKS);
  await expect(answer(chat)).toContainText("www.example.org/a");
  await expect.poll(() => addresses(chat)).toEqual(["https://www.example.org/terms", "mailto:shop@example.org"]);
});

test("a linkPolicy that throws allows nothing", async ({ page, chat, scripted }) => {
  await page.addInitScript(() => {
    customElements.whenDefined("assent-chat").then(() => {
      document.querySelector("assent-chat").linkPolicy = () => {
        throw new Error("no idea");
      };
    });
  });
  await answered(chat, scripted, `${LINKS}\n\n# The end`);
  await expect(answer(chat).getByRole("heading", { name: "The end" })).toBeVisible();
  expect(await addresses(chat)).toEqual([]);
});

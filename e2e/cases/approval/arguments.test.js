// See what you sign: every argument for what it is, whole, with what could deceive made visible.

import { expect, test } from "../../fixtures.js";
import { asked, request, tool } from "./tools.js";

/** Characters that reorder, hide or control text. */
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/;

/** The row of an argument, by the beginning of its name. */
const row = (chat, name, argument) =>
  chat.tool(name).locator("dl > div").filter({ has: chat.page.locator("dt", { hasText: new RegExp(`^\\s*${argument}`) }) });
const value = (chat, name, argument) => row(chat, name, argument).locator("dd").first();

test("characters that deceive are marked in their place, and addresses say where they lead", async ({ chat }) => {
  await chat.inline();
  await chat.say("deceptive");
  const card = chat.tool("transfer_money");
  await expect(card).toContainText("Before you decide, check:");
  await expect(card).toContainText(/Pay\s*\S*U\+200B\S*/);
  const to = row(chat, "transfer_money", "to");
  await expect(to).toContainText("Cyrillic letters stand where others would look the same.");
  await expect(value(chat, "transfer_money", "to").locator("mark", { hasText: "Cyrillic" })).toHaveCount(1);
  const file = row(chat, "transfer_money", "file");
  await expect(file).toContainText("Hidden characters change the order in which this is drawn.");
  await expect(file).toContainText("Hidden here: U+202E right-to-left override.");
  await expect(value(chat, "transfer_money", "file")).toHaveText(/^invoice_.*U\+202E.*fdp\.exe$/);
  await expect(row(chat, "transfer_money", "note")).toContainText("U+2066 left-to-right isolate");
  await expect(row(chat, "transfer_money", "amount")).toContainText("zero width space");
  await expect(row(chat, "transfer_money", "approved")).toContainText("U+200B zero width space");
  await expect(row(chat, "transfer_money", "lines")).toContainText("U+0007 bell, U+0000 null");
  await expect(card).toContainText("an argument without a name");
  const link = row(chat, "transfer_money", "link");
  await expect(link).toContainText("https://accounts.bank.example@tracker.invalid/login");
  await expect(link).toContainText("Leads to tracker.invalid");
  await expect(link).toContainText("What stands before the @ is a name to sign in with. The address leads elsewhere.");
  await expect(to).toContainText(/Domain xn--\S+\.example, technical spelling of/);
});

test("no character of an argument can draw over the rest of the card, or be lost", { tag: "@firefox" }, async ({ chat }) => {
  await chat.inline();
  await chat.say("deceptive");
  await expect(chat.tool("transfer_money")).toBeVisible();
  const texts = await chat.approval.evaluate((card) => {
    const attributes = [...card.querySelectorAll("*")].flatMap((node) => [...node.attributes].map(({ value }) => value));
    return [card.textContent, ...attributes];
  });
  for (const text of texts) expect(text).not.toMatch(HIDDEN);
  await expect(chat.tool("transfer_money")).toContainText("<b>Approved by your manager</b> **ready** [see here](https://tracker.invalid/)");
  await expect(chat.approval.getByRole("link")).toHaveCount(0);
  await expect(chat.approval.locator("b, strong, img")).toHaveCount(0);
  const [needed, given] = await chat.approval.evaluate((card) => [card.scrollWidth, card.clientWidth]);
  expect(needed).toBeLessThanOrEqual(given);
});

test("every kind of argument is shown as what it is", async ({ chat }) => {
  await chat.inline();
  await chat.say("approve typed");
  await expect(chat.tool("create_supplier")).toBeVisible();
  for (const [argument, kind, text] of [
    ["supplier", "text", "Windward Ltd."],
    ["count", "number", "200"],
    ["rating", "number", "-0.50"],
    ["amount", "amount", "1,250.00 EUR"],
    ["unit_price", "amount", "6.25"],
    ["terms", "url", "https://windward.example/terms?year=2026#payment"],
    ["website", "url", "https://drachenläden.example/kites"],
    ["invoices", "url", "https://windward.example@files.invalid:8443/invoices"],
    ["email", "email", "orders@windward.example"],
    ["contract", "path", "/contracts/2026/windward.pdf"],
    ["address", "lines", "Windward Ltd.\n3 Harbour Road\nPort Alder"],
    ["active", "text", "true"],
    ["comment", "empty", "empty"],
  ]) {
    const shown = value(chat, "create_supplier", argument);
    await expect(shown).toHaveAttribute("data-kind", kind);
    expect((await shown.innerText()).trim()).toBe(text);
  }
  await expect(row(chat, "create_supplier", "terms")).toContainText("Leads to windward.example");
  await expect(row(chat, "create_supplier", "website")).toContainText("Leads to xn--drachenlden-s8a.example, technical spelling of drachenläden.example");
  await expect(row(chat, "create_supplier", "invoices")).toContainText("Leads to files.invalid:8443");
  await expect(row(chat, "create_supplier", "email")).toContainText("Domain windward.example");
  const settings = value(chat, "create_supplier", "settings");
  await expect(settings).toHaveAttribute("data-kind", "json");
  const lines = (await settings.innerText()).trim().split("\n");
  expect(lines.map((line) => line.trim())).toContain('"percent": 2.50');
  expect(lines.length).toBeGreaterThan(5);
});

test("a long value is said to be cut, and must be opened before Approve", async ({ chat }) => {
  const requests = chat.record();
  await chat.inline();
  await chat.say("deceptive");
  const card = chat.tool("write_file");
  const radio = (name) => card.getByRole("radio", { name });
  const content = row(chat, "write_file", "content");
  await expect(radio("Approve")).toBeDisabled();
  await expect(radio("Deny")).toBeEnabled();
  await expect(card).toContainText("This can be approved once you have opened what is folded above.");
  await expect(chat.button("Approve all")).toBeDisabled();
  await expect(chat.approval).toContainText("Open every folded value first to use “Approve all”.");
  expect((await content.innerText()).length).toBeLessThan(1000);
  await expect(value(chat, "write_file", "content")).toContainText(/…$/);
  await content.getByRole("button", { name: "Show all 20,445 characters" }).click();
  await expect(radio("Approve")).toBeDisabled();
  await row(chat, "write_file", "word").getByRole("button", { name: "Show all 660 characters" }).click();
  await expect(radio("Approve")).toBeEnabled();
  await expect(card).not.toContainText("folded above");
  await radio("Approve").check();
  await content.getByRole("button", { name: "Show less" }).click();
  await expect(radio("Approve")).toBeChecked();
  await expect(radio("Approve")).toBeEnabled();
  await chat.decide("transfer_money", "Deny");
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Half a trap is still a trap");
  const answer = JSON.parse(requests.at(-1).body ?? requests.findLast(({ body }) => body).body);
  const [, written] = answer.content[0].toolApprovalResult;
  expect(written.toolArguments.content).toHaveLength(20_445);
});

test("a value of 20 kB can be read to its end", async ({ chat }) => {
  await chat.inline();
  await chat.say("deceptive");
  const content = row(chat, "write_file", "content");
  await content.getByRole("button", { name: "Show all 20,445 characters" }).click();
  await expect(content).toContainText("20,445 characters in 435 lines");
  const text = value(chat, "write_file", "content");
  expect((await text.textContent()).length).toBeGreaterThanOrEqual(20_445);
  const box = content.getByRole("group", { name: "content" });
  await box.focus();
  await expect(box).toBeFocused();
  await box.press("End");
  // The last line is in sight within the box.
  await expect
    .poll(() => box.evaluate((box) => box.scrollHeight - box.clientHeight - box.scrollTop))
    .toBeLessThanOrEqual(2);
  expect(await box.evaluate((box) => box.clientHeight < box.scrollHeight)).toBe(true);
});

test("Deny needs no opening", async ({ chat }) => {
  await chat.inline();
  await chat.say("deceptive");
  await chat.button("Deny all").click();
  await chat.submit();
  await expect(chat.lastMessage).toContainText("Well seen. Nothing was done.");
});

for (const [verdict, amount, gone, added] of [
  ["Approve", "12,500.00 EUR", "discount", "urgent"],
  ["Deny", "1,225.00 EUR", "discount", "installments"],
]) {
  test(`after ${verdict} the same tool says what is different now`, async ({ page, chat }) => {
    await chat.inline();
    await chat.say("approve again");
    await expect(chat.tool("pay_invoice")).toBeVisible();
    await expect(chat.approval).not.toContainText(/Changed|New\b|Last time/);
    await chat.tool("pay_invoice").getByRole("button", { name: /^Show all/ }).click();
    await chat.decide("pay_invoice", verdict);
    await chat.submit();
    await expect(chat.approval).toHaveCount(2);
    const check = async () => {
      const second = chat.approval.last();
      const of = (name) => second.locator("dl > div").filter({ has: page.locator("dt", { hasText: new RegExp(`^\\s*${name}`) }) });
      await expect(of("amount")).toContainText(amount);
      await expect(of("amount").locator("dt")).toContainText("Changed");
      await expect(of("amount")).toContainText("Last time: 1,250.00 EUR");
      await expect(of("email").locator("dt")).toContainText("Changed");
      await expect(of("email")).toContainText("billing@windward.example");
      await expect(of(added).locator("dt")).toContainText("New");
      await expect(of("invoice").locator("dt")).toHaveText(/^\s*invoice\s*$/);
      await expect(of("terms").locator("dt")).toHaveText(/^\s*terms\s*$/);
      await expect(second).toContainText("Given last time, but not now:");
      await expect(second.getByRole("listitem")).toHaveText(new RegExp(`^\\s*${gone}`));
    };
    await check();
    await page.reload();
    await expect(chat.approval.last()).toHaveAttribute("data-state", "pending");
    await check();
  });
}

test("the same arguments once more are said to be the same", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "one")]);
  await chat.decide("one", "Approve");
  await chat.submit();
  request(await scripted.nextPost(), tool("c", "one", { toolExecutionId: "execution-again" }));
  await expect(chat.approval).toHaveCount(2);
  await expect(chat.approval.last()).toContainText("The same arguments as last time in this conversation");
});

test("the name of a tool cannot deceive either, wherever it is said", async ({ chat, scripted }) => {
  await asked(chat, scripted, [tool("b", "send_\u202eyenom\u202c", { toolProvider: "P\u0430yments" })]);
  const card = chat.approval.getByRole("group", { name: /^send_ \[U\+202E\] yenom/ });
  await expect(card).toHaveCount(1);
  await expect(card).toContainText("U+202E");
  await expect(card).toContainText(/Before you decide, check:\s*the tool’s name or provider/);
  await expect(card.getByRole("radiogroup", { name: /Decision on send_ \[U\+202E\]/ })).toHaveCount(1);
  const announced = chat.part("status").and(chat.element.locator('[aria-live="assertive"]'));
  await expect(announced).toContainText("U+202E");
  const texts = await chat.element.evaluate(({ shadowRoot }) => {
    const places = [...shadowRoot.querySelectorAll("[part~=transcript], [part~=thread-list], [part~=status]")];
    const nodes = places.flatMap((place) => [place, ...place.querySelectorAll("*")]);
    return [...places.map((place) => place.textContent), ...nodes.flatMap((node) => [...node.attributes].map(({ value }) => value))];
  });
  for (const text of texts) expect(text).not.toMatch(HIDDEN);
});

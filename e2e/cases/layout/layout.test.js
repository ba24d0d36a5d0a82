// At 360 pixels nothing is pushed out sideways, everything can be hit with a finger, typing does not zoom, and the list lies over the chat.

import { expect, test } from "../../fixtures.js";
import { composer, file, takeFiles } from "../attachments/files.js";
import { request, tool } from "../../servers/approvals.js";
import { more } from "../device/device.js";

test.use({ viewport: { width: 360, height: 740 } });

/** What stands out of the window sideways or is too small for a finger. */
async function defects(page) {
  return page.evaluate(() => {
    const found = [];
    const root = document.querySelector("assent-chat").shadowRoot;
    const name = (element) => `${element.localName}.${element.className} "${element.textContent.trim().slice(0, 30)}"`;
    if (document.scrollingElement.scrollWidth > innerWidth) found.push(`the page is ${document.scrollingElement.scrollWidth} wide`);
    const scrolls = (element) => element && (["auto", "scroll"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    for (const element of root.querySelectorAll("*")) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const box = element.getBoundingClientRect();
      if (box.width <= 1 || getComputedStyle(element).clipPath !== "none") continue;
      const inScroller = scrolls(element.closest(".code, .table, .arguments dd") ? element : null);
      const isCut = getComputedStyle(element.parentElement ?? element).textOverflow === "ellipsis";
      if (!inScroller && !isCut && (box.right > innerWidth + 0.5 || box.left < -0.5)) found.push(`sideways: ${name(element)} ${box.left} to ${box.right}`);
      const target = element.matches("button, textarea, input[type=text], summary, [role=menuitem]") ? element : null;
      if (target) {
        const { width, height } = target.getBoundingClientRect();
        if (width < 24 || height < 24) found.push(`small: ${name(target)} ${width} × ${height}`);
      }
      if (element.matches("textarea, input[type=text]") && parseFloat(getComputedStyle(element).fontSize) < 16) {
        found.push(`zooms: ${name(element)}`);
      }
    }
    return found;
  });
}

for (const mode of ["inline", "launcher"]) {
  test(`every kind of block, ${mode}`, async ({ page, chat }) => {
    await chat[mode]();
    if (mode === "launcher") await chat.button("Open chat").click();
    for (const text of ["markdown", "unicode", "unsafe"]) {
      await chat.askFormatted(text);
      expect(await defects(page)).toEqual([]);
    }
    await chat.say("deceptive");
    await expect(chat.approval).toBeVisible();
    expect(await defects(page)).toEqual([]);
    await chat.role("button", { name: /^Deny (all )?with a note…$/ }).click();
    await expect(chat.role("textbox", { name: "Note" })).toBeVisible();
    expect(await defects(page)).toEqual([]);
  });
}

test("long unbroken texts everywhere", async ({ page, chat, scripted }) => {
  const long = "unbreakable".repeat(40);
  scripted.addThread("unbreakable".repeat(10_000));
  await chat.inline({ "base-url": scripted.origin, heading: long, greeting: long });
  expect(await defects(page)).toEqual([]);
  await takeFiles(chat);
  await composer(chat).choose(file(`${long}.txt`));
  await expect(composer(chat).files).toHaveCount(1);
  expect(await defects(page)).toEqual([]);
  await chat.part("composer").getByRole("button", { name: /^Cancel upload of/ }).click();
  const post = await chat.post(scripted, long);
  post.send("NOTIFICATION_AGENT_THINKING_STARTED", long);
  await expect(chat.role("group", { name: "Agent activity" })).toBeVisible();
  await chat.role("group", { name: "Agent activity" }).getByRole("button").click();
  expect(await defects(page)).toEqual([]);
  request(post, tool("b", long, { toolProvider: long, toolArguments: { [long]: long } }));
  await expect(chat.approval).toBeVisible();
  expect(await defects(page)).toEqual([]);
  await chat.threadsToggle.click();
  await chat.list.getByRole("button", { name: /^Actions for unbreakable/ }).click();
  expect(await defects(page)).toEqual([]);
  await chat.role("menuitem", { name: "Delete" }).click();
  await expect(chat.dialog).toBeVisible();
  expect((await chat.dialog.boundingBox()).height).toBeLessThan(500);
  expect(await defects(page)).toEqual([]);
});

test("failures", async ({ page, chat, scripted }) => {
  const post = await chat.streaming(scripted, "One");
  post.send("ERROR", "x".repeat(100_000));
  post.end();
  const alert = chat.messages.getByRole("alert");
  await expect(alert).toBeVisible();
  expect(await defects(page)).toEqual([]);
  await alert.getByRole("button", { name: "Show all" }).click();
  await expect(alert.getByRole("button", { name: "Show less" })).toBeVisible();
  expect((await alert.boundingBox()).height).toBeLessThan(400);
  expect(await defects(page)).toEqual([]);
});

test("the smallest window of all: 320 by 256", async ({ page, chat, scripted }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await chat.panel({ "base-url": scripted.origin });
  request(await chat.post(scripted, "Do it"), tool("b", "one"));
  await expect(chat.approval).toBeVisible();
  expect(await defects(page)).toEqual([]);
  await chat.button("Close chat").click();
  await expect(chat.role("dialog")).toBeHidden();
});

test("what the message box waits for is said in one line", async ({ chat }) => {
  await chat.inline();
  await chat.say("approve one");
  await chat.waitsForDecision();
  const lines = await chat.part("composer").getByText("Waiting for your decision").evaluate((hint) => {
    const range = document.createRange();
    range.selectNodeContents(hint);
    // An engine has a rectangle for each of several nodes of a line.
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
  expect(lines).toBe(1);
});

test("the dots of a conversation are as dark as the picture on any other button", async ({ chat, service }) => {
  await service.converse("hello");
  await chat.inline();
  await chat.threadsToggle.click();
  const looks = (button) =>
    button.locator("svg").evaluate((icon) => {
      let opacity = 1;
      for (let at = icon; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
      return [getComputedStyle(icon).color, opacity];
    });
  await chat.thread("hello").hover();
  const dots = await looks(chat.list.getByRole("button", { name: "Actions for hello", exact: true }));
  expect(dots).toEqual(await looks(more(chat)));
});

test.describe("from right to left", () => {
  test("the list opens at the side where lines begin", async ({ page, chat, service }) => {
    await service.converse("hello");
    await chat.inline({ dir: "rtl", lang: "ar" });
    await chat.askFormatted("unicode");
    await expect.poll(() => defects(page)).toEqual([]);
    await chat.threadsToggle.click();
    const box = await chat.list.boundingBox();
    expect(box.x + box.width).toBeGreaterThan(340);
    expect(await defects(page)).toEqual([]);
  });
});

test("the list lies over a narrow chat and goes away when something was chosen", async ({ page, chat, service }) => {
  await service.converse("hello");
  await chat.inline();
  await expect(chat.list).toBeHidden();
  await expect(chat.threadsToggle).toHaveAttribute("aria-expanded", "false");
  await chat.threadsToggle.click();
  await expect(chat.threadsToggle).toHaveAttribute("aria-expanded", "true");
  await chat.thread("hello").click();
  await expect(chat.list).toBeHidden();
  await expect(chat.messages).toHaveCount(2);
  await chat.threadsToggle.click();
  await page.keyboard.press("Escape");
  await expect(chat.list).toBeHidden();
});

// A list of thousands of conversations: what is in view is in the page, and all of it can be reached.

import { expect, test } from "../../fixtures.js";

test.use({ viewport: { width: 1000, height: 700 } });

/** Opens a list of so many conversations, the newest one first, which is called 0. */
async function open(chat, scripted, count) {
  for (let at = count - 1; at >= 0; at -= 1) scripted.addThread(`Conversation ${at}`);
  await chat.inline({ "base-url": scripted.origin, threads: "side" });
  await expect(chat.thread("Conversation 0")).toBeVisible();
  // The room of the rows that are not in the page comes a frame later.
  await expect.poll(() => chat.list.evaluate((list) => list.scrollHeight)).toBeGreaterThan(40 * count);
}

const scrollTo = (chat, share) => chat.list.evaluate((list, share) => (list.scrollTop = (list.scrollHeight - list.clientHeight) * share), share);

test("all of them are reached by scrolling, and each is where the scrollbar says", { tag: "@firefox" }, async ({ chat, scripted }) => {
  await open(chat, scripted, 5_000);
  for (const [share, name] of [[1, "Conversation 4999"], [0.5, "Conversation 2500"], [0, "Conversation 0"]]) {
    await scrollTo(chat, share);
    await expect(chat.thread(name)).toBeInViewport();
    await expect.poll(() => chat.threads.count()).toBeLessThan(100);
  }
  // What is seen moves as far as it is scrolled, and never by rows that come and go above.
  await scrollTo(chat, 0.5);
  await expect(chat.thread("Conversation 2500")).toBeInViewport();
  for (let turn = 0; turn < 8; turn += 1) {
    const moved = await chat.list.evaluate(async (list) => {
      const { bottom } = list.getBoundingClientRect();
      const row = [...list.querySelectorAll(".row")].findLast((row) => row.getBoundingClientRect().bottom < bottom);
      const before = row.getBoundingClientRect().top;
      list.scrollTop += 400;
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      return Math.round(before - row.getBoundingClientRect().top);
    });
    expect(moved).toBe(400);
  }
  await expect(chat.thread("Conversation 2556")).toBeInViewport();
  await chat.thread("Conversation 2556").click();
  await expect(chat.thread("Conversation 2556")).toHaveAttribute("aria-current", "true");
});

test("Tab goes through all of them in their order", async ({ page, chat, scripted }) => {
  await open(chat, scripted, 300);
  await chat.thread("Conversation 0").focus();
  const focused = () => chat.element.evaluate((element) => element.shadowRoot.activeElement?.getAttribute("aria-label"));
  for (let at = 1; at < 120; at += 1) {
    await page.keyboard.press("Tab");
    expect(await focused()).toBe(`Actions for Conversation ${at - 1}`);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe(`Conversation ${at}`);
  }
  await expect(chat.thread("Conversation 119")).toBeInViewport();
  for (let at = 118; at > 60; at -= 1) {
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    expect(await focused()).toBe(`Conversation ${at}`);
  }
});

test("a name that was being typed is saved when its row is scrolled away, and the focus stays in the list", async ({ page, chat, scripted }) => {
  await open(chat, scripted, 2_000);
  await chat.choose("Conversation 3", "Rename");
  await page.keyboard.type("The weather");
  await scrollTo(chat, 1);
  await expect(chat.thread("Conversation 1999")).toBeInViewport();
  await expect(chat.list).toBeFocused();
  await expect.poll(() => scripted.to("rename").map(({ body }) => JSON.parse(body).threadName)).toEqual(["The weather"]);
  await scrollTo(chat, 0);
  await expect(chat.thread("The weather")).toBeInViewport();
});

test("a sent message brings its conversation to the top", async ({ chat, scripted }) => {
  await open(chat, scripted, 2_000);
  await scrollTo(chat, 1);
  await chat.thread("Conversation 1990").click();
  await chat.ask("hello");
  await scrollTo(chat, 0);
  await expect(chat.threads.first()).toHaveAccessibleName("Conversation 1990");
});

test("the names of days take their room where they are, whatever is in the page", async ({ chat, scripted }) => {
  const day = 86_400_000;
  for (let at = 299; at >= 0; at -= 1) {
    const age = at < 60 ? 0 : at < 150 ? day : 2 * day;
    const noon = new Date().setHours(12, 0, 0) - age;
    scripted.addThread(`Conversation ${at}`).lastMessageTime = new Date(noon - 1000 * at).toISOString();
  }
  await chat.inline({ "base-url": scripted.origin, threads: "side" });
  await expect(chat.thread("Conversation 0")).toBeVisible();
  await expect(chat.list.getByRole("heading", { name: "Today" })).toBeVisible();
  await expect.poll(() => chat.list.evaluate((list) => list.scrollHeight)).toBeGreaterThan(40 * 300);
  const height = await chat.list.evaluate((list) => list.scrollHeight);
  const moved = await chat.list.evaluate(async (list) => {
    const found = [];
    while (list.scrollTop + list.clientHeight < list.scrollHeight - 401) {
      const row = [...list.querySelectorAll(".row")].findLast((row) => row.getBoundingClientRect().bottom < list.getBoundingClientRect().bottom);
      const before = row.getBoundingClientRect().top;
      list.scrollTop += 400;
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      found.push(Math.round(before - row.getBoundingClientRect().top));
    }
    return [...new Set(found)];
  });
  expect(moved).toEqual([400]);
  expect(await chat.list.evaluate((list) => list.scrollHeight)).toBe(height);
  await scrollTo(chat, 1);
  await expect(chat.thread("Conversation 299")).toBeInViewport();
  await scrollTo(chat, 60 / 300);
  await expect(chat.list.getByRole("heading", { name: "Yesterday" })).toBeInViewport();
});

test("the time and the menu of a conversation come with the pointer and with the focus", async ({ page, chat, scripted }) => {
  scripted.addThread("One");
  scripted.addThread("Two");
  await chat.inline({ "base-url": scripted.origin, threads: "side" });
  const row = (name) => chat.list.getByRole("listitem").filter({ hasText: name });
  const shown = (name) => row(name).locator(".thread-time, .menu-anchor").evaluateAll((all) => all.map((it) => getComputedStyle(it).opacity).join());
  await page.mouse.move(0, 0);
  expect(await shown("One")).toBe("0,0");
  await chat.thread("One").hover();
  expect([await shown("One"), await shown("Two")]).toEqual(["1,1", "0,0"]);
  await chat.thread("Two").focus();
  expect(await shown("Two")).toBe("1,1");
});

test("a name takes two lines before it is cut, and rows are equally high", async ({ chat, scripted }) => {
  scripted.addThread("Which hotel in Lisbon is quiet, has a lift, and takes two large dogs that bark at night?");
  scripted.addThread("One");
  await chat.inline({ "base-url": scripted.origin, threads: "side" });
  await expect(chat.thread("One")).toBeVisible();
  const [one, two] = await chat.list.locator(".thread-name").evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height));
  expect(two).toBe(2 * one);
  const heights = await chat.threads.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);
});

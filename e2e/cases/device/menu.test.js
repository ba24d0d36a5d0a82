// The menu of the whole chat, by keyboard and in small and mirrored panels.

import { expect, test } from "../../fixtures.js";
import { more } from "./device.js";

test("it opens, goes round with the arrows, and gives the focus back", async ({ page, chat }) => {
  await chat.inline();
  await expect(more(chat)).toHaveAttribute("aria-haspopup", "menu");
  await expect(more(chat)).toHaveAttribute("aria-expanded", "false");
  await expect(chat.part("menu")).toHaveCount(1);
  await more(chat).focus();
  await page.keyboard.press("Enter");
  await expect(more(chat)).toHaveAttribute("aria-expanded", "true");
  const [copy, clear] = ["Copy diagnostic log", "Clear this device"].map((name) => chat.role("menuitem", { name }));
  await expect(copy).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(clear).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(copy).toBeFocused();
  await page.keyboard.press("End");
  await expect(clear).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(chat.role("menu")).toHaveCount(0);
  await expect(more(chat)).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(chat.role("menu")).toHaveCount(0);
});

for (const [name, settings] of Object.entries({ "from the left": {}, "from the right": { locale: "ar" } }))
  test(`at 360 pixels it is inside the panel, written ${name}`, async ({ page, chat }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await chat.launcher(settings);
    await chat.part("launcher").click();
    await more(chat).click();
    const menu = await chat.role("menu").boundingBox();
    expect(menu.x).toBeGreaterThanOrEqual(0);
    expect(menu.x + menu.width).toBeLessThanOrEqual(360);
    await expect(chat.role("menuitem").first()).toBeInViewport({ ratio: 1 });
  });

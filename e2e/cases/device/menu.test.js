// The menu of the whole chat, in small and mirrored panels.

import { expect, test } from "../../fixtures.js";
import { more } from "./device.js";

for (const [name, settings] of Object.entries({ "from the left": {}, "from the right": { locale: "ur" } }))
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

// What a tool asks for is drawn by the reader: until it is there, and if it never comes, nothing can be approved.

import { expect, test } from "../../fixtures.js";
import { asked, tool } from "../approval/tools.js";

const READER = /assent_renderer.*\.wasm$/;
const approve = (chat) => chat.tool("one").getByRole("radio", { name: "Approve" });
const deny = (chat) => chat.tool("one").getByRole("radio", { name: "Deny" });

test("a request is decided when the reader has come, and the focus stays where it was", async ({ page, chat, scripted }) => {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(READER, async (route) => {
    await released;
    await route.continue();
  });
  await asked(chat, scripted, [tool("b", "one")]);
  await expect(chat.tool("one")).toContainText("Reading the request…");
  await expect(approve(chat)).toBeDisabled();
  await expect(chat.button("Approve all")).toBeDisabled();
  await expect(chat.button("Approve all")).toHaveAccessibleDescription(/Reading the request…/);
  await expect(deny(chat)).toBeEnabled();
  await expect(chat.button("Stop and give feedback")).toBeEnabled();
  await deny(chat).focus();
  // Arrows go round among the choices that there are.
  await page.keyboard.press("ArrowLeft");
  await expect(approve(chat)).not.toBeChecked();
  await expect(deny(chat)).toBeFocused();
  release();
  await expect(chat.tool("one").locator("dl")).toContainText("/one");
  await expect(chat.tool("one")).not.toContainText("Reading the request…");
  await expect(deny(chat)).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(approve(chat)).toBeChecked();
  await chat.submit();
  expect((await scripted.nextPost()).raw).toContain("APPROVED");
});

test.describe("without a reader", () => {
  test.use({ expectedConsole: /Failed to load resource|wasm streaming compile failed|TypeError: Failed to fetch|warning: (TypeError|JSHandle)/ });

  test("a request says that it cannot be shown, and can only be denied or stopped", async ({ page, chat, scripted }) => {
    await page.route(READER, (route) => route.abort());
    await asked(chat, scripted, [tool("b", "one")]);
    await expect(chat.tool("one")).toContainText("This request cannot be shown, so that it cannot be approved. Reload the page to try again.");
    await expect(approve(chat)).toBeDisabled();
    await expect(chat.button("Approve all")).toBeDisabled();
    await chat.decide("one", "Deny");
    await chat.submit();
    expect((await scripted.nextPost()).raw).toContain("DENIED");
  });
});

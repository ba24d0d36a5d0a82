// theme="auto" follows the person's colour scheme while the page is open, before and after the application is there,
// whatever the page says of its own; a fixed theme does not follow, and the page's tokens hold in both.

import { expect, test } from "../embedding/site.js";

/** Colours of the light and of the dark form, as the documentation of the tokens has them. */
const SURFACE = { light: "rgb(255, 255, 255)", dark: "rgb(23, 24, 28)" };
const ACCENT = { light: "rgb(59, 91, 219)", dark: "rgb(142, 162, 255)" };
const TEXT = { light: "rgb(27, 29, 34)", dark: "rgb(236, 238, 242)" };

const emulate = (page, colorScheme) => page.emulateMedia({ colorScheme });

test("the launcher and the panel follow at once", async ({ page, chat, serve, visit }) => {
  await emulate(page, "light");
  await visit(`${await serve(import.meta.url)}/`, { theme: "auto" });
  const launcher = chat.part("launcher");
  for (const scheme of ["light", "dark", "light"]) {
    await emulate(page, scheme);
    await expect(launcher).toHaveCSS("background-color", ACCENT[scheme]);
  }
  await launcher.click();
  await chat.ask("hello");
  for (const scheme of ["dark", "light", "dark"]) {
    await emulate(page, scheme);
    await expect(launcher).toHaveCSS("background-color", ACCENT[scheme]);
    await expect(chat.part("panel")).toHaveCSS("background-color", SURFACE[scheme]);
    await expect(chat.lastMessage).toHaveCSS("color", TEXT[scheme]);
    await expect(chat.input).toHaveCSS("color", TEXT[scheme]);
    // The page, which said that it is light, stays as it is.
    await expect(page.getByText("The text of the page.")).toHaveCSS("color", "rgb(1, 2, 3)");
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("light");
  }
});

test("a fixed theme stays, and taking it away follows again", async ({ page, chat, serve, visit }) => {
  await emulate(page, "dark");
  await visit(`${await serve(import.meta.url)}/`, { theme: "light", open: "" });
  const panel = chat.part("panel");
  await expect(chat.input).toBeVisible();
  await expect(panel).toHaveCSS("background-color", SURFACE.light);
  await chat.element.evaluate((element) => element.setAttribute("theme", "dark"));
  await emulate(page, "light");
  await expect(panel).toHaveCSS("background-color", SURFACE.dark);
  await chat.element.evaluate((element) => element.removeAttribute("theme"));
  await expect(panel).toHaveCSS("background-color", SURFACE.light);
  await emulate(page, "dark");
  await expect(panel).toHaveCSS("background-color", SURFACE.dark);
});

test("a token of the page holds in both schemes", async ({ page, chat, serve, visit }) => {
  await visit(`${await serve(import.meta.url)}/`, { class: "branded", open: "" });
  await chat.ask("hello");
  const own = () =>
    chat.own.first().evaluate((message) => [...message.querySelectorAll("*")].some((it) => getComputedStyle(it).backgroundColor === "rgb(200, 0, 100)"));
  for (const scheme of ["light", "dark"]) {
    await emulate(page, scheme);
    await expect(chat.part("panel")).toHaveCSS("background-color", SURFACE[scheme]);
    expect(await own()).toBe(true);
  }
});

// The demo's page of decisions: a page of its own, which can be installed.

import { bringAxe, violations } from "../a11y/axe.js";
import { expect, test, widths } from "./demo.js";

const PATH = "/demo/approvals.html";

test("the front page leads to it, its manifest is whole, and axe finds nothing", async ({ page, serveDemo, scripted }) => {
  const origin = await serveDemo({ service: scripted.origin });
  await bringAxe(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${origin}/`);
  scripted.extensions = "inbox";
  await page.getByRole("link", { name: "The decisions" }).click();
  await expect(page).toHaveURL(`${origin}${PATH}`);
  const chat = page.locator("assent-chat");
  await expect(chat.getByRole("region", { name: "All decisions" })).toContainText("Nothing waits for you.");
  for (const width of [360, 320, 1200]) {
    await page.setViewportSize({ width, height: 740 });
    const [wide, own] = await widths(page);
    expect(wide).toBe(own);
    expect(await violations(page)).toEqual([]);
  }
  const address = await page.locator("link[rel=manifest]").evaluate((link) => link.href);
  const response = await page.request.get(address);
  expect(response.headers()["content-type"]).toBe("application/manifest+json");
  const manifest = await response.json();
  expect(manifest).toMatchObject({ name: "Larkspur Decisions", start_url: PATH, display: "standalone" });
  for (const { src } of manifest.icons) expect((await page.request.get(`${origin}${src}`)).ok()).toBe(true);
  await expect(page.locator("meta[name=viewport]")).toHaveAttribute("content", /width=device-width/);
  const devtools = await page.context().newCDPSession(page);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // Tests have a browser without a profile, which installs nothing.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
});

test("what an agent asks in the chat of the front page is decided there", async ({ page, serveDemo }) => {
  const origin = await serveDemo();
  await page.goto(`${origin}/demo/inline.html`);
  const chat = page.locator("assent-chat");
  await chat.getByRole("textbox", { name: "Message", exact: true }).fill("Book it");
  await page.keyboard.press("Enter");
  await expect(chat.getByRole("group", { name: "Approval needed" })).toHaveAttribute("data-state", "pending");
  await page.goto(`${origin}${PATH}`);
  await chat.getByRole("listitem").first().getByRole("button").click();
  await chat.getByRole("button", { name: /^Deny( all)?$/ }).last().click();
  const submit = chat.getByRole("button", { name: /^Submit/ });
  if (await submit.count()) await submit.click();
  await expect(chat.getByRole("group", { name: "Approval needed" })).toHaveAttribute("data-state", "answered");
});

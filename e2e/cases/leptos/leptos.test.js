// The chat in an application of Leptos, the example of that name, whose functions and events are Rust.

import { composer, file } from "../attachments/files.js";
import { inDevelopment, useFully } from "../examples/framework.js";
import { expect, test } from "../examples/project.js";

test("Leptos", async ({ page, chat, leptos }) => {
  await page.goto(`${leptos}/`);
  await expect(page.getByText("Conversation: none yet")).toBeVisible();
  await useFully(page, chat, "Leptos", ["agent-id", "class", "mode", "theme"]);

  const { threadId } = await chat.element.evaluate((element) => element.state);
  await expect(page.getByText(`Conversation: ${threadId}`)).toBeVisible();
  await expect(chat.element).toHaveAttribute("theme", "light");
  await page.getByRole("checkbox", { name: "Dark" }).check();
  await expect(chat.element).toHaveAttribute("theme", "dark");
  // Its functions are Rust, and answer as the chat expects it.
  const answers = await chat.element.evaluate(async ({ linkPolicy, uploader }) => [
    linkPolicy(new URL("https://a.example")),
    linkPolicy(new URL("http://a.example")),
    await uploader(new File([], "list.pdf"), {}),
  ]);
  expect(answers).toEqual([true, false, { fileId: "upload-of-list.pdf" }]);
  await composer(chat).choose(file("list.pdf"));
  await expect(composer(chat).files).toContainText("list.pdf");
  await expect(chat.send).toBeEnabled();
});

inDevelopment("Leptos");

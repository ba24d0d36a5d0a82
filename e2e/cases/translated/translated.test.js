// A browser that translates the page: it puts texts into elements of its own, and goes on with what is drawn later.

import { expect, test } from "../../fixtures.js";
import { request, tool } from "../../servers/approvals.js";

/** Translates as browsers do: each text is moved into two `font` elements, but for what says `translate="no"`. */
function translate() {
  const root = document.querySelector("assent-chat").shadowRoot;
  const wrap = () => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const kept = node.parentElement?.closest("font, style, textarea, [translate=no]");
      if (!kept && node.data.trim()) texts.push(node);
    }
    for (const text of texts) {
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.data.toUpperCase();
      outer.append(inner);
      text.replaceWith(outer);
    }
  };
  new MutationObserver(wrap).observe(root, { childList: true, characterData: true, subtree: true });
  wrap();
}

test("an answer goes on while it is translated, and what comes after it works", async ({ page, chat, scripted }) => {
  const post = await chat.streaming(scripted, "Hello", {}, "First words, ");
  await page.evaluate(translate);
  await expect(chat.lastMessage).toContainText("FIRST WORDS");
  post.say("then *more*.\n\nAnother paragraph.");
  await expect(chat.lastMessage).toContainText("ANOTHER PARAGRAPH");
  post.complete("First words, then *more*.\n\nAnother paragraph.");
  await expect(chat.lastMessage).toHaveAttribute("data-state", "complete");
  await expect(chat.lastMessage).toContainText(/another paragraph/i);
  const next = await chat.post(scripted, "And again");
  next.complete("The second answer.");
  await expect(chat.lastMessage).toContainText(/the second answer/i);
  await expect(chat.messages).toHaveCount(4);
});

test("what is decided about, code and the boxes are not translated", async ({ page, chat, scripted }) => {
  const post = await chat.streaming(scripted, "Pay", {}, "Run");
  post.say(" `rm -rf` or\n\n```\nlet it = be;\n```\n");
  await expect(chat.lastMessage.locator("pre code")).toBeVisible();
  await page.evaluate(translate);
  request(post, tool("b", "pay", { toolArguments: { to: "anna", path: "/srv/notes" } }));
  await expect(chat.approval).toHaveAttribute("data-state", "pending");
  for (const text of ["pay", "anna", "/srv/notes"]) await expect(chat.tool("pay")).toContainText(text);
  await expect(chat.lastMessage.locator("p code")).toHaveText("rm -rf");
  await expect(chat.lastMessage.locator("pre code")).toHaveText(/let it = be;/);
  await expect(chat.input).toHaveAttribute("translate", "no");
});

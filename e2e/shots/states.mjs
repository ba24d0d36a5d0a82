// All states but those of a request for approval.

import { readFileSync } from "node:fs";
import { composer, file, takeFiles } from "../cases/attachments/files.js";
import { hurry } from "../cases/faults/common.js";
import { inLanguage } from "../cases/languages/texts.js";
import { expect } from "../fixtures.js";
import { setFontSize } from "../servers/browser.js";
import { json } from "../servers/scripted.js";
import { open, showList, streaming, threads, top } from "./stage.mjs";

/** Any picture. */
const PICTURE = new URL("../../docs/screenshot.png", import.meta.url);

const QUESTION = "What does it cost to send a parcel to the islands?";

/** An inline chat with a list of conversations. */
const listed = (then) => async ({ chat, scripted, here }) => {
  threads(scripted);
  await chat.inline(here);
  await showList(chat);
  await then(chat, scripted);
};

/** An answer that came while the panel was closed. */
const unread = async ({ chat, scripted, here }) => {
  await chat.panel(here);
  const post = await chat.post(scripted, QUESTION);
  await chat.button("Close chat").click();
  post.complete("Parcels to the islands take **5 to 9 days**.");
  await expect(chat.part("badge")).toBeVisible();
};

/** An inline chat of the real service in which somebody says this. */
const says = (text, settings, then = async (_) => {}) => async ({ chat }) => {
  await chat.inline(settings);
  await chat.say(text);
  await then(chat);
};

/** An answer of the real service, seen from its end or from this place on. */
const formatted = (text, settings = {}, place = 1e6) => async ({ chat }) => {
  await chat.inline(settings);
  await chat.askFormatted(text);
  await chat.transcript.evaluate((area, place) => (area.scrollTop = place), place);
};

/** Each state by name: how to get there from a new page. `here` are settings for the scripted service. */
export const STATES = {
  "launcher-closed": ({ chat }) => chat.launcher(),
  "launcher-empty": ({ chat }) => open(chat),
  "launcher-loading": async ({ page, chat }) => {
    await page.route(/\.wasm$/, () => {});
    await chat.panel();
    await expect(chat.role("status")).toBeVisible();
  },
  "launcher-not-loaded": async ({ page, chat }) => {
    await page.route(/\.wasm$/, (route) => route.abort());
    await chat.panel();
    await expect(chat.alert).toBeVisible();
  },
  "launcher-badge": async ({ chat }) => {
    await chat.panel();
    await chat.asksApproval("approve one");
    await chat.button("Close chat").click();
    await expect(chat.part("badge")).toBeVisible();
  },
  "inline-empty": ({ chat }) => chat.inline(),
  suggestions: async ({ chat, here }) => {
    await chat.inline(here);
    const texts = ["Where is my order?", "I ordered a lamp and two chairs three weeks ago and got one chair, and now I would like to know where the rest is"];
    await chat.element.evaluate((element, texts) => (element.suggestions = texts), texts);
    await expect(chat.part("suggestion")).toHaveCount(2);
  },
  menu: async ({ chat }) => {
    await chat.inline();
    await chat.button("More").click();
    await expect(chat.role("menu")).toBeVisible();
  },
  "clear-device": async ({ chat }) => {
    await chat.inline();
    await chat.button("More").click();
    await chat.role("menuitem", { name: "Clear data on this device…" }).click();
    await expect(chat.role("alertdialog")).toBeVisible();
  },
  offline: async ({ page, chat }) => {
    await chat.inline();
    await chat.loaded();
    await page.context().setOffline(true);
    await expect(chat.part("composer")).toContainText("You’re offline");
  },
  "loading-messages": async ({ chat, scripted, here }) => {
    const thread = scripted.addThread("A refund for a broken lamp");
    scripted.on.messages = () => {};
    await chat.inline({ ...here, "thread-id": thread.id });
    await expect(chat.transcript).toHaveAttribute("data-state", "loading");
  },
  "loading-list": async ({ chat, scripted, here }) => {
    scripted.on.list = () => {};
    await chat.inline(here);
    if (!(await chat.list.isVisible())) await chat.threadsToggle.click();
    await expect(chat.list).toHaveAttribute("data-state", "loading");
  },
  arabic: async ({ chat, scripted, here }) => {
    scripted.hold = true;
    await chat.inline(here);
    const texts = await inLanguage(chat, "ar");
    await chat.role("textbox", { name: texts.message }).fill("كم تكلفة إرسال طرد إلى الجزر؟");
    await chat.role("button", { name: texts.send }).click();
    const post = await scripted.nextPost();
    post.begin();
    post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "");
    post.complete("تستغرق الطرود إلى الجزر **من 5 إلى 9 أيام**.\n\n1. تبحر العبّارة يومي الاثنين والخميس.\n2. See the handbook.\n\n> اقتباس\n\n| أ | ب |\n|---|---|\n| 1 | 2 |");
    await expect(chat.lastMessage.getByRole("table")).toBeVisible();
  },
  "streaming-activity": async (stage) => {
    const post = await streaming(stage, QUESTION);
    post.send("NOTIFICATION_AGENT_THINKING_STARTED", "Thinking about which sources may help");
    post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Searching the handbook for \"island delivery\"");
    await expect(stage.chat.lastMessage).toContainText("Searching the handbook");
  },
  "streaming-answer": async (stage) => {
    const post = await streaming(stage, QUESTION);
    post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Reading 12 passages");
    post.say("Parcels to the islands take **5 to 9 days**.\n\n1. The ferry sails on Mondays and Thurs");
    await expect(stage.chat.lastMessage).toContainText("Thurs");
    await stage.chat.input.fill("And what if it rains?");
  },
  "streaming-silent": async (stage) => {
    const post = await streaming(stage, QUESTION, "Parcels to the islands take 5 to 9 days.");
    post.send("NOTIFICATION_TOOL_EXECUTION_INITIATED", "Starting a tool: stock_level");
    post.send("NOTIFICATION_AGENT_THINKING_STARTED", "");
    post.send("NOTIFICATION_AGENT_THINKING_COMPLETE", "");
    await expect(stage.chat.lastMessage).toContainText(/Working… [2-9] s/);
  },
  "streaming-queued": async (stage) => {
    await streaming(stage, QUESTION, "Parcels to the islands take");
    for (const text of ["And what if it rains?", "I also have a parcel of 40 kg, which does not fit through the door of the post office."]) {
      await stage.chat.input.fill(text);
      await stage.chat.input.press("Enter");
    }
    await expect(stage.chat.role("group", { name: "Queued" })).toHaveCount(2);
    await stage.chat.input.fill("And one more thing");
  },
  "activity-done": async (stage) => {
    const post = await streaming(stage, QUESTION);
    post.send("NOTIFICATION_REQUEST_ORCHESTRATION_COMPLEX", "");
    post.send("NOTIFICATION_TOOL_EXECUTION_INITIATED", "Starting a tool: stock_level");
    post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "");
    post.send("NOTIFICATION_AGENT_THINKING_STARTED", "");
    post.complete("Parcels to the islands take **5 to 9 days**.");
    await stage.chat.role("group", { name: "Agent activity" }).getByRole("button").click();
    await expect(stage.chat.lastMessage).toContainText("Ran stock_level");
  },
  "launcher-unread": async (stage) => {
    await unread(stage);
  },
  "launcher-read": async (stage) => {
    await unread(stage);
    await stage.chat.button("Open chat, 1 new message").click();
    await expect(stage.chat.lastMessage).toContainText("New");
  },
  "not-sent": async ({ page, chat, scripted, here }) => {
    await chat.inline(here);
    await chat.ask("Hello");
    await page.context().setOffline(true);
    await chat.say(QUESTION);
    await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
    await page.context().setOffline(false);
    await expect(chat.own.last()).toContainText("Not sent.");
  },
  "not-reached": async ({ page, chat, scripted, here }) => {
    await page.clock.install();
    await chat.inline(here);
    await chat.ask("Hello");
    await scripted.refuse();
    await chat.say(QUESTION);
    await hurry(page, () => expect(chat.own.last()).toContainText("This may not have arrived.", { timeout: 300 }));
  },
  files: async ({ chat, here }) => {
    await chat.inline(here);
    await takeFiles(chat);
    await composer(chat).choose(file("there.pdf"));
    await chat.ask("Look at this");
    await composer(chat).choose({ name: "lamp.png", mimeType: "image/png", buffer: readFileSync(PICTURE) }, file("waiting.txt"), file("failed.zip"));
    await expect(composer(chat).form.getByRole("alert")).toBeVisible();
    await expect(composer(chat).form.locator("canvas")).toBeVisible();
  },
  "files-over": async ({ chat, here }) => {
    await chat.inline(here);
    await takeFiles(chat);
    await chat.transcript.evaluate((area) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["0123456789"], "a.txt"));
      area.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, composed: true, dataTransfer }));
    });
  },
  "long-message": async ({ chat }) => {
    await chat.inline();
    await chat.say("A longer message,\n\nwith several lines and an address that is wide: https://www.example.org/a/rather/long/address/that/has/to/wrap?with=a&query=too\n\nand an end.");
    await expect(chat.lastMessage).toHaveAttribute("data-role", "assistant");
    await chat.input.fill(Array(12).fill("A draft of many lines").join("\n"));
  },
  markdown: formatted("markdown", {}, 60),
  "markdown-end": formatted("markdown"),
  unsafe: formatted("unsafe"),
  collaboration: says("side by side", {}, (chat) =>
    expect(chat.role("article", { name: /^Reviewer/ })).toHaveAttribute("data-state", "complete"),
  ),
  "activity-expanded": async ({ chat }) => {
    await chat.inline();
    await chat.ask("trouble");
    await chat.role("group", { name: "Agent activity" }).getByRole("button").click();
    await chat.transcript.evaluate((area) => (area.scrollTop = 0));
  },
  "error-message": async ({ page, chat, scripted, here }) => {
    await page.clock.install();
    await chat.inline(here);
    await chat.ask("Hello");
    scripted.on.post = (_, response) => response.writeHead(503).end();
    scripted.on.messages = (_, response) => response.writeHead(503).end();
    await chat.say(QUESTION);
    await hurry(page, () => expect(chat.own.last()).toHaveAttribute("data-state", "failed", { timeout: 300 }));
  },
  "error-refused": async ({ chat, scripted, here }) => {
    scripted.on.post = (_, response) => json(response, 400, { message: "This message is longer than 4,000 characters." });
    await chat.inline(here);
    await chat.say(QUESTION);
    await expect(chat.own).toHaveAttribute("data-state", "failed");
  },
  "error-sign-in": async ({ chat, scripted, here }) => {
    scripted.on.list = scripted.on.create = (_, response) => json(response, 401, {});
    await chat.inline(here);
    await chat.say("Hello");
    await expect(chat.own).toHaveAttribute("data-state", "failed");
  },
  "error-list": async ({ page, chat, scripted, here }) => {
    await page.clock.install();
    scripted.on.list = (_, response) => response.writeHead(500).end();
    await chat.inline(here);
    if (!(await chat.list.isVisible())) await chat.threadsToggle.click();
    await hurry(page, () => expect(chat.list).toHaveAttribute("data-state", "failed", { timeout: 300 }));
  },
  "error-unconfirmed": async ({ page, chat, scripted, here }) => {
    await page.clock.install();
    scripted.on.post = (_, response) => response.socket.destroy();
    scripted.on.messages = (_, response) => response.writeHead(503).end();
    await chat.inline(here);
    await chat.say(QUESTION);
    await hurry(page, () => expect(chat.button("Send again")).toBeVisible({ timeout: 300 }));
    await chat.button("Send again").click();
  },
  "error-agent": says("fail", {}, (chat) => expect(chat.lastMessage).toHaveAttribute("data-state", "failed")),
  "error-interrupted": async (stage) => {
    const post = await streaming(stage, QUESTION, "Parcels to the islands take five days and");
    stage.scripted.on.messages = (_, response) => response.writeHead(500).end();
    post.cut();
    await expect(stage.chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  },
  "error-rename": listed(async (chat, scripted) => {
    scripted.on.rename = (_, response) => response.writeHead(500).end();
    await chat.choose("Delivery to the islands", "Rename");
    await chat.role("textbox", { name: "Conversation name" }).fill("Islands");
    await chat.role("textbox", { name: "Conversation name" }).press("Enter");
    await expect(chat.alert).toBeVisible();
  }),
  stopped: async (stage) => {
    await streaming(stage, QUESTION, "Parcels to the islands take");
    await stage.chat.stop.click();
    await expect(stage.chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  },
  threads: listed(async (chat) => {
    await chat.thread("Delivery to the islands").click();
    await showList(chat);
    await expect(chat.thread("Delivery to the islands")).toHaveAttribute("aria-current", "true");
  }),
  "threads-menu": listed(async (chat) => {
    await chat.button("Actions for Delivery to the islands").click();
    await expect(chat.role("menu")).toBeVisible();
  }),
  "threads-rename": listed(async (chat) => {
    await chat.choose("Delivery to the islands", "Rename");
    await expect(chat.role("textbox", { name: "Conversation name" })).toBeFocused();
  }),
  "threads-delete": listed(async (chat) => {
    await chat.choose("Delivery to the islands", "Delete");
    await expect(chat.dialog).toBeVisible();
  }),
  "threads-many": async ({ chat, scripted, here }) => {
    const names = ["hello", "Complaint about the parcel that was left in the rain at the back door", "Bulk prices", "Cancel my subscription before the end of this month", "مرحبا، أين طلبي؟", "Language of the receipt", "Opening hours", "Password"];
    const ids = names.map((name, at) => {
      const age = at < 3 ? 0 : at < 5 ? 1 : 9;
      const lastMessageTime = new Date(Date.now() - 86_400_000 * age - 1000 * at).toISOString();
      return Object.assign(scripted.addThread(name), { lastMessageTime }).id;
    });
    await chat.inline(here);
    const go = (id) => chat.element.evaluate((element, id) => element.openThread(id), id);
    await go(ids[2]);
    await chat.input.fill("And for 200 of them?");
    await go(ids[0]);
    await showList(chat);
    await chat.thread(names[1]).hover();
  },
  "threads-forced-colors": async (stage) => {
    await stage.page.emulateMedia({ forcedColors: "active" });
    await STATES["threads-many"](stage);
  },
  "threads-right-to-left": async ({ chat, scripted }) => {
    threads(scripted);
    await chat.inline({ "base-url": scripted.origin, dir: "rtl", lang: "ar" });
    await showList(chat);
  },
  "empty-right-to-left": ({ chat }) => chat.inline({ dir: "rtl", lang: "ar" }),
  "letters-of-twice-the-size": async ({ page, chat }) => {
    await setFontSize(page, 32);
    await chat.inline();
    await chat.ask("hello");
  },
  "not-set-up": async ({ chat }) => {
    await chat.visit("inline", { without: "agent-id" });
    await expect(chat.alert).toBeVisible();
  },
  "right-to-left": formatted("unicode", { dir: "rtl", lang: "ar" }, 0),
  "right-to-left-approval": async ({ chat }) => {
    await open(chat, { dir: "rtl", lang: "ar" });
    await chat.say("approve one");
    await chat.decide("refund_payment", "Approve");
  },
  "right-to-left-arguments": says("deceptive", { dir: "rtl", lang: "ar" }, top),
  "forced-colors-arguments": async (stage) => {
    await stage.page.emulateMedia({ forcedColors: "active" });
    await says("deceptive", {}, top)(stage);
  },
  "forced-colors": async (stage) => {
    await stage.page.emulateMedia({ forcedColors: "active" });
    await says("approve three", {}, (chat) => chat.decide("refund_payment", "Approve"))(stage);
  },
};

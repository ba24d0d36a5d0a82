// Takes pictures of the widget in its states, for a person to look at: `cargo xtask shots` builds what it photographs.
// A word after `node shots.mjs` takes only the states whose name holds it.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { request, tool } from "./cases/approval/tools.js";
import { Chat, expect } from "./fixtures.js";
import { PAGE_ORIGIN, PAGE_PORT } from "./servers/addresses.js";
import { BROWSER } from "./servers/browser.js";
import { fileServer } from "./servers/files.js";
import { json, ScriptedService } from "./servers/scripted.js";

const FOLDER = process.env.ASSENT_SHOTS ?? "../target/shots";
const ONLY = process.argv[2] ?? "";
const SIZES = [
  { width: 360, height: 740 },
  { width: 1200, height: 800 },
];
/** Approvals have a second width of their own. */
const APPROVAL_SIZES = [SIZES[0], { width: 1000, height: 800 }];
const SCHEMES = ["light", "dark"];

const open = async (chat, settings) => {
  await chat.launcher(settings);
  await chat.button("Open chat").click();
  await expect(chat.input).toBeVisible();
};

/** A held conversation that streams; returns the post. */
const streaming = async ({ chat, scripted, here }, text) => {
  scripted.hold = true;
  await chat.inline(here);
  await chat.say(text);
  const post = await scripted.nextPost();
  post.begin();
  return post;
};

const threads = (scripted) => {
  for (const name of ["A refund for a broken lamp", "Delivery to the islands", "", "Which hotel in Lisbon is quiet, has a lift, and takes dogs?"]) {
    const thread = scripted.addThread(name);
    scripted.store(thread.id, "user", name || "Hello");
    scripted.store(thread.id, "assistant", "Here is what I found.", { handle: "Scripted" });
  }
};

const showList = async (chat) => {
  if (!(await chat.list.isVisible())) await chat.threadsToggle.click();
  await expect(chat.list).toHaveAttribute("data-state", "ready");
};

/** A scripted agent that asks for these tools. */
const asked = async (stage, ...names) => {
  const post = await streaming(stage, "Please settle the case of the broken lamp.");
  request(post, ...names.map((name) => tool("b", name, { toolArguments: { order: "4711", amount: "49.90 EUR" } })));
  await expect(stage.chat.approval).toHaveAttribute("data-state", "pending");
};

/** The card from its beginning, or further down. */
const top = async (chat, further = 0) => {
  await expect(chat.approval).toBeVisible();
  const card = chat.approval.last();
  await card.evaluate((card, further) => {
    const area = card.closest("[part=transcript]");
    area.scrollTop += card.getBoundingClientRect().top - area.getBoundingClientRect().top - 12 + further;
  }, further);
};

const bottom = async (chat) => {
  await expect(chat.approval.last()).toBeVisible();
  await chat.transcript.evaluate((area) => (area.scrollTop = area.scrollHeight));
};

/** Every state by name: how to get there from a new page. `here` are settings for the scripted service. */
const STATES = {
  "launcher-closed": ({ chat }) => chat.launcher(),
  "launcher-empty": ({ chat }) => open(chat),
  "launcher-answer": async ({ chat }) => {
    await open(chat);
    await chat.ask("hello");
  },
  "launcher-loading": async ({ page, chat }) => {
    await page.route(/\.wasm$/, () => {});
    await chat.launcher();
    await chat.button("Open chat").click();
    await expect(chat.role("status")).toBeVisible();
  },
  "launcher-not-loaded": async ({ page, chat }) => {
    await page.route(/\.wasm$/, (route) => route.abort());
    await chat.launcher();
    await chat.button("Open chat").click();
    await expect(chat.alert).toBeVisible();
  },
  "inline-empty": ({ chat }) => chat.inline(),
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
  "sent-waiting": async (stage) => {
    await streaming(stage, "What does it cost to send a parcel to the islands?");
    await expect(stage.chat.lastMessage).toHaveAttribute("data-state", "streaming");
  },
  "streaming-activity": async (stage) => {
    const post = await streaming(stage, "What does it cost to send a parcel to the islands?");
    post.send("NOTIFICATION_AGENT_THINKING_STARTED", "Thinking about which sources may help");
    post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Searching the handbook for \"island delivery\"");
    await expect(stage.chat.lastMessage).toContainText("Searching the handbook");
  },
  "streaming-answer": async (stage) => {
    const post = await streaming(stage, "What does it cost to send a parcel to the islands?");
    post.send("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Reading 12 passages");
    post.say("Parcels to the islands take **5 to 9 days**.\n\n1. The ferry sails on Mondays and Thurs");
    await expect(stage.chat.lastMessage).toContainText("Thurs");
    await stage.chat.input.fill("And what if it rains?");
  },
  "long-message": async ({ chat }) => {
    await chat.inline();
    await chat.say("A longer message,\n\nwith several lines and an address that is wide: https://www.example.org/a/rather/long/address/that/has/to/wrap?with=a&query=too\n\nand an end.");
    await expect(chat.lastMessage).toHaveAttribute("data-role", "assistant");
    await chat.input.fill(Array(12).fill("A draft of many lines").join("\n"));
  },
  markdown: async ({ chat }) => {
    await chat.inline();
    await chat.askFormatted("markdown");
    await chat.transcript.evaluate((area) => (area.scrollTop = 60));
  },
  "markdown-end": async ({ chat }) => {
    await chat.inline();
    await chat.askFormatted("markdown");
  },
  unsafe: async ({ chat }) => {
    await chat.inline();
    await chat.askFormatted("unsafe");
  },
  collaboration: async ({ chat }) => {
    await chat.inline();
    await chat.say("side by side");
    await expect(chat.role("article", { name: /^Reviewer/ })).toHaveAttribute("data-state", "complete");
  },
  "activity-collapsed": async ({ chat }) => {
    await chat.inline();
    await chat.ask("research");
  },
  "activity-expanded": async ({ chat }) => {
    await chat.inline();
    await chat.ask("trouble");
    await chat.role("group", { name: "Agent activity" }).getByRole("button").click();
    await chat.transcript.evaluate((area) => (area.scrollTop = 0));
  },
  "approval-one": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve one");
    await expect(chat.approval).toBeVisible();
  },
  "approval-launcher": async ({ chat }) => {
    await open(chat);
    await chat.say("approve one");
    await expect(chat.approval).toBeVisible();
  },
  "approval-three": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await expect(chat.approval).toBeVisible();
  },
  "approval-decided": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await chat.decide("refund_payment", "Approve");
    await chat.decide("send_email", "Deny");
    await chat.decide("delete_file", "Approve");
  },
  "approval-feedback": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await chat.button("Stop and give feedback").click();
    await chat.role("textbox", { name: "Feedback" }).fill("Take order 4712 instead.");
  },
  "approval-answered": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await chat.button("Approve all").click();
    await chat.decide("send_email", "Deny");
    await chat.button("Submit decisions").click();
    await expect(chat.lastMessage).toContainText("The case stays open");
  },
  "approval-answered-open": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve three");
    await chat.button("Approve all").click();
    await chat.decide("send_email", "Deny");
    await chat.button("Submit decisions").click();
    await chat.button("Arguments of send_email").click();
    await expect(chat.lastMessage).toContainText("The case stays open");
    await chat.approval.evaluate((card) => (card.closest("[part=transcript]").scrollTop = card.offsetTop - 20));
  },
  "approval-typed": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve typed");
    await top(chat);
  },
  "approval-typed-end": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve typed");
    await bottom(chat);
  },
  "approval-deceptive": async ({ chat }) => {
    await chat.inline();
    await chat.say("deceptive");
    await top(chat);
  },
  "approval-deceptive-more": async ({ chat }) => {
    await chat.inline();
    await chat.say("deceptive");
    await top(chat, 480);
  },
  "approval-folded": async ({ chat }) => {
    await chat.inline();
    await chat.say("deceptive");
    await bottom(chat);
  },
  "approval-unfolded": async ({ chat }) => {
    await chat.inline();
    await chat.say("deceptive");
    await expect(chat.approval).toBeVisible();
    for (let more = chat.role("button", { name: /^Show all/ }); await more.count(); ) await more.first().click();
    await bottom(chat);
  },
  "approval-changed": async ({ chat }) => {
    await chat.inline();
    await chat.say("approve again");
    await chat.role("button", { name: /^Show all/ }).click();
    await chat.button("Approve all").click();
    await chat.button("Submit decisions").click();
    await expect(chat.approval).toHaveCount(2);
    await bottom(chat);
  },
  "approval-refused": async (stage) => {
    await asked(stage, "refund_payment", "send_email");
    stage.scripted.on.post = (_, response) =>
      json(response, 400, {
        error: "The answer does not fit the request.",
        details: { batchId: "b", issues: [{ toolExecutionId: "execution-send_email", error: "This mailbox was closed meanwhile." }] },
        conflictingStates: ["APPROVED", "ABORTED_WITH_FEEDBACK"],
      });
    await stage.chat.button("Approve all").click();
    await stage.chat.button("Submit decisions").click();
    await expect(stage.chat.approval).toHaveAttribute("data-state", "failed");
    await bottom(stage.chat);
  },
  "approval-unknown": async (stage) => {
    await asked(stage, "refund_payment");
    stage.scripted.on.post = (_, response) => response.socket.destroy();
    stage.scripted.on.messages = (_, response) => response.writeHead(503).end();
    await stage.chat.button("Approve all").click();
    await stage.chat.button("Submit decisions").click();
    await expect(stage.chat.button("Check again")).toBeVisible();
  },
  "approval-files": async (stage) => {
    await stage.page.addInitScript(() => {
      customElements.whenDefined("assent-chat").then(() => {
        document.querySelector("assent-chat").uploader = (file, { progress }) =>
          new Promise((there, failed) => {
            if (file.name.endsWith(".pdf")) there({ fileId: "f" });
            else if (file.name.endsWith(".exe")) failed(new Error("Programs are not taken."));
            else progress(0.4);
          });
      });
    });
    await asked(stage, "refund_payment");
    await stage.chat.button("Stop and give feedback").click();
    await stage.chat.role("textbox", { name: "Feedback" }).fill("The receipt says something else.");
    const file = (name, size) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.alloc(size) });
    const files = [file("receipt.pdf", 48213), file("photo of the broken lamp.jpg", 2413001), file("setup.exe", 812)];
    await stage.chat.element.locator("input[type=file]").setInputFiles(files);
    await expect(stage.chat.role("alert")).toBeVisible();
    await bottom(stage.chat);
  },
  "approval-asking": async (stage) => {
    await asked(stage, "refund_payment");
    await stage.chat.say("Wait, that was the wrong order.");
    await expect(stage.chat.button("Keep writing")).toBeVisible();
    await bottom(stage.chat);
  },
  "approval-waiting": async (stage) => {
    await asked(stage, "refund_payment");
    await stage.chat.say("And then send me the receipt, please.");
    await stage.chat.button("Send after the decision").click();
    await bottom(stage.chat);
  },
  "approval-threads": async (stage) => {
    threads(stage.scripted);
    await asked(stage, "refund_payment", "send_email");
    await stage.chat.part("thread-new").click();
    await expect(stage.chat.approval).toHaveCount(0);
    await showList(stage.chat);
  },
  "approval-badge": async (stage) => {
    await asked(stage, "refund_payment", "send_email");
    await stage.chat.part("thread-new").click();
    await expect(stage.chat.approval).toHaveCount(0);
    if (await stage.chat.list.isVisible()) await stage.chat.threadsToggle.click();
  },
  "approval-unanswerable": async ({ page, chat }) => {
    await chat.inline();
    await chat.say("approve one");
    await expect(chat.approval).toBeVisible();
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await chat.threadsToggle.click();
    if (!(await chat.list.isVisible())) await chat.threadsToggle.click();
    await chat.threads.first().click();
    await expect(chat.approval).toHaveAttribute("data-state", "unanswerable");
  },
  "error-message": async ({ chat, scripted, here }) => {
    await chat.inline(here);
    await chat.ask("Hello");
    scripted.on.post = (_, response) => response.writeHead(503).end();
    scripted.on.messages = (_, response) => response.writeHead(503).end();
    await chat.say("What does it cost to send a parcel to the islands?");
    await expect(chat.own.last()).toHaveAttribute("data-state", "failed");
  },
  "error-refused": async ({ chat, scripted, here }) => {
    scripted.on.post = (_, response) => json(response, 400, { message: "This message is longer than 4,000 characters." });
    await chat.inline(here);
    await chat.say("What does it cost to send a parcel to the islands?");
    await expect(chat.own).toHaveAttribute("data-state", "failed");
  },
  "error-sign-in": async ({ chat, scripted, here }) => {
    scripted.on.list = scripted.on.create = (_, response) => json(response, 401, {});
    await chat.inline(here);
    await chat.say("Hello");
    await expect(chat.own).toHaveAttribute("data-state", "failed");
  },
  "error-list": async ({ chat, scripted, here }) => {
    scripted.on.list = (_, response) => response.writeHead(500).end();
    await chat.inline(here);
    if (!(await chat.list.isVisible())) await chat.threadsToggle.click();
    await expect(chat.list).toHaveAttribute("data-state", "failed");
  },
  "error-agent": async ({ chat }) => {
    await chat.inline();
    await chat.say("fail");
    await expect(chat.lastMessage).toHaveAttribute("data-state", "failed");
  },
  "error-interrupted": async (stage) => {
    const post = await streaming(stage, "What does it cost to send a parcel to the islands?");
    stage.scripted.on.messages = (_, response) => response.writeHead(500).end();
    post.say("Parcels to the islands take **5 to 9 days** and");
    await expect(stage.chat.lastMessage).toContainText("9 days and");
    post.cut();
    await expect(stage.chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  },
  "error-rename": async ({ chat, scripted, here }) => {
    threads(scripted);
    scripted.on.rename = (_, response) => response.writeHead(500).end();
    await chat.inline(here);
    await showList(chat);
    await chat.choose("Delivery to the islands", "Rename");
    await chat.role("textbox", { name: "Conversation name" }).fill("Islands");
    await chat.role("textbox", { name: "Conversation name" }).press("Enter");
    await expect(chat.alert).toBeVisible();
  },
  stopped: async (stage) => {
    const post = await streaming(stage, "What does it cost to send a parcel to the islands?");
    post.say("Parcels to the islands take");
    await expect(stage.chat.lastMessage).toContainText("islands take");
    await stage.chat.stop.click();
    await expect(stage.chat.lastMessage).toHaveAttribute("data-state", "interrupted");
  },
  threads: async ({ chat, scripted, here }) => {
    threads(scripted);
    await chat.inline(here);
    await showList(chat);
    await chat.thread("Delivery to the islands").click();
    await showList(chat);
    await expect(chat.thread("Delivery to the islands")).toHaveAttribute("aria-current", "true");
  },
  "threads-menu": async ({ chat, scripted, here }) => {
    threads(scripted);
    await chat.inline(here);
    await showList(chat);
    await chat.button("Actions for Delivery to the islands").click();
    await expect(chat.role("menu")).toBeVisible();
  },
  "threads-rename": async ({ chat, scripted, here }) => {
    threads(scripted);
    await chat.inline(here);
    await showList(chat);
    await chat.choose("Delivery to the islands", "Rename");
    await expect(chat.role("textbox", { name: "Conversation name" })).toBeFocused();
  },
  "threads-delete": async ({ chat, scripted, here }) => {
    threads(scripted);
    await chat.inline(here);
    await showList(chat);
    await chat.choose("Delivery to the islands", "Delete");
    await expect(chat.dialog).toBeVisible();
  },
  "threads-launcher": async ({ chat, scripted, here }) => {
    threads(scripted);
    await open(chat, here);
    await showList(chat);
  },
  "not-set-up": async ({ chat }) => {
    await chat.visit("inline", { without: "agent-id" });
    await expect(chat.alert).toBeVisible();
  },
  "right-to-left": async ({ chat }) => {
    await chat.inline({ dir: "rtl", lang: "ar" });
    await chat.askFormatted("unicode");
    await chat.transcript.evaluate((area) => (area.scrollTop = 0));
  },
  "right-to-left-approval": async ({ chat }) => {
    await open(chat, { dir: "rtl", lang: "ar" });
    await chat.say("approve one");
    await chat.decide("refund_payment", "Approve");
  },
  "right-to-left-arguments": async ({ chat }) => {
    await chat.inline({ dir: "rtl", lang: "ar" });
    await chat.say("deceptive");
    await top(chat);
  },
  "forced-colors-arguments": async ({ page, chat }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await chat.inline();
    await chat.say("deceptive");
    await top(chat);
  },
  "forced-colors": async ({ page, chat }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await chat.inline();
    await chat.say("approve three");
    await chat.decide("refund_payment", "Approve");
  },
};

async function shoot(browser, name, size, colorScheme) {
  const context = await browser.newContext({ baseURL: PAGE_ORIGIN, viewport: size, colorScheme, reducedMotion: "reduce" });
  const scripted = await ScriptedService.start();
  const page = await context.newPage();
  const chat = new Chat(page, `shots-${name}-${size.width}-${colorScheme}-${process.pid}`);
  const file = `${name}.${size.width}.${colorScheme}.png`;
  try {
    await STATES[name]({ page, chat, scripted, here: { "base-url": scripted.origin } });
  } catch (error) {
    failed.push(`${file}: ${error.message.split("\n")[0]}`);
  }
  await page.screenshot({ path: join(FOLDER, file), animations: "disabled" });
  await context.close();
  await scripted.stop();
}

const sizes = (name) => (name.startsWith("approval-") ? APPROVAL_SIZES : SIZES);

const failed = [];
mkdirSync(FOLDER, { recursive: true });
const pages = fileServer().listen(PAGE_PORT, "127.0.0.1");
const browser = await chromium.launch(BROWSER);
const jobs = Object.keys(STATES)
  .filter((name) => name.includes(ONLY))
  .flatMap((name) => sizes(name).flatMap((size) => SCHEMES.map((scheme) => [name, size, scheme])));
const count = jobs.length;
const worker = async () => {
  for (let job = jobs.shift(); job; job = jobs.shift()) await shoot(browser, ...job);
};
await Promise.all([worker(), worker(), worker()]);
await browser.close();
pages.close();
process.stdout.write(`${count} pictures of ${PAGE_ORIGIN} in ${FOLDER}\n`);
for (const line of failed) console.error(`not reached: ${line}`);
process.exitCode = failed.length ? 1 : 0;

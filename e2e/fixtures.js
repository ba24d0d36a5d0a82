// What the cases share: a page with one chat on it, seen through roles and names as assistive technology sees it.
// Every test also fails on an unexpected console message, page error, or request to a host that it does not know.

import { randomUUID } from "node:crypto";
import { expect, test as base } from "@playwright/test";
import { recordRequests, watchFetch } from "./requests.js";
import { API_KEY, PAGE_ORIGIN, SERVICE_ORIGIN } from "./servers/addresses.js";
import { ScriptedService } from "./servers/scripted.js";
import { leave } from "./servers/serving.js";
import { titleOf } from "./title.js";

export { API_KEY, expect, leave, PAGE_ORIGIN, SERVICE_ORIGIN, titleOf };

/** The one warning that every page of these tests gives, because their keys are in the page. */
const KEY_WARNING = /everybody who opens this page can read its api-key/;
/** What Firefox says where Chromium says that a resource failed to load. */
const LOST_IN_FIREFOX = /Cross-Origin Request Blocked: .*\(Reason: CORS request did not succeed\)/;
/** The rule `body {}`, which Playwright writes into Firefox's pages before it takes the picture of a failed test. */
const SCREENSHOT_IN_FIREFOX = /blocked an inline style .*'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA='/;

export const test = base.extend({
  /** Pattern of the console messages that a case expects. */
  expectedConsole: [/(?!)/, { option: true }],
  /** A user that nobody else is. */
  user: async ({}, use) => use(`user-${randomUUID()}`),
  /** The chat on the page. */
  chat: async ({ page, user }, use) => use(new Chat(page, user)),
  /** The real service as this user, from outside of the page. */
  service: async ({ user }, use) => use(new Service(user)),
  /** A service that does what the test says. */
  scripted: async ({ context }, use) => {
    const scripted = await ScriptedService.start();
    await use(scripted);
    await leave(context);
    await scripted.stop();
  },
  /** Everything that the pages said on their consoles, as Chromium says it. */
  console: [
    async ({ context, browserName, expectedConsole }, use) => {
      const messages = [];
      const note = (text) => messages.push(text.replace(LOST_IN_FIREFOX, "Failed to load resource: $&"));
      context.on("console", (message) => note(`${message.type()}: ${message.text()} ${message.location().url}`));
      context.on("weberror", (error) => note(`error: ${error.error()}`));
      context.on("request", (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol.startsWith("http") && hostname !== "127.0.0.1") note(`request: ${request.url()}`);
      });
      if (browserName === "firefox") {
        // Chromium says so by itself.
        context.on("response", (response) => {
          if (response.status() >= 400) note(`error: Failed to load resource: ${response.status()} ${response.url()}`);
        });
      }
      await use(messages);
      const expected = [KEY_WARNING, SCREENSHOT_IN_FIREFOX, expectedConsole];
      expect(messages.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
  context: async ({ context, browserName }, use) => {
    if (browserName === "firefox") await watchFetch(context);
    await use(context);
    // In Firefox the routes of one context hold the requests of all others too, also after its end, and those of a new tab for ever.
    await context.unrouteAll();
  },
});

/** One chat on a page. */
export class Chat {
  constructor(page, user, element = page.locator("assent-chat")) {
    this.page = page;
    this.user = user;
    this.element = element;
    const role = (...query) => element.getByRole(...query);
    this.heading = role("heading", { level: 2 });
    this.input = role("textbox", { name: "Message", exact: true });
    this.send = role("button", { name: "Send" });
    this.stop = role("button", { name: "Stop", exact: true });
    this.transcript = role("region", { name: "Messages" });
    this.messages = role("article");
    this.list = role("navigation", { name: "Conversations" });
    this.threadsToggle = role("button", { name: "Conversations", exact: true });
    // A new conversation has that name in the list, too.
    this.newThread = role("button", { name: "New conversation", exact: true }).and(this.part("thread-new"));
    this.approval = role("group", { name: "Approval needed" });
    this.alert = role("alert");
    this.dialog = role("alertdialog", { name: "Delete conversation?" });
  }

  /** An element with this part. */
  part(name) {
    return this.element.locator(`[part~="${name}"]`);
  }

  /** A name as the accessibility tree has it, anywhere in the chat. */
  role(...query) {
    return this.element.getByRole(...query);
  }

  /** Opens a host page: attributes of the element and parts of the page (`csp`, `lang`, `dir`, `script`, `without`). */
  async visit(page, settings = {}) {
    const query = new URLSearchParams({ "user-id": this.user, ...settings });
    await this.page.goto(`/pages/${page}.html?${query}`);
  }

  /** The same user's chat in another tab of the same browser, still without a page. */
  async tab() {
    return new Chat(await this.page.context().newPage(), this.user);
  }

  /** An inline chat that is ready to be used. */
  async inline(settings = {}) {
    await this.visit("inline", settings);
    // The box is there before the application.
    await expect(this.input).toBeVisible();
    await this.element.evaluate((element) => element.ready);
  }

  /** A page with the launcher, still closed. */
  async launcher(settings = {}) {
    await this.visit("launcher", settings);
    await expect(this.role("button", { name: "Open chat" })).toBeVisible();
  }

  /** A page with the launcher, and its panel open. */
  async panel(settings = {}) {
    await this.launcher(settings);
    await this.button("Open chat").click();
  }

  /** Waits until the whole widget is there. Before that, a network that goes takes the renderer along, which is said on the console. */
  async loaded() {
    const wait = async () => {
      const [loader] = Object.values(globalThis[Symbol.for("assent")] ?? {});
      await loader?.rest;
      return Boolean(loader?.rest);
    };
    await expect.poll(() => this.page.evaluate(wait)).toBe(true);
  }

  /** Types and sends. */
  async say(text) {
    await this.input.fill(text);
    await this.input.press("Enter");
  }

  /** Sends, and waits until the answer is whole. */
  async ask(text) {
    const before = await this.messages.count();
    await this.say(text);
    await expect(this.messages).toHaveCount(before + 2);
    await this.isAnswered();
  }

  /** Sends a text to a scripted service, which accepts it; returns the post, whose answer is the test's. */
  async post(scripted, text) {
    scripted.hold = true;
    await this.say(text);
    const post = await scripted.nextPost();
    post.begin();
    return post;
  }

  /** An inline chat at a scripted service whose agent has begun to answer this text, with these words if there are any; returns the post. */
  async streaming(scripted, text, settings = {}, words = "") {
    await this.inline({ "base-url": scripted.origin, ...settings });
    const post = await this.post(scripted, text);
    if (words) post.say(words);
    await expect(this.lastMessage).toHaveAttribute("data-state", "streaming");
    await expect(this.lastMessage).toContainText(words);
    return post;
  }

  /** Notes these events from now on, where they arrive last: at the document. What is returned gives the details of one type. */
  async listen(...types) {
    await this.page.evaluate((types) => {
      globalThis.heard = [];
      const note = ({ type, detail }) => globalThis.heard.push([type.replace("assent:", ""), structuredClone(detail)]);
      for (const type of types) document.addEventListener(`assent:${type}`, note);
    }, types);
    return (type) => this.page.evaluate((type) => globalThis.heard.filter(([known]) => known === type).map(([, detail]) => detail), type);
  }

  /** Waits until the last answer is whole and its stream has ended, a moment later: until then nothing is sent. */
  async isAnswered() {
    await expect(this.lastMessage).toHaveAttribute("data-state", "complete");
    await expect(this.stop).toHaveCount(0);
  }

  /** Says what makes the agent ask, and waits for its request. */
  async asksApproval(text) {
    await this.say(text);
    await expect(this.approval).toHaveAttribute("data-state", "pending");
  }

  /** Waits until the agent has asked and its stream has ended: from now on a text asks what is meant. */
  async waitsForDecision() {
    await expect(this.part("composer")).toContainText("Waiting for your decision");
  }

  /** Waits until the last answer is drawn by the renderer, which comes after the widget and draws all answers anew. */
  async isDrawn() {
    await expect(this.lastMessage.locator(".answer > .blocks").first()).toBeVisible();
  }

  /** Asks for an answer with headings, and waits until it is drawn as Markdown. */
  async askFormatted(text) {
    await this.ask(text);
    await expect(this.lastMessage.getByRole("heading").first()).toBeVisible();
  }

  get lastMessage() {
    return this.messages.last();
  }

  /** Messages of the person. */
  get own() {
    return this.role("article", { name: /^You\b/ });
  }

  /** The rows of the list, in order. */
  get threads() {
    return this.part("thread");
  }

  thread(name) {
    return this.list.getByRole("button", { name, exact: true });
  }

  /** Opens the menu of a conversation and chooses. */
  async choose(name, action) {
    await this.list.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await this.role("menuitem", { name: action }).click();
  }

  /** The card's group of one tool, by its identifier. */
  tool(name) {
    return this.approval.getByRole("group", { name: titleOf(name), exact: true });
  }

  /** The button with this verdict on a tool: it acts at once if there is one tool, and only chooses if there are several. */
  verdict(tool, verdict) {
    return this.tool(tool).getByRole("button", { name: verdict, exact: true });
  }

  async decide(tool, verdict) {
    await this.press(this.verdict(tool, verdict));
  }

  /** Presses a button as a person does, whose pointer moves there: where it rests, it clicks on nothing that only just came. */
  async press(button) {
    await expect(button).toBeEnabled();
    await button.scrollIntoViewIfNeeded();
    const { x, y } = await button.boundingBox();
    await this.page.mouse.move(x + 2, y + 2);
    await button.click();
  }

  /** The button that sends the decisions on several tools. */
  get submitButton() {
    return this.approval.getByRole("button", { name: /^Submit/ });
  }

  button(name) {
    return this.role("button", { name, exact: true });
  }

  /** Approves all tools of the only card that waits, after scrolling to each of them. A single tool runs at once. */
  async approveAll() {
    const card = this.approval.and(this.element.locator("[data-state=pending], [data-state=failed]"));
    await expect(card.getByRole("button", { name: "Deny", exact: true }).first()).toBeEnabled();
    const tools = await card.locator("[part=approval-tool]").all();
    for (const tool of tools) {
      await tool.scrollIntoViewIfNeeded();
      await tool.getByRole("button", { name: "Deny", exact: true }).scrollIntoViewIfNeeded();
    }
    const next = card.getByRole("button", { name: "Review next" });
    for (let more = tools.length; more > 0 && (await next.count()); more -= 1) await next.press("Enter");
    await this.press(card.getByRole("button", { name: tools.length === 1 ? "Approve" : "Approve all", exact: true }));
  }

  /** Sends the decisions of the only card that waits for them. The decision on a single tool is sent already. */
  async submit() {
    if (!(await this.submitButton.count())) return;
    await this.press(this.submitButton);
  }

  /** Requests to the service from now on, as `{method, path, body}`. */
  record() {
    return recordRequests(this.page);
  }
}

/** A service, called directly. */
export class Service {
  constructor(user, origin = SERVICE_ORIGIN) {
    this.user = user;
    this.origin = origin;
  }

  async call(method, path, body) {
    const response = await fetch(`${this.origin}/api/assistants/threads${path}`, {
      method,
      headers: {
        authorization: `Bearer ${API_KEY}`,
        "x-service-user-id": this.user,
        "content-type": "application/json",
      },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
  }

  threads(agent = "demo") {
    return this.call("GET", `/${agent}`);
  }

  messages(thread) {
    return this.call("GET", `/${thread}/messages`);
  }

  /** The stored statuses of all tools in the user's only conversation. */
  async statuses() {
    const [thread] = await this.threads();
    const runs = (await this.messages(thread.id)).flatMap((message) => message.toolExecutionHumanApprovalRequest ?? []);
    return runs.map(({ status }) => status);
  }

  /** Makes a conversation that begins with this text, answered to its end. */
  async converse(text, agent = "demo") {
    const thread = await this.call("POST", "", { agentId: agent });
    await this.call("POST", `/${thread.id}/messages`, { content: [{ type: "text", text }] });
    return thread;
  }
}

// A page at which nobody looks, and what it then does.

import { expect } from "../../fixtures.js";
import { request, storeRequest, tool } from "../../servers/approvals.js";

/** Lets the page be in the background, or in front again. The tests' browser keeps every page in front. */
export async function hide(page, isHidden = true) {
  await page.evaluate((isHidden) => {
    const { document } = globalThis;
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    Object.defineProperty(document, "visibilityState", { value: isHidden ? "hidden" : "visible", configurable: true });
    document.hasFocus = () => !isHidden;
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

/** Notes sounds and notifications of all pages of a context, whose permission for these is `permission`. */
export async function note(context, permission = "default") {
  await context.addInitScript((permission) => {
    globalThis.sounds = 0;
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...when) {
      globalThis.sounds += 0.5;
      return start.apply(this, when);
    };
    globalThis.notified = [];
    let current = permission;
    globalThis.Notification = class Notification {
      static get permission() {
        return current;
      }
      static async requestPermission() {
        globalThis.wasActive = navigator.userActivation.isActive;
        current = "granted";
        return current;
      }
      constructor(title, options = {}) {
        Object.assign(this, { title, body: "", isOpen: true }, options);
        if (current === "granted") globalThis.notified.push(this);
      }
      close() {
        this.isOpen = false;
        this.onclose?.();
      }
    };
  }, permission);
}

export const sounds = (page) => page.evaluate(() => globalThis.sounds);

/** Title, text and whether it is open, of each notification. */
export const notified = (page) => page.evaluate(() => globalThis.notified.map(({ title, body, isOpen }) => [title, body, isOpen]));

/** Sends a text, to which the agent answers by asking for these tools, once `before` is done; waits until it is drawn, if it is to be. */
export async function ask(chat, scripted, names, before = async () => {}, isDrawn = true) {
  const post = await chat.post(scripted, "Do it");
  await before();
  const tools = names.map((name) => tool(`batch-${names[0]}`, name));
  storeRequest(scripted, post.thread, tools);
  request(post, ...tools);
  if (isDrawn) await expect(chat.approval.last()).toHaveAttribute("data-state", "pending");
  return post;
}

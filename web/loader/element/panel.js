// @ts-check
// What the loader draws around the widget: the launcher, and the panel with what stands in it until
// the widget is there.

import { direction } from "../direction.js";
import { el, icon } from "../dom.js";
import { createFrame } from "../early/frame.js";
import { frameSheet } from "../frame.js";
import { keyboardSheet } from "../keyboard.js";
import { lettersSheet, measureLetters } from "../letters.js";
import { load } from "../load.js";
import { dress } from "../sheets.js";
import { choice, isOpen } from "./attributes.js";
import { handleKey } from "./keys.js";
import { textOf } from "./properties.js";

/** @import { Glue } from "../load.js" */
/** @import { AssentChatElement } from "./element.js" */
/** @import { Call } from "./lifecycle.js" */
/** @import { Given, Key } from "./properties.js" */
/** A text in the panel, and a button that starts over.
 * @typedef {[key: Key, role: "alert" | "status", action?: Key]} Notice */
/** @typedef {ReturnType<typeof createPanel>} Panel */

/** How many actions wait for approval or answers are unread, and a text that says it. */
export const NOTHING = { count: 0, text: "" };

/** Icons of the launcher. */
const CLOSE = "M6 6l12 12M18 6L6 18";
const CHAT = "M12 4.5A8.5 6.8 0 0 0 6.7 16.6q-.1 1.6-1.3 2.8 2.6-.1 4.2-1.6A8.5 6.8 0 1 0 12 4.5z";

/** Creates launcher and panel in the shadow root of an element. `call` calls the widget, `glue`
 * returns its exports if it is there, and `restart` starts over.
 * @param {AssentChatElement} chat @param {Given} given
 * @param {Call} call @param {() => Glue | undefined} glue @param {() => void} restart */
export function createPanel(chat, given, call, glue, restart) {
  const badge = el("span", { class: "badge", part: "badge", "aria-hidden": "true" });
  const launcher = el(
    "button",
    { class: "launcher", part: "launcher", type: "button", "aria-controls": "panel" },
    icon(CHAT),
    badge,
  );
  // The widget's own live regions are hidden with the panel.
  const said = el("span", { class: "waiting", "aria-live": "assertive" });
  const section = el("section", {
    id: "panel",
    class: "panel",
    part: "panel",
    "aria-labelledby": "heading",
  });
  const root = el("div", { class: "root", part: "root" }, launcher, said, section);
  const shadow = chat.attachShadow({ mode: "open" });
  shadow.append(root);

  let pending = NOTHING;
  /** What stands in the panel instead of the widget. @type {Notice | null} */
  let notice = null;
  /** @type {CSSStyleSheet[]} */
  let sheets = [];
  let wantsFocus = false;
  /** What had the focus when it was asked for. @type {Element | null} */
  let askedFrom = null;

  const frame = createFrame(() => {
    if (notice?.[1] !== "status") return;
    composer.isSent = true;
    showWait();
  });
  const { composer } = frame;

  const fetch = () => load().catch(() => {});
  for (const type of ["pointerenter", "focus"]) launcher.addEventListener(type, fetch);
  launcher.addEventListener("click", () => (isOpen(chat) ? chat.close() : openForUser()));
  for (const type of ["keydown", "keypress", "keyup"]) {
    root.addEventListener(type, (event) => {
      handleKey(event, isLauncher() && isOpen(chat) && (() => chat.close()));
    });
  }

  const text = (/** @type {Key} */ key) => textOf(given, key);

  const isLauncher = () => choice(chat, "mode") === "launcher";

  /** Moves the focus out of the panel. */
  const leave = () => launcher.focus({ preventScroll: true });

  /** Draws it as the attributes and the page's texts say. */
  function layout(news = pending) {
    const open = isOpen(chat);
    const hadFocus = section.contains(shadow.activeElement);
    pending = news;
    root.dataset.mode = choice(chat, "mode");
    root.toggleAttribute("data-open", isLauncher() && open);
    const locale = chat.getAttribute("locale") ?? "";
    root.dir = direction(locale);
    if (root.dir) root.lang = locale;
    else root.removeAttribute("lang");
    section.hidden = isLauncher() && !open;
    section.setAttribute("role", isLauncher() ? "dialog" : "region");
    launcher.hidden = !isLauncher();
    launcher.querySelector("path")?.setAttribute("d", open ? CLOSE : CHAT);
    launcher.setAttribute("aria-expanded", String(open));
    badge.hidden = !pending.count || !section.hidden;
    badge.textContent = String(pending.count);
    const name = text(open ? "closeChat" : "openChat");
    launcher.setAttribute("aria-label", name + (badge.hidden ? "" : `, ${pending.text}`));
    watch();
    if (hadFocus && section.hidden) leave();
  }

  /** Tells the widget whether it is seen. */
  function watch() {
    const isSeen = !section.hidden && !document.hidden;
    call("watch", isSeen);
  }

  /** Styles it in the document that it is in now. */
  function style() {
    const ours = [frameSheet, lettersSheet, keyboardSheet, glue()?.sheet()];
    sheets = dress(shadow, ours.filter((sheet) => !!sheet), sheets);
  }

  /** Shows a text instead of the widget. @param {Notice} shown */
  function show(...shown) {
    const [key, role, action] = (notice = shown);
    frame.say(own("heading"), own("placeholder"), role, text(key), action ? [button(action)] : []);
    composer.name(text("message"), text("send"));
    // Where nothing can be sent, there is nothing to write either; but what was written stays.
    const isOff = role === "alert" && !composer.text && action !== "tryAgain";
    const hides = isOff || chat.getAttribute("view") === "approvals";
    if (hides && composer.isFocused) leave();
    composer.form.hidden = hides;
    const { element } = frame;
    element.dataset.threads = chat.getAttribute("threads") ?? "";
    if (element.parentNode !== section) section.replaceChildren(element);
    // A widget that stopped before it took over.
    element.nextSibling?.remove();
    focus();
  }

  const showWait = () => show(composer.isSent ? "sending" : "loading", "status");

  /** Returns a text that an attribute of this name goes before.
   * @param {"heading" | "placeholder"} name */
  function own(name) {
    const own = chat.getAttribute(name);
    return own?.trim() ? own : text(name);
  }

  /** Returns a button that starts over. @param {Key} key */
  function button(key) {
    const button = el("button", { type: "button" }, text(key));
    button.addEventListener("click", () => {
      wantsFocus = true;
      restart();
      focus();
    });
    return button;
  }

  /** Opens the panel, and moves the focus into it once there is something to take it. */
  function openForUser() {
    wantsFocus = true;
    askedFrom = document.activeElement;
    chat.setAttribute("open", "");
    focus();
  }

  /** Moves the focus into the message box, if that was asked for. */
  function focus() {
    // Until the widget is drawn, its box is not there.
    const isEarly = composer.form.isConnected && !composer.form.hidden;
    if (!wantsFocus || !(glue() || isEarly)) return;
    wantsFocus = false;
    // Whoever went on to something else while the chat was loading keeps the focus there.
    const active = document.activeElement;
    const isIdle = [null, document.body, askedFrom].includes(active);
    if (!isIdle && !chat.matches(":focus-within")) return;
    if (isEarly) composer.focus();
    else call("focus");
  }

  return {
    composer,
    layout,
    watch,
    style,
    show,
    showWait,
    openForUser,
    focus,

    get isHidden() {
      return section.hidden;
    },

    /** True while a text stands in it, and since then. */
    get isUsed() {
      return !!notice;
    },

    /** Says something to a screen reader while the panel is closed. @param {string} news */
    say(news) {
      said.textContent = section.hidden ? news : "";
    },

    /** Takes over the size of letters that holds where it is now. */
    measure: () => measureLetters(said),

    /** Adds the place of the widget: beside the frame, until what was typed is handed over. */
    addApplication: () => section.appendChild(el("div", { class: "app" })),

    /** Gives the widget what was typed. @param {(text: string) => Promise<void>} send */
    handOver: (send) => glue()?.take_over(frame, () => call("draft"), send),

    /** Shows what changed, while the widget is not there. The button for files has its place
     * before it is there, so that nothing moves. */
    redraw() {
      section.toggleAttribute("data-attach", !!given.uploader);
      if (notice && !glue()) show(...notice);
    },

    /** Ends what stands in it. @param {boolean} isGone if the element left the page */
    end(isGone) {
      notice = null;
      // Whoever is typing goes on while it starts over.
      if (glue() || isGone) section.replaceChildren();
      if (isGone) composer.isSent = false;
    },
  };
}

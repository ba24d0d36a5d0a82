// @ts-check
// From the first sight of an element to its end: when the widget is fetched, started, started over
// and stopped.

import { assets, language } from "../assets.js";
import { load, loadRest, stopAll } from "../load.js";
import { takenName } from "../realm.js";
import { shared } from "../shared.js";
import { choice, widgetOptions } from "./attributes.js";
import { allows, dispatch, emit } from "./events.js";
import { createPanel, NOTHING } from "./panel.js";
import { give, textOf } from "./properties.js";

/** @import { ErrorCode } from "../assent.js" */
/** @import { Glue } from "../load.js" */
/** @import { AssentChatElement } from "./element.js" */
/** @import { Given, Key } from "./properties.js" */
/** Calls an export of the widget's module that takes the handle of a widget first, if the widget is
 * there.
 * @typedef {(...call: {
 *   [name in keyof Glue]: Parameters<Glue[name]> extends [handle: number, ...infer Values]
 *     ? [name: name, ...values: Values] : never
 * }[keyof Glue]) => any} Call */

/** @param {ErrorCode} code @param {string} message */
export const problem = (code, message) =>
  Object.assign(new Error(message), { code, recoverable: true });

const unavailable = () => problem("unavailable", "The chat is not running.");

/** Creates the life cycle of an element, and its panel; nothing has begun.
 * @param {AssentChatElement} chat @param {Given} given */
export function createLifecycle(chat, given) {
  /** The module's exports; undefined while the widget is not there. @type {Glue | undefined} */
  let glue;
  let handle = 0;
  /** @type {IntersectionObserver | undefined} */
  let observer;
  /** Unique for each start, undefined when ended: a late download sees that it is no longer wanted.
   * @type {symbol | undefined} */
  let run;
  /** Why the widget is not there, once it should be: `failed` or `stopped`. */
  let trouble = "";
  let isRestarting = false;
  /** Methods that wait for the widget. @type {(() => void)[]} */
  let queue = [];
  /** How to reject each promise that is not settled. @type {Set<(error: Error) => void>} */
  const open = new Set();
  let usable = () => {};
  /** True once there was something to tell who is elsewhere. */
  let isTold = false;

  /** @type {Call} */
  const call = (name, ...values) => {
    try {
      return /** @type {any} */ (glue)?.[name](handle, ...values);
    } catch (error) {
      stopAll(error);
    }
  };

  const panel = createPanel(chat, given, call, () => glue, restart);
  awaitWidget();

  /** Makes the promise that the chat can be used, which is rejected with whatever else was asked
   * for. */
  function awaitWidget() {
    chat.ready = new Promise((resolve, reject) => {
      usable = resolve;
      open.add(reject);
    });
    // Few pages wait for it.
    chat.ready.catch(() => {});
  }

  /** Starts the widget if the panel is shown; an inline one when it comes into view. */
  function begin() {
    if (run || (panel.isHidden && !queue.length)) return;
    observer?.disconnect();
    if (choice(chat, "mode") !== "inline" || queue.length) return void start();
    panel.showWait();
    observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) start();
    });
    observer.observe(chat);
  }

  async function start() {
    observer?.disconnect();
    const own = (run = Symbol());
    trouble = "";
    if (!chat.getAttribute("agent-id")) {
      console.error("assent-chat: the attribute agent-id is missing.");
      return giveUp("failed", "not-set-up", "notSetUp");
    }
    const taken = takenName();
    if (taken) {
      const reason = `The page uses the name ${taken} for something of its own.`;
      console.error(`assent-chat: not started. ${reason}`);
      return giveUp("failed", "name-taken", "nameTaken");
    }
    panel.showWait();
    try {
      let loaded;
      // Meanwhile the module may have stopped, and an input method may have begun.
      do loaded = await load();
      while (await panel.composer.settled());
      if (own === run) mount(loaded);
    } catch (error) {
      if (own === run) fail(error);
    }
  }

  /** @param {Glue} loaded */
  async function mount(loaded) {
    shared.live.add(stop);
    try {
      loadRest(loaded).then(() => {
        panel.style();
        tell();
      });
      const options = { ...widgetOptions(chat), strings: given.texts };
      handle = loaded.start(options, hear);
      glue = loaded;
      give(given, call);
      // Its first requests are sent now, and are on their way while it is drawn.
      await null;
      if (!glue) return;
      glue.mount(handle, panel.addApplication());
      panel.style();
      panel.watch();
      usable();
      dispatch(chat, "ready", null);
      carryOut();
      panel.handOver((text) => ask("send", [text]));
      panel.focus();
    } catch (error) {
      stopAll(error);
    }
  }

  /** Ends the widget, and whatever was begun. */
  function end() {
    const isGone = !chat.isConnected;
    const isOver = glue || trouble || isGone;
    run = undefined;
    trouble = "";
    observer?.disconnect();
    shared.live.delete(stop);
    call("unmount");
    if (isOver) {
      rejectAll();
      awaitWidget();
    }
    panel.end(isGone);
    glue = undefined;
    panel.layout(NOTHING);
    tell([]);
  }

  /** What is asked for after a change is meant for the new agent, user or service. */
  function renew() {
    if (!isRestarting) return;
    isRestarting = false;
    end();
    if (chat.isConnected) begin();
  }

  /** Asks for a method of the widget.
   * @param {string} name @param {unknown[]} values @returns {Promise<void>} */
  function ask(name, values) {
    renew();
    return new Promise((resolve, reject) => {
      if (!chat.isConnected || trouble) return reject(unavailable());
      /** @param {(value?: any) => void} how @returns {(value?: any) => void} */
      const settle = (how) => (value) => {
        open.delete(reject);
        how(value);
      };
      open.add(reject);
      queue.push(() => call("ask", name, values, settle(resolve), settle(reject)));
      glue ? carryOut() : begin();
    });
  }

  /** Does what waits. */
  function carryOut() {
    for (const asked of queue.splice(0)) asked();
  }

  /** Nothing that was asked for is done any more. */
  function rejectAll() {
    for (const reject of open) reject(unavailable());
    open.clear();
    queue = [];
  }

  /** Has it told to who is elsewhere what waits, or that the attribute `notify` may be another.
   * @param {unknown[]} [news] */
  function tell(news) {
    if (run && (news?.[2] || chat.getAttribute("notify"))) isTold = true;
    if (isTold) assets.notify.load().then((it) => it.tell(chat, call, news), () => {});
  }

  /** Says everything in the texts of the page, and where it gave none in those of the language. */
  function redraw() {
    given.texts = { ...given.language, ...given.strings };
    panel.redraw();
    panel.layout();
    call("set_texts", given.texts);
  }

  /** Takes the texts in the language of `locale`, as soon as they are there. */
  function speak() {
    const isEnglish = /^en|^$/i.test(chat.getAttribute("locale") ?? "");
    if (isEnglish && !given.language) return;
    assets.languages.load().then(
      (it) => it.speak(chat, given, language, redraw),
      () => addEventListener("online", speak, { once: true }),
    );
  }

  /** Hears what the widget says; true where an answer may be posted.
   * @param {string} type @param {any} detail */
  function hear(type, detail) {
    if (type === "fatal") stopAll(detail);
    else if (type === "pending") panel.layout(detail);
    else if (type === "waiting") tell(detail);
    else if (type === "asked") panel.say(detail);
    else if (type === "events") queueMicrotask(() => detail(chat));
    else if (!type.startsWith("before-")) emit(chat, type, detail);
    else return allows(chat, type, detail);
  }

  /** Says in the panel and to the page why the widget is not there.
   * @param {"failed" | "stopped"} reason @param {ErrorCode} code
   * @param {Key} key @param {Key} [action] */
  function giveUp(reason, code, key, action) {
    trouble = reason;
    panel.composer.isSent = false;
    rejectAll();
    panel.show(key, "alert", action);
    emit(chat, "error", { code, message: textOf(given, key), recoverable: !!action });
  }

  /** @param {unknown} error */
  function fail(error) {
    const { origin } = new URL(import.meta.url);
    const policy = `script-src ${origin} 'wasm-unsafe-eval'; connect-src ${origin}`;
    console.error(
      `assent-chat: not loaded. ${error}. Are all files of dist/ there? ` +
        `A Content-Security-Policy must allow ${policy}.`,
      error,
    );
    const isPolicy = /Content Security Policy|CSP|unsafe-eval/i.test(String(error));
    if (!globalThis.WebAssembly || isPolicy) giveUp("failed", "not-allowed", "notAllowed");
    else giveUp("failed", "not-loaded", "notLoaded", "tryAgain");
  }

  /** @param {unknown} error */
  function stop(error) {
    console.error("assent-chat: stopped.", error);
    shared.live.delete(stop);
    glue = undefined;
    panel.layout(NOTHING);
    tell([]);
    giveUp("stopped", "stopped-working", "stoppedWorking", "reloadChat");
  }

  /** Starts over. Several attributes changed in one task do so once. */
  function restart() {
    if (!isRestarting) queueMicrotask(renew);
    isRestarting = true;
  }

  return {
    panel,
    call,
    begin,
    end,
    ask,
    tell,
    speak,
    redraw,
    restart,

    get phase() {
      return glue ? "ready" : trouble || (run ? "loading" : "idle");
    },
  };
}

// @ts-check
// Fetching the widget and what follows it, once for all elements of a page, and noticing its traps.

import { assets } from "./assets.js";
import { shared } from "./shared.js";

/** @import { EarlyFrame } from "./early/frame.js" */
/** @import { Given } from "./element/properties.js" */
/** Exports of the widget's module. None throws for bad values: one that throws has trapped.
 * @typedef {{
 *   start(options: object, emit: (type: string, detail: any) => unknown): number,
 *   mount(handle: number, app: Element): void,
 *   update(handle: number, name: string, value: string | null): void,
 *   set_uploader(handle: number, uploader: Function | null): void,
 *   set_suggestions(handle: number, texts: readonly string[]): void,
 *   set_policies(handle: number, link: Function | null, image: Function | null): void,
 *   set_access(handle: number, token: Function | null, headers: Function | null): void,
 *   ask(handle: number, name: string, values: unknown[], resolve: () => void,
 *     reject: (error: unknown) => void): void,
 *   set_texts(handle: number, texts: Record<string, string> | null): void,
 *   stop(handle: number): void, watch(handle: number, isWatched: boolean): void,
 *   snapshot(handle: number): object | undefined, draft(handle: number): string,
 *   focus(handle: number): void, unmount(handle: number): void,
 *   take_over(frame: EarlyFrame, draft: () => string, send: (text: string) => Promise<void>): void,
 *   set_renderer(renderer: Renderer | null, assets: object, loadAgain: () => void): void,
 *   set_history(history: object | null): void, sheet(): CSSStyleSheet | undefined}} Glue */
/** The exports of the history module that are used here.
 * @typedef {{forgetEverything(): Promise<void>}} History */
/** The module that tells who is elsewhere that decisions wait.
 * @typedef {{tell(chat: Element, call: Function, news?: unknown[]): void}} Notifier */
/** The module that fetches the texts of languages.
 * @typedef {{speak(chat: Element, given: Given, address: (tag: string) => URL,
 *   redraw: () => void): void}} Languages */
/** The renderer's module, which the widget uses.
 * @typedef {object} Renderer */

/** Fetches and starts the widget. */
export const load = () => assets.widget.load();

/** Fetches what nobody needs to type, once: the renderer, and then the history.
 * @param {Glue} glue */
export const loadRest = (glue) => (shared.rest ??= fetchRest(glue));

function forgetRest() {
  assets.renderer.forget();
  assets.approval.forget();
  assets.extras.forget();
  shared.rest = null;
}

/** Fetches it once more, for a renderer that failed. */
function loadAgain() {
  forgetRest();
  assets.widget.load().then(loadRest, () => {});
}

/** @param {Glue & {link?: Function}} glue with `link` if it was cut in two, as in `dist/` */
async function fetchRest(glue) {
  try {
    const loads = [assets.renderer.load(), glue.link && assets.approval.load()];
    const [renderer] = await Promise.all(loads);
    glue.set_renderer(renderer, assets, loadAgain);
  } catch (error) {
    // A page that is being left ends its downloads, and has no time left to complain.
    setTimeout(() => console.warn("assent-chat: answers are shown as plain text.", error), 100);
    forgetRest();
    glue.set_renderer(null, assets, loadAgain);
    // Nothing else can be fetched before the network is back either.
    if (!navigator.onLine) return addEventListener("online", loadAgain, { once: true });
  }
  glue.set_history(await assets.history.load().catch(() => null));
}

/** Deletes what any service, agent and user left in this browser, also where no chat runs. */
export async function forgetEverything() {
  const history = await assets.history.load();
  // Widgets that wait for it write nothing back then.
  assets.widget.value?.set_history(history);
  await history.forgetEverything();
}

// A panic is a trap. In a listener, a timer or a promise only the window notices it; other modules
// of the page may trap, too.
for (const type of ["error", "unhandledrejection"]) globalThis.addEventListener?.(type, noteTrap);

/** @param {any} event */
function noteTrap(event) {
  const error = event.error ?? event.reason;
  const isTrap = error instanceof WebAssembly.RuntimeError;
  if (isTrap && error.stack?.includes("assent_widget")) stopAll(error);
}

/** Stops all elements: after a panic the state of the module's memory is unknown.
 * @param {unknown} error */
export function stopAll(error) {
  if (shared.live.size) {
    assets.widget.forget();
    forgetRest();
  }
  for (const stop of shared.live) stop(error);
}

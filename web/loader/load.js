// @ts-check
// Fetching the application, and what follows it: once for all elements of a page.

const VERSION = "0.1.0";
// Every other file is named as `new URL("./file", import.meta.url)`, spelled out: bundlers look for these words, and take the file along.

/** What the WebAssembly module exports. No export throws for bad values: one that throws has trapped.
 * @typedef {{mount(app: Element, options: object, emit: (type: string, detail: any) => unknown): number,
 *   update(handle: number, name: string, value: string | null): void, set_uploader(handle: number, uploader: Function | null): void, set_suggestions(handle: number, texts: readonly string[]): void,
 *   set_policies(handle: number, link: Function | null, image: Function | null): void,
 *   set_access(handle: number, token: Function | null, headers: Function | null): void,
 *   ask(handle: number, name: string, values: unknown[], resolve: () => void, reject: (error: unknown) => void): void,
 *   set_texts(handle: number, texts: Record<string, string> | null): void, stop(handle: number): void, watch(handle: number, isWatched: boolean): void, snapshot(handle: number): object | undefined, draft(handle: number): string,
 *   focus(handle: number): void, unmount(handle: number): void, read_with(reader: object | null, assets: Record<string, () => Promise<Function>>): void, keep_with(device: object | null): void}} Glue */

export const KEY = Symbol.for("assent");
/** What all copies of one version share on a page. `attempt` counts failures.
 * @type {{loading: Promise<Glue> | null, reading: Promise<void> | null, attempt: number, live: Set<(error: unknown) => void>}} */
export const shared = ((/** @type {any} */ (globalThis)[KEY] ??= {})[VERSION] ??= { loading: null, reading: null, attempt: 0, live: new Set() });

/** Imports a file; after a failure under another address, because browsers remember failed imports. @param {URL} url */
function fresh(url) {
  if (shared.attempt) url.searchParams.set("attempt", String(shared.attempt));
  return import(url.href);
}

/** Fetches a module of WebAssembly by its glue, and starts it. @param {URL} glue @param {URL} wasm @returns {Promise<any>} */
const start = (glue, wasm) => fresh(glue).then((module) => module.default({ module_or_path: wasm }).then(() => module));

/** Fetches and starts the application, once per page and version. A failure is forgotten, so that it can be retried. @returns {Promise<Glue>} */
export function load() {
  return (shared.loading ??= start(new URL("./assent_widget.js", import.meta.url), new URL("./assent_widget_bg.wasm", import.meta.url))
    .catch((error) => { forget(); throw error; }));
}

/** Fetches what few answers need, once; after a failure anew. @param {() => Promise<Function>} get */
function asset(get) {
  let got = /** @type {Promise<Function> | null} */ (null);
  return () => (got ??= get().catch((error) => { got = null; shared.attempt++; throw error; }));
}

const assets = {
  math: asset(() => start(new URL("./assent_math.js", import.meta.url), new URL("./assent_math_bg.wasm", import.meta.url)).then(({ mathml }) => mathml)),
  highlight: asset(() => fresh(new URL("./assent_highlight.js", import.meta.url)).then(({ highlight }) => highlight)),
};

/** Fetches what nobody needs to type, once: the renderer of answers and requests, and then what keeps them on the device.
 * Without the renderer answers are plain text, and nothing can be approved; without the last nothing is kept of how they came
 * about. @param {Glue} glue */
export const read = (glue) => void (shared.reading ??= follow(glue));

/** @param {Glue} glue */
async function follow(glue) {
  try {
    const reader = await start(new URL("./assent_renderer.js", import.meta.url), new URL("./assent_renderer_bg.wasm", import.meta.url));
    glue.read_with(reader, assets);
    reader.warm_up();
  } catch (error) {
    // A page that is being left ends its downloads, and has no time left to complain.
    setTimeout(() => console.warn("assent-chat: answers are shown as plain text.", error), 100);
    Object.assign(shared, { reading: null, attempt: shared.attempt + 1 });
    glue.read_with(null, {});
    // Nothing else can be fetched before that either. Where the application has stopped meanwhile, its next start does it.
    if (!navigator.onLine) return addEventListener("online", () => shared.loading?.then(read, () => {}), { once: true });
  }
  glue.keep_with(await fresh(new URL("./assent_history.js", import.meta.url)).catch(() => null));
}

const forget = () => Object.assign(shared, { loading: null, reading: null, attempt: shared.attempt + 1 });

// A panic is a trap. Where it happens in a listener, a timer or a promise, nobody but the window hears of it; other modules
// of the page may trap, too.
globalThis.addEventListener?.("error", ({ error }) => heard(error));
globalThis.addEventListener?.("unhandledrejection", ({ reason }) => heard(reason));

/** @param {any} error */
const heard = (error) => error instanceof WebAssembly.RuntimeError && error.stack?.includes("assent_widget") && stopAll(error);

/** After a panic nobody knows the state of the module's memory. @param {unknown} error */
export function stopAll(error) {
  if (shared.live.size) forget();
  for (const stop of shared.live) stop(error);
}

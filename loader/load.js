// @ts-check
// Fetching the application, and what follows it: once for all elements of a page.

const VERSION = "0.1.0";
const GLUE = "./assent_widget.js";
const WASM = "./assent_widget_bg.wasm";
const READER = "./assent_reader.js";
const MATH = "./assent_math.js";
const HIGHLIGHT = "./assent_highlight.js";

/** What the WebAssembly module exports. No export throws for bad values: one that throws has trapped.
 * @typedef {{default(source: {module_or_path: URL}): Promise<unknown>,
 *   mount(app: Element, options: Record<string, string | null>, emit: (type: string, detail: any) => unknown): number,
 *   update(handle: number, name: string, value: string | null): void, set_uploader(handle: number, uploader: Function | null): void,
 *   set_policies(handle: number, link: Function | null, image: Function | null): void, focus(handle: number): void,
 *   unmount(handle: number): void, read_with(reader: object | null, assets: Record<string, () => Promise<Function>>): void}} Glue */

export const KEY = Symbol.for("assent");
/** What all copies of one version share on a page. `attempt` counts failures.
 * @type {{loading: Promise<Glue> | null, reading: Promise<void> | null, attempt: number, live: Set<(error: unknown) => void>}} */
export const shared = ((/** @type {any} */ (globalThis)[KEY] ??= {})[VERSION] ??= { loading: null, reading: null, attempt: 0, live: new Set() });

/** Imports a file; after a failure under another address, because browsers remember failed imports. @param {string} file */
function fresh(file) {
  const url = new URL(file, import.meta.url);
  if (shared.attempt) url.searchParams.set("attempt", String(shared.attempt));
  return import(url.href);
}

/** Fetches and starts the module, once per page and version. A failure is forgotten, so that it can be retried. */
export function load() {
  const start = (/** @type {Glue} */ glue) => glue.default({ module_or_path: new URL(WASM, import.meta.url) }).then(() => glue);
  return (shared.loading ??= fresh(GLUE).then(start).catch((error) => { forget(); throw error; }));
}

/** Fetches what few answers need, once; after a failure anew. @param {string} file @param {(module: any) => Function | Promise<Function>} use */
function asset(file, use) {
  let got = /** @type {Promise<Function> | null} */ (null);
  return () => (got ??= fresh(file).then(use).catch((error) => { got = null; shared.attempt++; throw error; }));
}

const assets = { math: asset(MATH, (math) => math.default().then(() => math.mathml)), highlight: asset(HIGHLIGHT, ({ highlight }) => highlight) };

/** Fetches the renderer of answers and requests while the person can type already. Without it answers are plain text, and
 * nothing can be approved. @param {Glue} glue */
export function read(glue) {
  shared.reading ??= fresh(READER)
    .then((reader) => reader.default().then(() => { glue.read_with(reader, assets); reader.warm_up(); }))
    .catch((error) => {
      // A page that is being left ends its downloads, and has no time left to complain.
      setTimeout(() => console.warn("assent-chat: answers are shown as plain text.", error), 100);
      Object.assign(shared, { reading: null, attempt: shared.attempt + 1 });
      glue.read_with(null, {});
    });
}

const forget = () => Object.assign(shared, { loading: null, reading: null, attempt: shared.attempt + 1 });

/** After a panic nobody knows the state of the module's memory. @param {unknown} error */
export function stopAll(error) {
  if (shared.live.size) forget();
  for (const stop of shared.live) stop(error);
}

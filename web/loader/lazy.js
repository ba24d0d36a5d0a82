// @ts-check
// Modules that are fetched when they are first needed.

import { shared } from "./shared.js";

/** Seconds without a byte after which a download counts as stalled. */
const STALL_LIMIT = 20;

/** A module that is fetched once. `value` is there once it is loaded. After a failure, and after
 * `forget`, `load` fetches it anew.
 * @template [T=any]
 * @typedef {{value: T | null, load(): Promise<T>, forget(): void}} Lazy */

/** Makes a lazy module of a script, which is the glue of a WebAssembly module if that is given.
 * @param {URL} script @param {URL} [wasm] @returns {Lazy} */
export function lazy(script, wasm) {
  /** @type {Promise<any> | null} */
  let loading = null;
  return {
    value: null,
    load() {
      return (loading ??= fetchModule(script, wasm).then(
        (module) => (this.value = module),
        (error) => { this.forget(); throw error; },
      ));
    },
    forget() { this.value = loading = null; shared.attempt++; },
  };
}

/** Fetches and starts a module. Rejects when no byte of it came for the limit.
 * @param {URL} script @param {URL} [wasm] @returns {Promise<any>} */
async function fetchModule(script, wasm) {
  // Browsers remember failed imports: after a failure the address is another one.
  if (shared.attempt) script.searchParams.set("attempt", String(shared.attempt));
  const abort = new AbortController();
  let limit = STALL_LIMIT, seconds = 0, last = 0, timer;
  const write = () => { last = seconds; };
  // Seconds are counted: after a sleep the clock is far ahead, and nothing could come meanwhile.
  const stalled = new Promise((_, reject) => {
    timer = setInterval(() => ++seconds - last < limit || reject(new Error("stalled")), 1000);
  });
  /** Fetches a file to its end, for what uses it. @param {URL} url @param {(response: Response) => unknown} [use] */
  const get = async (url, use) => {
    const response = await fetch(url, { signal: abort.signal }), { body } = response.clone();
    return Promise.all([use?.(response), body?.pipeTo(new WritableStream({ write }))]);
  };
  // The progress of an import cannot be seen: it gets the script from the cache, or where nothing
  // may be cached, in about the same time once more.
  const glue = get(script).then(() => { limit += seconds; write(); return import(script.href); });
  const started = wasm && get(wasm, async (response) => (await glue).default({ module_or_path: response }));
  try {
    return (await Promise.race([stalled, Promise.all([glue, started])]))[0];
  } finally {
    clearInterval(timer);
    abort.abort();
  }
}

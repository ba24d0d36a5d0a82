// @ts-check
// Modules that are fetched when they are first needed.

import { shared } from "./shared.js";

/** Seconds without a byte after which a download counts as stalled. */
const STALL_TIMEOUT = 20;

/** A module that is fetched once. `value` is there once it is loaded. After a failure, and after
 * `forget`, `load` fetches it anew.
 * @template [T=any]
 * @typedef {{value: T | null, load(): Promise<T>, forget(): void}} Lazy */

/** Makes a lazy module of a script, which is the glue of a WebAssembly module if that is given.
 * @param {() => URL} script @param {() => URL} [wasm] the addresses @returns {Lazy} */
export const lazy = (script, wasm) => once(() => fetchModule(importScript(script()), wasm?.()));

/** Makes a lazy module of a part of another one, whose glue links it by its name.
 * @param {string} name @param {() => Promise<any>} glue @param {() => URL} wasm the address
 * @returns {Lazy} */
export const part = (name, glue, wasm) =>
  once(() => fetchModule(glue().then(({ link }) => ({ default: link(name) })), wasm()));

/** @param {() => Promise<any>} fetchIt @returns {Lazy} */
function once(fetchIt) {
  /** @type {Promise<any> | null} */
  let loading = null;
  return {
    value: null,
    load() {
      return (loading ??= fetchIt().then(
        (module) => (this.value = module),
        (error) => {
          this.forget();
          throw error;
        },
      ));
    },
    forget() {
      this.value = loading = null;
      shared.attempt++;
    },
  };
}

/** @param {URL} script @returns {Promise<any>} */
function importScript(script) {
  // Browsers remember failed imports: after a failure the address is another one.
  if (shared.attempt) script.searchParams.set("attempt", String(shared.attempt));
  return import(script.href);
}

/** Fetches and starts a module. Rejects when no byte of it came for the limit. The progress of a
 * script cannot be seen: that of the WebAssembly beside it counts for both.
 * @param {Promise<any>} glue @param {URL} [wasm] the address @returns {Promise<any>} */
async function fetchModule(glue, wasm) {
  const abort = new AbortController();
  let left = STALL_TIMEOUT, timer;
  const write = () => {
    left = STALL_TIMEOUT;
  };
  // Seconds are counted: after a sleep the clock is far ahead, and nothing could come meanwhile.
  const stalled = new Promise((_, reject) => {
    timer = setInterval(() => --left || reject(new Error("stalled")), 1000);
  });
  const start = async (/** @type {URL} */ url) => {
    const response = await fetch(url, { signal: abort.signal });
    const { body } = response.clone();
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    const started = glue.then((module) => module.default({ module_or_path: response }));
    return Promise.all([started, body?.pipeTo(new WritableStream({ write }))]);
  };
  try {
    return (await Promise.race([stalled, Promise.all([glue, wasm && start(wasm)])]))[0];
  } finally {
    clearInterval(timer);
    abort.abort();
  }
}

// @ts-check
// Modules that are fetched when they are first needed.

import { shared } from "./shared.js";

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

/** @param {URL} script @param {URL} [wasm] */
async function fetchModule(script, wasm) {
  // Browsers remember failed imports: after a failure the address is another one.
  if (shared.attempt) script.searchParams.set("attempt", String(shared.attempt));
  const module = await import(script.href);
  if (wasm) await module.default({ module_or_path: wasm });
  return module;
}

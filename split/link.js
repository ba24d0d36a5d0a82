// @ts-check
// How the second file of the widget's module gets to the first. It has the components that nobody needs to type, and takes
// memory, table and stack from the first, out of which it was taken. `xtask/src/split.rs` makes this a part of the glue.

import { complete, initSync } from "./assent_widget.js";

/** Where the second file is. @type {URL} */
let address;

/** @param {RequestCache} cache */
async function start(cache) {
  const response = await fetch(address, { cache });
  if (!response.ok) throw new Error(`${response.status} ${address}`);
  // Not while it streams: that asks for a type which some servers do not give.
  await WebAssembly.instantiate(await response.arrayBuffer(), { __wasm_split: initSync() });
}

/** Takes the address of the second file, and fetches it unless it is there or on its way. @param {URL} url */
export function finish(url) {
  address = url;
  complete();
}

/** Called by the first file, which waits to be called back. A failure may be one that a cache has kept.
 * @param {number} callback @param {number} data */
export async function __wasm_split_load_late(callback, data) {
  let succeeded = true;
  try {
    await start("default").catch(() => start("reload"));
  } catch (error) {
    succeeded = false;
    // A page that is being left ends its downloads, and has no time left to complain.
    setTimeout(() => console.warn("assent-chat: a part of the chat could not be loaded.", error), 100);
  }
  initSync().__indirect_function_table.get(callback)(data, succeeded);
}

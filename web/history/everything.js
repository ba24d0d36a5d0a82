// @ts-check
// Everything that widgets store in a browser, of any service, agent and user, and its deletion.

import { Database } from "./database.js";

/** Key prefix of all values of the widget. */
const ALL = "assent:";

/** Deletes everything from the storages that this page can reach. Rejects if that fails. */
export async function deleteEverything() {
  for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    const storage = storageOf(name);
    for (const key of Object.keys(storage ?? {})) if (key.startsWith(ALL)) storage?.removeItem(key);
  }
  await new Database().destroy();
}

/** @param {"localStorage" | "sessionStorage"} name */
function storageOf(name) {
  try {
    return globalThis[name];
  } catch {
    // A page that may not even ask for it stores nothing there.
    return null;
  }
}

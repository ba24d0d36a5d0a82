// @ts-check
// The state that all copies of one version of the loader share on a page.

const VERSION = "0.1.0";

export const KEY = Symbol.for("assent");

/** `assets` is the registry, `rest` the download of what follows the widget, `attempt` counts
 * failures, and `live` has a function for each running element that stops it.
 * @type {{assets: any, rest: Promise<void> | null, attempt: number,
 *   live: Set<(error: unknown) => void>}} */
export const shared = ((/** @type {any} */ (globalThis)[KEY] ??= {})[VERSION] ??= { assets: null, rest: null, attempt: 0, live: new Set() });

// @ts-check
// The state that all copies of one version of the loader share on a page.

const VERSION = "1.0.0";

export const KEY = Symbol.for("assent");

const versions = (/** @type {any} */ (globalThis)[KEY] ??= {});

/** `assets` is the registry, `rest` the download of what follows the widget, `attempt` counts
 * failures, `live` has a function for each running element that stops it, and `launched` each
 * launcher of a tag, with what its tag says, the page that it was put into, and how often it came
 * back since then.
 * @type {{
 *   assets: any, rest: Promise<void> | null, attempt: number,
 *   live: Set<(error: unknown) => void>,
 *   launched: {chat: HTMLElement, said: string, page: string, since: number, count: number}[]
 * }} */
export const shared = (versions[VERSION] ??= {
  assets: null,
  rest: null,
  attempt: 0,
  live: new Set(),
  launched: [],
});

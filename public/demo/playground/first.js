// @ts-check
// What the playground begins with.

/** The one that is never written down. */
export const KEY = "api-key";

/**
 * What the page begins with: a launcher that talks to the service that was started together with
 * this page.
 */
export const FIRST = new Map([["agent-id", "demo"], [KEY, "dev-key"], ["mode", "launcher"], ["open", ""]]);

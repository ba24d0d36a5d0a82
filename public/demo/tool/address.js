// @ts-check
// What a person has set, after the # of the page's address: it can be shared, and reaches no
// server.

/** @returns {Map<string, string>} */
export const readAddress = () => new Map(new URLSearchParams(location.hash.slice(1)));

/**
 * Replaces what the address says; without entries, nothing stands after it.
 * @param {Iterable<[string, string]>} entries
 */
export function writeAddress(entries) {
  const text = new URLSearchParams([...entries]).toString();
  history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
}

// @ts-check
// The direction in which a language is written.

/** Returns the direction of a language by the script that it is written in; empty where there is
 * none of this name. @param {string} tag */
export function direction(tag) {
  // Without a name nothing is thrown: the trace of an error takes a tenth of the time until the box
  // is there.
  if (!tag) return "";
  try {
    const script = new Intl.Locale(tag).maximize().script ?? "";
    return /Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa/.test(script) ? "rtl" : "ltr";
  } catch {
    return "";
  }
}

// @ts-check
// The diagnostic log: what is needed to see a problem again, without what nobody else may have.

import { OPTIONS } from "./attributes.js";
import { BETWEEN_FRAMES } from "./recording.js";

/** @import { Recording } from "./recording.js" */
/** @import { Secrets } from "./secrets.js" */

/** The shape of the log. */
const FORMAT = 1;

/** An address without what may be secret in it. @param {unknown} value */
function address(value) {
  try {
    const { origin, pathname } = new URL(String(value), globalThis.location?.href);
    return origin + pathname;
  } catch {
    return null;
  }
}

/** @param {string} version @param {Record<string, unknown>} options @param {Recording[]} recordings @param {Secrets} secrets */
export function log(version, options, recordings, secrets) {
  const set = OPTIONS.filter((name) => typeof options[name] === "string").map((name) => [name, name === "base-url" ? address(options[name]) : options[name]]);
  const answers = recordings.map(({ thread, question, began, ended, how, frames }) => {
    const events = frames.flatMap(([at, texts]) => secrets.removedInFrames(texts).split(BETWEEN_FRAMES).map((text) => [at, text]));
    return { ...secrets.removed({ thread, question }), began, ended, how, events };
  });
  const { userAgent, language, onLine } = globalThis.navigator ?? {};
  const about = { browser: { userAgent, language, onLine }, options: Object.fromEntries(set) };
  return JSON.stringify({ log: "assent", format: FORMAT, version, time: new Date().toISOString(), ...secrets.removed(about), answers }, null, 1);
}

/** Writes a text that is still to come into the clipboard: browsers want to know of it while a click is being handled.
 * @param {Promise<string>} text */
export async function write(text) {
  const { clipboard } = navigator;
  if (!globalThis.ClipboardItem) return clipboard.writeText(await text);
  const blob = text.then((text) => new Blob([text], { type: "text/plain" }));
  await clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

// @ts-check
// The diagnostic log: the data to reproduce a problem, without secrets.

import { OPTIONS } from "./attributes.js";
import { BETWEEN_FRAMES } from "./recording.js";

/** @import { Recording } from "./recording.js" */
/** @import { Secrets } from "./secrets.js" */

/** The version of the log's format. */
const FORMAT = 1;

/** Returns an address without the parts that may hold a secret. @param {unknown} value */
function address(value) {
  try {
    const { origin, pathname } = new URL(String(value), globalThis.location?.href);
    return origin + pathname;
  } catch {
    return null;
  }
}

/** Returns the log as JSON.
 * @param {string} version @param {Record<string, unknown>} options
 * @param {Recording[]} recordings @param {Secrets} secrets */
export function log(version, options, recordings, secrets) {
  const names = OPTIONS.filter((name) => typeof options[name] === "string");
  const set = names.map((name) => [name, name === "base-url" ? address(options[name]) : options[name]]);
  const answers = recordings.map(({ thread, question, began, ended, how, frames }) => {
    const events = frames.flatMap(([at, texts]) => secrets.removedInFrames(texts).split(BETWEEN_FRAMES).map((text) => [at, text]));
    return { ...secrets.removed({ thread, question }), began, ended, how, events };
  });
  const { userAgent, language, onLine } = globalThis.navigator ?? {};
  const about = { browser: { userAgent, language, onLine }, options: Object.fromEntries(set) };
  return JSON.stringify({ log: "assent", format: FORMAT, version, time: new Date().toISOString(), ...secrets.removed(about), answers }, null, 1);
}

/** Writes a text into the clipboard. It may arrive later: browsers allow the write only while a
 * click is being handled.
 * @param {Promise<string>} text */
export async function writeToClipboard(text) {
  const { clipboard } = navigator;
  if (!globalThis.ClipboardItem) return clipboard.writeText(await text);
  const blob = text.then((text) => new Blob([text], { type: "text/plain" }));
  await clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

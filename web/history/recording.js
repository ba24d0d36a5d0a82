// @ts-check
// The stream of one answer as it came: the shape in which it is kept, and what is left out of it.

/** What stands between two frames that came together: JSON cannot hold it (RFC 7464). */
export const BETWEEN_FRAMES = "\u001e";

/** The shape of a kept recording. One of a later shape is left alone: a newer widget may run in another tab. */
export const FORMAT = 1;

/** What a recording may have, in characters of frames; pieces of texts that come behind that are not kept, and behind twice as
 * much nothing is. */
export const MAX_RECORDING = 2_000_000;

/** What only events hold that are a piece of a text. */
export const PIECE = /"AGENT_RESPONSE_CHUNK"/;

/** What came of one post. Times are milliseconds since 1970.
 * @typedef {{key: string, format: number, scope: string, thread: string, question: string | null, began: number,
 *   ended: number, how: string, frames: [at: number, texts: string][], length: number}} Recording */

/** Names sort by time within a thread. @param {string} scope @param {string} thread @param {number} began */
export function keyOf(scope, thread, began) {
  return `${prefixOf(scope, thread)}${String(began).padStart(14, "0")}-${Math.random().toString(36).slice(2, 10)}`;
}

/** What the names begin with of what belongs to a thread. @param {string} scope @param {string} thread */
export const prefixOf = (scope, thread) => `${scope}activity:${encodeURIComponent(thread)}|`;

/** @param {any} value @returns {value is Recording} */
export function isRecording(value) {
  const texts = ["key", "scope", "thread", "how"].every((name) => typeof value?.[name] === "string");
  const numbers = ["began", "ended", "length"].every((name) => Number.isFinite(value?.[name]));
  return (
    texts && numbers && value.format === FORMAT && (value.question === null || typeof value.question === "string") &&
    Array.isArray(value.frames) && value.frames.every((/** @type {any} */ it) => Array.isArray(it) && Number.isFinite(it[0]) && typeof it[1] === "string")
  );
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What a frame is to the text of an answer: a piece of it, or all of it, of this speaker; nothing where it is neither.
 * @typedef {{ isWhole: boolean, who: string } | null} Kind */

/** @param {string} text of one frame @returns {Kind} */
export function kindOf(text) {
  const event = /"AGENT_RESPONSE_C/.test(text) ? parsed(text) : null;
  const isWhole = event?.type === "AGENT_RESPONSE_COMPLETE";
  if (!isWhole && event?.type !== "AGENT_RESPONSE_CHUNK") return null;
  return { isWhole, who: `${event.eventMessage?.agent?.id ?? ""}${BETWEEN_FRAMES}${event.eventMessage?.collaborationId ?? ""}` };
}

/** The frames without pieces of texts that come whole later. The first piece of each stays: it says when the text began, and
 * which message it became. @param {[at: number, texts: string][]} frames @param {Kind[]} kinds of each text
 * @returns {[at: number, texts: string][]} */
export function withoutPieces(frames, kinds) {
  let index = kinds.length;
  /** From the end: whose text comes whole. @type {Set<string>} */
  const whole = new Set();
  /** The last piece that was left out of each. @type {Map<string, {keep: boolean}>} */
  const first = new Map();
  const kept = [];
  for (const [at, texts] of frames.toReversed())
    for (const text of texts.split(BETWEEN_FRAMES).reverse()) {
      const frame = { at, text, keep: true };
      const kind = kinds[--index];
      if (kind?.isWhole) {
        whole.add(kind.who);
        first.delete(kind.who);
      } else if (kind && whole.has(kind.who)) {
        const later = first.get(kind.who);
        if (later) later.keep = false;
        first.set(kind.who, frame);
      }
      kept.push(frame);
    }
  /** @type {[at: number, texts: string][]} */
  const joined = [];
  for (const { at, text, keep } of kept.reverse()) {
    const last = joined.at(-1);
    if (!keep) continue;
    if (last?.[0] === at) last[1] += BETWEEN_FRAMES + text;
    else joined.push([at, text]);
  }
  return joined;
}

// @ts-check
// The recorded stream of one answer: its stored format, and what is left out.

/** Separator of frames that came together: JSON cannot hold it (RFC 7464). */
export const BETWEEN_FRAMES = "\u001e";

/** Version of the stored format. A recording of a later one is left alone: a newer widget may run
 * in another tab. */
export const FORMAT = 1;

/** Maximum length in characters of frames; chunks of texts beyond it are dropped, and beyond twice
 * as much everything is. */
export const MAX_RECORDING = 2_000_000;

/** Returns true if a frame is a chunk of a text. @param {string} frame */
export const isChunk = (frame) => frame.includes('"AGENT_RESPONSE_CHUNK"');

/** The stream of one post. `how` is how it ended: "closed", "lost" or "stopped". Times are
 * milliseconds since 1970.
 * @typedef {{key: string, format: number, scope: string, thread: string, question: string | null,
 *   began: number, ended: number, how: string, frames: [at: number, texts: string][],
 *   length: number}} Recording */

/** Returns a new key. Keys sort by time within a thread.
 * @param {string} scope @param {string} thread @param {number} began */
export function keyOf(scope, thread, began) {
  return `${prefixOf(scope, thread)}${String(began).padStart(14, "0")}-${Math.random().toString(36).slice(2, 10)}`;
}

/** Returns the prefix of the keys of a thread. @param {string} scope @param {string} thread */
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

/** Kind of a frame: a chunk of an answer's text, or the whole text, of this speaker; `null` for
 * other events.
 * @typedef {{ isWhole: boolean, who: string } | null} Kind */

/** Reads the kinds of one stream's frames, in order.
 *
 * A text has thousands of chunks by one speaker, and parsing them takes most of the time of
 * recording. So a chunk that spells its speaker as the last parsed one did is not parsed. Such a
 * spelling cannot come from a text: quotation marks inside of JSON strings are escaped. A chunk that
 * is damaged in its middle counts as one, and is left out with the others; one that is cut does not. */
export class KindReader {
  /** How the last parsed chunk spells its speaker, and its kind.
   * @type {{ members: Member[], kind: Kind } | null} */
  #known = null;

  /** @param {string} text of one frame @returns {Kind} */
  read(text) {
    if (text.endsWith("}") && text.includes('"type":"AGENT_RESPONSE_CHUNK"') && this.#known?.members.every((member) => isSpelled(text, member))) return this.#known.kind;
    const event = /"AGENT_RESPONSE_C/.test(text) ? parsed(text) : null;
    const isWhole = event?.type === "AGENT_RESPONSE_COMPLETE";
    if (!isWhole && event?.type !== "AGENT_RESPONSE_CHUNK") return null;
    const message = event.eventMessage;
    const kind = { isWhole, who: `${message?.agent?.id ?? ""}${BETWEEN_FRAMES}${message?.collaborationId ?? ""}` };
    if (!isWhole) this.#known = { members: [memberOf(message, "agent"), memberOf(message, "collaborationId")], kind };
    return kind;
  }
}

/** A member of an event's message: its name, and with its value in JSON; `null` if it is missing.
 * @typedef {{ name: string, whole: string | null }} Member */

/** @param {any} message @param {string} name @returns {Member} */
function memberOf(message, name) {
  const value = message?.[name];
  return { name: `"${name}"`, whole: value === undefined ? null : `"${name}":${JSON.stringify(value)}` };
}

/** Returns true if a frame certainly has this member. @param {string} text @param {Member} member */
function isSpelled(text, { name, whole }) {
  const at = text.indexOf(name);
  if (whole === null) return at < 0;
  // Behind a number more digits may follow.
  return text.startsWith(whole, at) && /[,}]/.test(text[at + whole.length] ?? "") && !text.includes(name, at + 1);
}

/** Returns frames without the chunks of texts that come whole later. The first chunk of each stays:
 * it has the time at which the text began, and the id of its message.
 * @param {[at: number, texts: string][]} frames @param {Kind[]} kinds of each frame
 * @returns {[at: number, texts: string][]} */
export function withoutChunks(frames, kinds) {
  let index = kinds.length;
  /** Going backwards: the speakers whose text comes whole. @type {Set<string>} */
  const whole = new Set();
  /** The chunk of each that was left out last. @type {Map<string, {keep: boolean}>} */
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

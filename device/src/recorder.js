// @ts-check
// Streams while they run, as they are to be kept.

import { BETWEEN_FRAMES, FORMAT, MOST_OF_ONE, keyOf, PIECE } from "./recording.js";

/** @import { Recording } from "./recording.js" */

export class Recorder {
  /** @type {Map<number, Recording>} */
  #streams = new Map();
  #scope;

  /** @param {string} scope */
  constructor(scope) {
    this.#scope = scope;
  }

  /** @param {number} stream @param {number} now @param {string} thread @param {string | null} question */
  begin(stream, now, thread, question) {
    const key = keyOf(this.#scope, thread, now);
    this.#streams.set(stream, { key, format: FORMAT, scope: this.#scope, thread, question, began: now, ended: now, how: "lost", frames: [], length: 0 });
  }

  /** The recording, where it has grown. @param {number} stream @param {number} now @param {string} frames */
  frames(stream, now, frames) {
    const recording = this.#streams.get(stream);
    if (!recording) return null;
    const room = MOST_OF_ONE - recording.length;
    // Of a very long text the end is what says that it is whole.
    if (frames.length > room) frames = frames.split(BETWEEN_FRAMES).filter((text) => !PIECE.test(text)).join(BETWEEN_FRAMES);
    if (!frames || frames.length > room + MOST_OF_ONE) return null;
    const last = recording.frames.at(-1);
    if (last?.[0] === now) last[1] += BETWEEN_FRAMES + frames;
    else recording.frames.push([now, frames]);
    recording.length += frames.length;
    recording.ended = now;
    return recording;
  }

  /** The recording, where anything came. @param {number} stream @param {number} now @param {string} how */
  end(stream, now, how) {
    const recording = this.#streams.get(stream);
    this.#streams.delete(stream);
    if (!recording?.frames.length) return null;
    return Object.assign(recording, { how, ended: now });
  }

  /** What is being listened to, by its name. */
  running() {
    return new Map([...this.#streams.values()].map((recording) => [recording.key, recording]));
  }

  /** Streams that run are not recorded any more. */
  forget() {
    this.#streams.clear();
  }
}

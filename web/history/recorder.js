// @ts-check
// Streams while they run, as they are to be kept.

import { BETWEEN_FRAMES, FORMAT, keyOf, kindOf, MAX_RECORDING, PIECE, withoutPieces } from "./recording.js";

/** @import { Kind, Recording } from "./recording.js" */

export class Recorder {
  /** With what each text is that came: read as it comes, because at the end that would be the longest task of all.
   * @type {Map<number, { recording: Recording, kinds: Kind[] }>} */
  #streams = new Map();
  #scope;

  /** @param {string} scope */
  constructor(scope) {
    this.#scope = scope;
  }

  /** @param {number} stream @param {number} now @param {string} thread @param {string | null} question */
  begin(stream, now, thread, question) {
    const key = keyOf(this.#scope, thread, now);
    const recording = { key, format: FORMAT, scope: this.#scope, thread, question, began: now, ended: now, how: "lost", frames: [], length: 0 };
    this.#streams.set(stream, { recording, kinds: [] });
  }

  /** The recording, where it has grown. @param {number} stream @param {number} now @param {string} frames */
  frames(stream, now, frames) {
    const running = this.#streams.get(stream);
    if (!running) return null;
    const { recording, kinds } = running;
    const room = MAX_RECORDING - recording.length;
    // Of a very long text the end is what says that it is whole.
    if (frames.length > room) frames = frames.split(BETWEEN_FRAMES).filter((text) => !PIECE.test(text)).join(BETWEEN_FRAMES);
    if (!frames || frames.length > room + MAX_RECORDING) return null;
    const last = recording.frames.at(-1);
    if (last?.[0] === now) last[1] += BETWEEN_FRAMES + frames;
    else recording.frames.push([now, frames]);
    kinds.push(...frames.split(BETWEEN_FRAMES).map(kindOf));
    recording.length += frames.length;
    recording.ended = now;
    return recording;
  }

  /** The recording as it stays, where anything came. @param {number} stream @param {number} now @param {string} how */
  end(stream, now, how) {
    const running = this.#streams.get(stream);
    this.#streams.delete(stream);
    if (!running?.kinds.length) return null;
    const { recording, kinds } = running;
    const frames = withoutPieces(recording.frames, kinds);
    const length = frames.reduce((sum, [, texts]) => sum + texts.length, 0);
    return Object.assign(recording, { how, ended: now, frames, length });
  }

  /** What is being listened to, by its name. */
  running() {
    return new Map([...this.#streams.values()].map(({ recording }) => [recording.key, recording]));
  }

  /** Streams that run are not recorded any more. */
  forget() {
    this.#streams.clear();
  }
}

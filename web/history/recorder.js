// @ts-check
// Running streams, as they will be stored.

import { BETWEEN_FRAMES, FORMAT, isChunk, KindReader, keyOf, MAX_RECORDING, withoutChunks } from "./recording.js";

/** @import { Kind, Recording } from "./recording.js" */

export class Recorder {
  /** The streams, with the kind of each frame that came. It is computed on arrival: at the end, of
   * all frames together, that would be the longest task of all.
   * @type {Map<number, { recording: Recording, reader: KindReader, kinds: Kind[] }>} */
  #streams = new Map();
  #scope;

  /** @param {string} scope */
  constructor(scope) {
    this.#scope = scope;
  }

  /** Begins a recording.
   * @param {number} stream @param {number} at @param {string} thread
   * @param {string | null} question */
  begin(stream, at, thread, question) {
    const key = keyOf(this.#scope, thread, at);
    const recording = {
      key, format: FORMAT, scope: this.#scope, thread, question, began: at, ended: at, how: "lost", frames: [], length: 0,
    };
    this.#streams.set(stream, { recording, reader: new KindReader(), kinds: [] });
  }

  /** Adds frames. Returns the recording if it has grown.
   * @param {number} stream @param {number} at @param {string} frames */
  frames(stream, at, frames) {
    const running = this.#streams.get(stream);
    if (!running) return null;
    const { recording, reader, kinds } = running;
    const room = MAX_RECORDING - recording.length;
    // Of a very long text the last event has all of it.
    if (frames.length > room) frames = frames.split(BETWEEN_FRAMES).filter((frame) => !isChunk(frame)).join(BETWEEN_FRAMES);
    if (!frames || frames.length > room + MAX_RECORDING) return null;
    const last = recording.frames.at(-1);
    if (last?.[0] === at) last[1] += BETWEEN_FRAMES + frames;
    else recording.frames.push([at, frames]);
    for (const frame of frames.split(BETWEEN_FRAMES)) kinds.push(reader.read(frame));
    recording.length += frames.length;
    recording.ended = at;
    return recording;
  }

  /** Ends a recording. Returns it in its final form if any frame came.
   * @param {number} stream @param {number} at @param {string} end */
  end(stream, at, end) {
    const running = this.#streams.get(stream);
    this.#streams.delete(stream);
    if (!running?.kinds.length) return null;
    const { recording, kinds } = running;
    const frames = withoutChunks(recording.frames, kinds);
    const length = frames.reduce((sum, [, texts]) => sum + texts.length, 0);
    return Object.assign(recording, { how: end, ended: at, frames, length });
  }

  /** The recordings of running streams, by key. */
  running() {
    return new Map([...this.#streams.values()].map(({ recording }) => [recording.key, recording]));
  }

  /** Stops recording the running streams. */
  forget() {
    this.#streams.clear();
  }
}

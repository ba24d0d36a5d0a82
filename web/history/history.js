// @ts-check
// The recordings of one widget: what it stores, and what it gets back.

import { ClearingChannel } from "./clearing.js";
import { log, writeToClipboard } from "./log.js";
import { Recorder } from "./recorder.js";
import { Recordings } from "./recordings.js";
import { Secrets } from "./secrets.js";

/** @import { Emit, StorageKind } from "./messages.js" */
/** @import { Recording } from "./recording.js" */

/** Delays of writing in milliseconds: while a stream runs, and after its end; and how long writing
 * then waits for an idle moment at most. */
const WRITE_DELAY = 3000;
const WRITE_DELAY_AT_END = 300;
const IDLE_OPTIONS = { timeout: 2000 };

export class History {
  #recordings;
  #recorder;
  /** The recordings that changed since they were written. @type {Set<Recording>} */
  #changed = new Set();
  #timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  #emit;
  #clearing;
  #secrets = new Secrets();
  #version;
  #options = /** @type {Record<string, unknown>} */ ({});
  #hasRecorded = false;

  /** @param {string} scope the prefix of keys, which service, agent and user share
   * @param {StorageKind} kind @param {string} version of the widget @param {Emit} emit
   * @param {() => void} forgetPage another page asks to delete everything */
  constructor(scope, kind, version, emit, forgetPage) {
    this.#recordings = new Recordings(scope, kind);
    this.#recorder = new Recorder(scope);
    this.#emit = emit;
    this.#version = version;
    this.#clearing = new ClearingChannel(scope, (everything) => {
      if (everything) forgetPage();
      else void this.#clear().then(() => emit("cleared", false));
    });
    globalThis.addEventListener?.("pagehide", this.#writeBeforeUnload);
  }

  /** @param {Record<string, unknown>} options that the page set, by the names of attributes */
  setOptions(options) {
    this.#options = options;
  }

  /** Adds values that must not be stored, and values that must not be in a log. A recording that
   * holds one already is stored anew.
   * @param {string[]} keys @param {string[]} names */
  addSecrets(keys, names) {
    if (this.#secrets.add(keys, names) && this.#hasRecorded) void this.#recordings.change((it) => this.#secrets.withoutKeys(it));
  }

  /** Begins a recording.
   * @param {number} stream @param {number} at @param {string} thread
   * @param {string | null} question */
  begin(stream, at, thread, question) {
    this.#hasRecorded = true;
    this.#recorder.begin(stream, at, thread, question);
    this.#recordings.prepare();
  }

  /** Records frames that came together.
   * @param {number} stream @param {number} at @param {string} frames */
  frames(stream, at, frames) {
    const recording = this.#recorder.frames(stream, at, frames);
    if (recording) this.#scheduleWrite(recording, WRITE_DELAY);
  }

  /** Ends a recording. @param {number} stream @param {number} at @param {string} end */
  end(stream, at, end) {
    const recording = this.#recorder.end(stream, at, end);
    if (!recording) return;
    this.#cancelWrite();
    this.#scheduleWrite(recording, WRITE_DELAY_AT_END);
  }

  /** Emits the recordings of a thread, oldest first, without those of running streams.
   * @param {string} thread */
  async recall(thread) {
    const running = this.#recorder.running();
    const all = (await this.#recordings.list(thread)).filter(({ key }) => !running.has(key));
    this.#emit("recalled", thread, all.map(({ question, frames, ended, how }) => [question, frames.flat(), ended, how]));
  }

  /** Deletes all recordings, also for other tabs. A running stream is not recorded any more. */
  async forget() {
    this.#clearing.post();
    await this.#clear();
    this.#emit("forgotten");
  }

  /** Deletes everything that this page has. The storages of the browser are to be emptied next. */
  async forgetEverything() {
    await this.#clear("");
    this.#emit("cleared", true);
  }

  /** Copies the diagnostic log. */
  async copyLog() {
    let isCopied = true;
    try {
      await writeToClipboard(this.#log());
    } catch {
      isCopied = false;
    }
    this.#emit("logCopied", isCopied);
  }

  /** Resolves when everything is written. */
  close() {
    this.#clearing.close();
    globalThis.removeEventListener?.("pagehide", this.#writeBeforeUnload);
    this.#cancelWrite();
    this.#write();
    return this.#recordings.close();
  }

  async #log() {
    this.#write();
    const stored = await this.#recordings.list();
    const keys = new Set(stored.map(({ key }) => key));
    const running = this.#recorder.running();
    const ended = stored.filter(({ key }) => !running.has(key));
    const begun = [...running.values()].filter(({ key, frames }) => frames.length && !keys.has(key));
    return log(this.#version, this.#options, [...ended, ...begun], this.#secrets);
  }

  /** @param {string} [prefix] of keys */
  #clear(prefix) {
    this.#recorder.forget();
    this.#changed.clear();
    return this.#recordings.clear(prefix);
  }

  /** @param {Recording} recording @param {number} delay */
  #scheduleWrite(recording, delay) {
    this.#changed.add(recording);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if ("requestIdleCallback" in globalThis) requestIdleCallback(this.#write, IDLE_OPTIONS);
      else this.#write();
    }, delay);
  }

  #cancelWrite() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** @returns {Recording[]} */
  #takeChanged() {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed.map((recording) => this.#secrets.withoutKeys(recording));
  }

  #write = () => {
    for (const recording of this.#takeChanged()) void this.#recordings.put(recording);
  };

  /** Writes when the page is hidden: there may be no other chance. */
  #writeBeforeUnload = () => {
    for (const recording of this.#takeChanged()) this.#recordings.putAtOnce(recording);
  };
}

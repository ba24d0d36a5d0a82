// @ts-check
// One widget's part of this device: what it records, and what it is given back.

import { log, write } from "./log.js";
import { Neighbours } from "./neighbours.js";
import { Recorder } from "./recorder.js";
import { Records } from "./records.js";
import { Secrets } from "./secrets.js";

/** @import { Recording } from "./recording.js" */

/** How long what came waits for more, in milliseconds, and then at most for an idle moment. */
const SOON = 3000;
const AT_THE_END = 300;
const IDLE = { timeout: 2000 };

export class Device {
  #records;
  #recorder;
  /** What has changed since it was written. @type {Set<Recording>} */
  #changed = new Set();
  #timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
  #hear = /** @type {((said: unknown[]) => void) | null} */ (null);
  #neighbours;
  #secrets = new Secrets();
  #version;
  #options = /** @type {Record<string, unknown>} */ ({});

  /** @param {string} scope what the names of everything begin with that this service, agent and user share
   * @param {"local" | "session" | "none"} kind where to keep it
   * @param {string} version of the widget @param {(said: unknown[]) => void} hear */
  constructor(scope, kind, version, hear) {
    this.#records = new Records(scope, kind);
    this.#recorder = new Recorder(scope);
    this.#hear = hear;
    this.#version = version;
    this.#neighbours = new Neighbours(scope, () => void this.#forgetAll().then(() => this.#say("cleared")));
    globalThis.addEventListener?.("pagehide", this.#leave);
  }

  /** @param {Record<string, unknown>} options what the page set, by the names of attributes */
  describe(options) {
    this.#options = options;
  }

  /** What must not be kept, and what must not get into a log. @param {string[]} keys @param {string[]} names */
  hide(keys, names) {
    this.#secrets.add(keys, names);
  }

  /** A post leaves. @param {number} stream @param {number} now @param {string} thread @param {string | null} question */
  begin(stream, now, thread, question) {
    this.#recorder.begin(stream, now, thread, question);
    this.#records.prepare();
  }

  /** Frames came together. @param {number} stream @param {number} now @param {string} frames */
  frames(stream, now, frames) {
    const recording = this.#recorder.frames(stream, now, frames);
    if (recording) this.#change(recording, false);
  }

  /** @param {number} stream @param {number} now @param {string} how */
  end(stream, now, how) {
    const recording = this.#recorder.end(stream, now, how);
    if (recording) this.#change(recording, true);
  }

  /** Gives back what came of posts to a thread, oldest first, but for those that are being listened to.
   * @param {string} thread */
  async recall(thread) {
    const running = this.#recorder.running();
    const all = (await this.#records.of(thread)).filter(({ key }) => !running.has(key));
    this.#say("recalled", thread, all.map(({ question, frames, ended, how }) => [question, frames.flat(), ended, how]));
  }

  /** Removes what is kept, in other tabs too. A stream that runs is not kept as a whole any more. */
  async forget() {
    this.#neighbours.tell();
    await this.#forgetAll();
    this.#say("forgotten");
  }

  /** Copies the diagnostic log. */
  async copy() {
    let isCopied = true;
    try {
      await write(this.#log());
    } catch {
      isCopied = false;
    }
    this.#say("copied", isCopied);
  }

  close() {
    this.#neighbours.close();
    globalThis.removeEventListener?.("pagehide", this.#leave);
    this.#stopWaiting();
    this.#write();
    this.#hear = null;
    void this.#records.close();
  }

  async #log() {
    this.#write();
    const kept = await this.#records.of();
    const names = new Set(kept.map(({ key }) => key));
    const running = this.#recorder.running();
    const recordings = [...kept.filter(({ key }) => !running.has(key)), ...[...running.values()].filter(({ key, frames }) => frames.length && !names.has(key))];
    return log(this.#version, this.#options, recordings, this.#secrets);
  }

  #forgetAll() {
    this.#recorder.forget();
    this.#changed.clear();
    return this.#records.clear();
  }

  /** @param {Recording} recording @param {boolean} hasEnded */
  #change(recording, hasEnded) {
    this.#changed.add(recording);
    if (hasEnded) this.#stopWaiting();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if ("requestIdleCallback" in globalThis) requestIdleCallback(this.#write, IDLE);
      else this.#write();
    }, hasEnded ? AT_THE_END : SOON);
  }

  #stopWaiting() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** @returns {Recording[]} */
  #toWrite() {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed.map((recording) => this.#secrets.withoutKeys(recording));
  }

  #write = () => {
    for (const recording of this.#toWrite()) void this.#records.put(recording);
  };

  /** There may be no other chance. */
  #leave = () => {
    for (const recording of this.#toWrite()) this.#records.hurry(recording);
  };

  /** A widget that has ended hears nothing. @param {unknown[]} said */
  #say(...said) {
    try {
      this.#hear?.(said);
    } catch {
      // Its module has stopped, and says so itself.
    }
  }
}

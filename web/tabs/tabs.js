// @ts-check
// Messages between the tabs of one service, agent and user: streams, of which the tab that posted
// is the owner and the others mirror it, and changes of the list of threads. Nothing of it is
// stored, and no key or token is in it.
//
// An owner holds a lock while its stream runs. A tab that mirrors it waits for that lock: if it is
// granted without an end of the stream, the owner is gone. An owner announces the begin and the end
// of a stream to every tab, and sends the frames between them only once a tab asked for the stream:
// most pages are alone. Where the service keeps a log of the events of answers (the extension
// `resume`), every tab reads that for itself, and an owner only says that it wrote in a thread.

import { BETWEEN_FRAMES } from "../history/recording.js";

/** @import { Emit } from "../history/messages.js" */
/** @import { Item } from "../history/posted.js" */

/** Version of the messages. Tabs with another version of the widget may have another one, and use
 * another channel then. */
const FORMAT = 2;

/** Numbers of mirrored streams count down from here, those of the widget's own count up from 0. */
const LAST_NUMBER = 2 ** 32 - 1;

/** Time in milliseconds to wait for a stream's end after its owner's lock is free: messages and
 * locks take different ways. */
const END_TIMEOUT = 500;

/** Maximum length of an answer in characters that is kept for tabs that come later. */
const MAX_KEPT_LENGTH = 8_000_000;

/** A stream of this tab, with all frames that came. `isLogged`: the service keeps them, and nothing
 * is kept here. `isFollowed`: another tab asked for it.
 * `release` gives its lock back.
 * @typedef {{id: string, thread: string, items: Item[], isLogged: boolean, frames: string[],
 *   count: number, length: number, hasLock: boolean, isFollowed: boolean,
 *   hasEnded: boolean, release: () => void}} Own */
/** A stream of another tab, of which `count` batches of frames came. `isTaken`: the widget shows
 * it. `waiting` ends the wait for the owner's lock.
 * @typedef {{id: string, stream: number, thread: string, count: number, isTaken: boolean,
 *   waiting: AbortController}} Mirrored */
/** A message between tabs.
 * @typedef {{type: "begin", id: string, thread: string, items: Item[], frames: string[],
 *     isFollowed: boolean}
 *   | {type: "frames", id: string, at: number, frames: string}
 *   | {type: "stalled", id: string, isStalled: boolean}
 *   | {type: "end", id: string, at: number, end: string}
 *   | {type: "stop", id: string}
 *   | {type: "findStreams", thread: string}
 *   | {type: "messagesChanged", thread: string}
 *   | {type: "threadsChanged", deleted: string | undefined}} TabMessage */
/** The parts of the browser that are used.
 * @typedef {{locks: LockManager, channel: (name: string) => BroadcastChannel}} Browser */

/** Returns `null` if the browser, or the page it came with, has no channels or no locks.
 * @returns {Browser | null} */
export function browser() {
  const { BroadcastChannel: Channel, navigator } = globalThis;
  if (!Channel || !navigator?.locks) return null;
  return { locks: navigator.locks, channel: (name) => new Channel(name) };
}

export class Tabs {
  #scope;
  #emit;
  #browser;
  #channel = /** @type {BroadcastChannel | null} */ (null);
  #own = /** @type {Map<number, Own>} */ (new Map());
  #mirrored = /** @type {Map<string, Mirrored>} */ (new Map());
  #number = LAST_NUMBER;

  /** @param {string} scope the prefix of names, which service, agent and user share
   * @param {Emit} emit @param {Browser} browser */
  constructor(scope, emit, browser) {
    this.#scope = scope;
    this.#emit = emit;
    this.#browser = browser;
    this.#join();
    globalThis.addEventListener?.("pagehide", this.#leave);
    globalThis.addEventListener?.("pageshow", this.#join);
  }

  /** Begins a stream of this tab, which posts these items.
   * @param {number} stream @param {string} thread @param {Item[]} items
   * @param {boolean} isLogged the service gives its events to every tab */
  begin(stream, thread, items, isLogged) {
    const id = crypto.randomUUID();
    this.#own.set(stream, {
      id, thread, items, isLogged, frames: [], count: 0, length: 0, hasLock: false, isFollowed: false, hasEnded: false, release() {},
    });
  }

  /** Sends frames of a stream of this tab that came together.
   * @param {number} stream @param {string} frames */
  frames(stream, frames) {
    const own = this.#own.get(stream);
    if (!own) return;
    own.count++;
    // A post is announced once it has an answer: before that it may be refused.
    if (own.isLogged) {
      if (own.count === 1) this.#post({ type: "messagesChanged", thread: own.thread });
      return;
    }
    own.length += frames.length;
    if (own.length > MAX_KEPT_LENGTH) own.frames = [];
    else own.frames.push(frames);
    if (own.count === 1) this.#takeLock(own);
    else if (own.isFollowed) this.#post({ type: "frames", id: own.id, at: own.count - 1, frames });
  }

  /** @param {number} stream @param {boolean} isStalled */
  stalled(stream, isStalled) {
    const own = this.#own.get(stream);
    if (own?.hasLock) this.#post({ type: "stalled", id: own.id, isStalled });
  }

  /** @param {number} stream @param {string} end "closed", "lost" or "stopped" */
  end(stream, end) {
    const own = this.#own.get(stream);
    if (!own) return;
    this.#own.delete(stream);
    own.hasEnded = true;
    if (!own.count) return;
    if (!own.hasLock) this.#announce(own);
    this.#post({ type: "end", id: own.id, at: own.count, end });
    own.release();
  }

  /** The widget mirrors this stream from now on. @param {number} stream */
  following(stream) {
    const mirrored = this.#find(stream);
    if (mirrored) mirrored.isTaken = true;
  }

  /** Stops a stream if it is another tab's. @param {number} stream */
  stop(stream) {
    const mirrored = this.#find(stream);
    if (!mirrored) return;
    this.#forget(mirrored);
    this.#post({ type: "stop", id: mirrored.id });
  }

  /** Asks for the streams of a thread, which this tab shows. @param {string} thread */
  findStreams(thread) {
    this.#post({ type: "findStreams", thread });
  }

  /** Announces a change of the list of threads. @param {string} [deleted] */
  threadsChanged(deleted) {
    this.#post({ type: "threadsChanged", deleted });
  }

  close() {
    for (const stream of [...this.#own.keys()]) this.end(stream, "lost");
    this.#leave();
    this.#mirrored.clear();
    globalThis.removeEventListener?.("pagehide", this.#leave);
    globalThis.removeEventListener?.("pageshow", this.#join);
  }

  /** Leaves the channel: a page with a channel or a lock does not enter the back/forward cache. */
  #leave = () => {
    this.#channel?.close();
    this.#channel = null;
    for (const { waiting } of this.#mirrored.values()) waiting.abort();
  };

  /** Joins the channel. A page that comes back from the cache has missed messages. */
  #join = () => {
    if (this.#channel) return;
    try {
      this.#channel = this.#browser.channel(`${this.#scope}tabs:${FORMAT}`);
    } catch {
      // Without an origin there are no other tabs.
      return;
    }
    this.#channel.onmessage = ({ data }) => this.#receive(data);
    for (const mirrored of [...this.#mirrored.values()]) this.#end(mirrored, "lost");
  };

  /** @param {TabMessage} message */
  #receive(message) {
    if (message.type === "begin") this.#mirror(message);
    else if (message.type === "findStreams") {
      for (const own of this.#own.values())
        if (own.thread === message.thread && own.hasLock) {
          own.isFollowed = true;
          this.#announce(own);
        }
    } else if (message.type === "stop") {
      for (const [stream, { id }] of this.#own) if (id === message.id) this.#emit("stop", stream);
    } else if (message.type === "threadsChanged") this.#emit("threadsChanged", message.deleted);
    else if (message.type === "messagesChanged") this.#emit("messagesChanged", message.thread);
    else {
      const mirrored = this.#mirrored.get(message.id);
      if (message.type === "end") {
        // If frames are missing, the stored messages have the end.
        if (mirrored) this.#end(mirrored, message.at === mirrored.count ? message.end : "lost");
        this.#emit("threadsChanged");
      } else if (mirrored && message.type === "stalled") this.#emit("stalled", mirrored.stream, message.isStalled);
      else if (mirrored && message.type === "frames") {
        if (message.at === mirrored.count) this.#passOn(mirrored, [message.frames]);
        else if (message.at > mirrored.count) this.findStreams(mirrored.thread);
      }
    }
  }

  /** Mirrors a stream if the widget shows its thread, and passes on the frames that are new.
   * @param {Extract<TabMessage, {type: "begin"}>} message */
  #mirror({ id, thread, items, frames, isFollowed }) {
    const known = this.#mirrored.get(id);
    const mirrored = known ?? {
      id, thread, stream: this.#number--, count: 0, isTaken: false, waiting: new AbortController(),
    };
    if (!known) {
      this.#mirrored.set(id, mirrored);
      this.#emit("follow", mirrored.stream, thread, items);
      if (!mirrored.isTaken) return void this.#mirrored.delete(id);
      this.#waitForOwner(mirrored);
      if (!isFollowed) this.findStreams(thread);
    }
    const news = frames.slice(mirrored.count);
    if (news.length) this.#passOn(mirrored, news);
  }

  /** @param {Mirrored} mirrored @param {string[]} frames */
  #passOn(mirrored, frames) {
    mirrored.count += frames.length;
    this.#emit("frames", mirrored.stream, frames.join(BETWEEN_FRAMES));
  }

  /** @param {Mirrored} mirrored @param {string} end */
  #end(mirrored, end) {
    this.#forget(mirrored);
    this.#emit("end", mirrored.stream, end);
  }

  /** @param {Mirrored} mirrored */
  #forget(mirrored) {
    this.#mirrored.delete(mirrored.id);
    mirrored.waiting.abort();
  }

  /** @param {number} stream */
  #find(stream) {
    for (const mirrored of this.#mirrored.values()) if (mirrored.stream === stream) return mirrored;
  }

  /** Announces a stream of this tab, if all of its frames are kept. @param {Own} own */
  #announce({ id, thread, items, frames, count, isFollowed }) {
    if (frames.length === count) this.#post({ type: "begin", id, thread, items, frames, isFollowed });
  }

  /** Takes the lock of a stream of this tab, and announces it then. @param {Own} own */
  #takeLock(own) {
    this.#lock(own.id, {}, () => {
      if (own.hasEnded) return;
      own.hasLock = true;
      this.#announce(own);
      return new Promise((release) => (own.release = () => release(undefined)));
    });
  }

  /** Ends a mirrored stream when its owner is gone. @param {Mirrored} mirrored */
  #waitForOwner(mirrored) {
    this.#lock(mirrored.id, { mode: "shared", signal: mirrored.waiting.signal }, () => {
      setTimeout(() => {
        if (this.#mirrored.get(mirrored.id) === mirrored) this.#end(mirrored, "lost");
      }, END_TIMEOUT);
    });
  }

  /** @param {string} id @param {LockOptions} options @param {() => unknown} granted */
  #lock(id, options, granted) {
    // Refused if a page has no origin, and aborted if the wait has ended.
    this.#browser.locks.request(`${this.#scope}stream:${id}`, options, granted).catch(() => {});
  }

  /** @param {TabMessage} message */
  #post(message) {
    this.#channel?.postMessage(message);
  }
}

// @ts-check
// What the tabs of one service, agent and user tell each other: streams, of which the tab that posted is the owner and the
// others follow, and that the list of threads changed. Nothing of it is stored, and no key or token is in it.
//
// An owner holds a lock while its stream runs. Whoever follows waits for that lock: if it comes without an end of the stream,
// the owner is gone. An owner tells every tab that a stream began and ended, and what comes between only once a tab asked
// for it: most pages are alone.

import { BETWEEN_FRAMES } from "../history/recording.js";

/** @import { Item } from "../history/posted.js" */

/** What tabs say has this shape. Those of another one, of another version of the widget, have a channel of their own. */
const FORMAT = 1;

/** Followed streams are counted from the other end than those of the widget. */
const LAST_NAME = 2 ** 32 - 1;

/** The end of a stream may come behind the lock of its owner, which takes another way. In milliseconds. */
const GRACE = 500;

/** Of a longer answer nothing is kept for tabs that come later, in characters. */
const LIMIT = 8_000_000;

/** A stream of this tab, with all frames that came. Nobody may follow it. `release` gives its lock back.
 * @typedef {{id: string, thread: string, items: Item[], frames: string[], count: number, length: number, isHeld: boolean, isFollowed: boolean, hasEnded: boolean, release: () => void}} Own */
/** A stream of another tab. `count` is how many pieces came.
 * @typedef {{id: string, stream: number, thread: string, count: number, isTaken: boolean, waiting: AbortController}} Followed */
/** @typedef {{verb: "begin", id: string, thread: string, items: Item[], frames: string[], isFollowed: boolean} | {verb: "frames", id: string, at: number, frames: string}
 *   | {verb: "quiet", id: string, isQuiet: boolean} | {verb: "end", id: string, at: number, how: string} | {verb: "stop", id: string}
 *   | {verb: "ask", thread: string} | {verb: "threads", gone: string | undefined}} Said */
/** What is used of the browser. @typedef {{locks: LockManager, channel: (name: string) => BroadcastChannel}} Browser */

/** `null` where the browser, or the page that it came with, has no channels or no locks. @returns {Browser | null} */
export function browser() {
  const { BroadcastChannel: Channel, navigator } = globalThis;
  if (!Channel || !navigator?.locks) return null;
  return { locks: navigator.locks, channel: (name) => new Channel(name) };
}

export class Tabs {
  #scope;
  #hear;
  #browser;
  #channel = /** @type {BroadcastChannel | null} */ (null);
  #own = /** @type {Map<number, Own>} */ (new Map());
  #followed = /** @type {Map<string, Followed>} */ (new Map());
  #name = LAST_NAME;

  /** @param {string} scope what begins the names of everything that only this service, agent and user share
   * @param {(...said: unknown[]) => void} hear @param {Browser} browser */
  constructor(scope, hear, browser) {
    this.#scope = scope;
    this.#hear = hear;
    this.#browser = browser;
    this.#join();
    globalThis.addEventListener?.("pagehide", this.#leave);
    globalThis.addEventListener?.("pageshow", this.#join);
  }

  /** A post leaves. @param {number} stream @param {string} thread @param {Item[]} items what is posted */
  begin(stream, thread, items) {
    const id = crypto.randomUUID();
    this.#own.set(stream, { id, thread, items, frames: [], count: 0, length: 0, isHeld: false, isFollowed: false, hasEnded: false, release() {} });
  }

  /** Frames came together. @param {number} stream @param {string} frames */
  frames(stream, frames) {
    const own = this.#own.get(stream);
    if (!own) return;
    own.count++;
    own.length += frames.length;
    if (own.length > LIMIT) own.frames = [];
    else own.frames.push(frames);
    // A post is told of once it has an answer: before that it may be refused.
    if (own.count === 1) this.#hold(own);
    else if (own.isFollowed) this.#say({ verb: "frames", id: own.id, at: own.count - 1, frames });
  }

  /** @param {number} stream @param {boolean} isQuiet */
  quiet(stream, isQuiet) {
    const own = this.#own.get(stream);
    if (own?.isHeld) this.#say({ verb: "quiet", id: own.id, isQuiet });
  }

  /** @param {number} stream @param {string} how "closed", "lost" or "stopped" */
  end(stream, how) {
    const own = this.#own.get(stream);
    if (!own) return;
    this.#own.delete(stream);
    own.hasEnded = true;
    if (!own.count) return;
    if (!own.isHeld) this.#announce(own);
    this.#say({ verb: "end", id: own.id, at: own.count, how });
    own.release();
  }

  /** The widget follows this stream from now on. @param {number} stream */
  took(stream) {
    const followed = this.#named(stream);
    if (followed) followed.isTaken = true;
  }

  /** The person stopped a stream, which may be another tab's. @param {number} stream */
  stop(stream) {
    const followed = this.#named(stream);
    if (!followed) return;
    this.#forget(followed);
    this.#say({ verb: "stop", id: followed.id });
  }

  /** This tab shows a thread, and wants to follow what is streamed there. @param {string} thread */
  ask(thread) {
    this.#say({ verb: "ask", thread });
  }

  /** The list of threads is another one. @param {string} [gone] the one that was deleted */
  threads(gone) {
    this.#say({ verb: "threads", gone });
  }

  close() {
    for (const stream of [...this.#own.keys()]) this.end(stream, "lost");
    this.#leave();
    this.#followed.clear();
    globalThis.removeEventListener?.("pagehide", this.#leave);
    globalThis.removeEventListener?.("pageshow", this.#join);
  }

  /** A page with a channel or a lock is not kept for the way back. */
  #leave = () => {
    this.#channel?.close();
    this.#channel = null;
    for (const { waiting } of this.#followed.values()) waiting.abort();
  };

  /** A page that was kept has missed something. */
  #join = () => {
    if (this.#channel) return;
    try {
      this.#channel = this.#browser.channel(`${this.#scope}tabs:${FORMAT}`);
    } catch {
      // Without an origin there are no other tabs.
      return;
    }
    this.#channel.onmessage = ({ data }) => this.#take(data);
    for (const followed of [...this.#followed.values()]) this.#end(followed, "lost");
  };

  /** @param {Said} said */
  #take(said) {
    if (said.verb === "begin") this.#begin(said);
    else if (said.verb === "ask") {
      for (const own of this.#own.values())
        if (own.thread === said.thread && own.isHeld) {
          own.isFollowed = true;
          this.#announce(own);
        }
    } else if (said.verb === "stop") {
      for (const [stream, { id }] of this.#own) if (id === said.id) this.#hear("stop", stream);
    } else if (said.verb === "threads") this.#hear("threads", said.gone);
    else {
      const followed = this.#followed.get(said.id);
      if (said.verb === "end") {
        // Where something is missing, what is stored is the end.
        if (followed) this.#end(followed, said.at === followed.count ? said.how : "lost");
        this.#hear("threads");
      } else if (followed && said.verb === "quiet") this.#hear("quiet", followed.stream, said.isQuiet);
      else if (followed && said.verb === "frames") {
        if (said.at === followed.count) this.#pass(followed, [said.frames]);
        else if (said.at > followed.count) this.ask(followed.thread);
      }
    }
  }

  /** @param {Extract<Said, {verb: "begin"}>} said */
  #begin({ id, thread, items, frames, isFollowed }) {
    const known = this.#followed.get(id);
    const followed = known ?? { id, thread, stream: this.#name--, count: 0, isTaken: false, waiting: new AbortController() };
    if (!known) {
      this.#followed.set(id, followed);
      this.#hear("follow", followed.stream, thread, items);
      if (!followed.isTaken) return void this.#followed.delete(id);
      this.#wait(followed);
      if (!isFollowed) this.ask(thread);
    }
    const news = frames.slice(followed.count);
    if (news.length) this.#pass(followed, news);
  }

  /** @param {Followed} followed @param {string[]} frames */
  #pass(followed, frames) {
    followed.count += frames.length;
    this.#hear("frames", followed.stream, frames.join(BETWEEN_FRAMES));
  }

  /** @param {Followed} followed @param {string} how */
  #end(followed, how) {
    this.#forget(followed);
    this.#hear("end", followed.stream, how);
  }

  /** @param {Followed} followed */
  #forget(followed) {
    this.#followed.delete(followed.id);
    followed.waiting.abort();
  }

  /** @param {number} stream */
  #named(stream) {
    for (const followed of this.#followed.values()) if (followed.stream === stream) return followed;
  }

  /** Tells of a stream of this tab, unless not all of it is here any more. @param {Own} own */
  #announce({ id, thread, items, frames, count, isFollowed }) {
    if (frames.length === count) this.#say({ verb: "begin", id, thread, items, frames, isFollowed });
  }

  /** Takes the lock of a stream of this tab, and tells of it. @param {Own} own */
  #hold(own) {
    this.#lock(own.id, {}, () => {
      if (own.hasEnded) return;
      own.isHeld = true;
      this.#announce(own);
      return new Promise((release) => (own.release = () => release(undefined)));
    });
  }

  /** Waits for the end of a stream's owner. @param {Followed} followed */
  #wait(followed) {
    this.#lock(followed.id, { mode: "shared", signal: followed.waiting.signal }, () => {
      setTimeout(() => {
        if (this.#followed.get(followed.id) === followed) this.#end(followed, "lost");
      }, GRACE);
    });
  }

  /** @param {string} id @param {LockOptions} options @param {() => unknown} granted */
  #lock(id, options, granted) {
    // Refused where a page has no origin, and ended where nobody waits any more.
    this.#browser.locks.request(`${this.#scope}stream:${id}`, options, granted).catch(() => {});
  }

  /** @param {Said} said */
  #say(said) {
    this.#channel?.postMessage(said);
  }
}

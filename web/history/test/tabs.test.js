// Several tabs on one channel and one set of locks, in which everything happens when it is told to.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { items } from "../posted.js";
import { BETWEEN_FRAMES as BETWEEN } from "../recording.js";
import { browser, Tabs } from "../../tabs/tabs.js";

const SCOPE = "assent:here|agent|ann:";
const POSTED = [["text", "hi"]];

/** A browser with channels and locks of its own. Messages wait for `settle`. */
class World {
  channels = new Set();
  held = new Map();
  queue = [];
  posted = [];
  tabs = [];

  constructor() {
    const world = this;
    this.browser = {
      channel: (name) => {
        const channel = {
          name,
          onmessage: null,
          postMessage: (data) => {
            // As it is at this moment, as in a browser.
            const message = structuredClone(data);
            world.posted.push(message);
            for (const other of world.channels)
              if (other !== channel && other.name === name) world.queue.push(() => world.channels.has(other) && other.onmessage({ data: structuredClone(message) }));
          },
          close: () => world.channels.delete(channel),
        };
        world.channels.add(channel);
        return channel;
      },
      locks: {
        request: (name, options, granted) =>
          new Promise((resolve, reject) => {
            const wish = { name, isShared: options.mode === "shared", granted, resolve, reject };
            const lock = world.held.get(name) ?? world.held.set(name, { holders: new Set(), wishes: [] }).get(name);
            lock.wishes.push(wish);
            options.signal?.addEventListener("abort", () => {
              const at = lock.wishes.indexOf(wish);
              if (at < 0) return;
              lock.wishes.splice(at, 1);
              reject(new DOMException("", "AbortError"));
            });
            world.queue.push(() => world.grant(lock));
          }),
      },
    };
  }

  grant(lock) {
    const [next] = lock.wishes;
    if (!next) return;
    const isFree = next.isShared ? [...lock.holders].every((holder) => holder.isShared) : lock.holders.size === 0;
    if (!isFree) return;
    lock.wishes.shift();
    lock.holders.add(next);
    const end = () => {
      lock.holders.delete(next);
      next.resolve();
      this.queue.push(() => this.grant(lock));
    };
    Promise.resolve(next.granted()).then(end);
    this.queue.push(() => this.grant(lock));
  }

  /** A tab that follows what is streamed in `threads`. */
  tab(threads = ["t1"], scope = SCOPE) {
    const events = [];
    const tab = { events, tabs: null };
    const emit = (...event) => {
      events.push(event);
      if (event[0] === "follow" && threads.includes(event[2])) tab.tabs.following(event[1]);
    };
    tab.tabs = new Tabs(scope, emit, this.browser);
    this.tabs.push(tab.tabs);
    return tab;
  }

  /** What waits happens, and not what comes of it. */
  async step() {
    for (const next of this.queue.splice(0)) next();
    for (let turn = 0; turn < 5; turn++) await null;
  }

  async settle() {
    do await this.step();
    while (this.queue.length);
  }

  /** How many locks are held or waited for. */
  locks() {
    return [...this.held.values()].reduce((count, { holders, wishes }) => count + holders.size + wishes.length, 0);
  }
}

let world = new World();
afterEach(() => {
  for (const tabs of world.tabs) tabs.close();
  world = new World();
});

test("where the service keeps the events, nothing of a stream goes to other tabs but that it is there", async () => {
  const [owner, other] = [world.tab(), world.tab()];
  owner.tabs.begin(1, "t1", POSTED, true);
  await world.settle();
  assert.deepEqual(world.posted, []);
  owner.tabs.frames(1, "a");
  owner.tabs.frames(1, "b");
  owner.tabs.stalled(1, true);
  other.tabs.findStreams("t1");
  await world.settle();
  assert.deepEqual(other.events, [["messagesChanged", "t1"]]);
  assert.equal(world.locks(), 0);
  owner.tabs.end(1, "closed");
  await world.settle();
  assert.deepEqual(other.events.slice(1), [["threadsChanged"]]);
  assert.deepEqual(owner.events, []);
  // Of a post that has no answer nobody is told.
  owner.tabs.begin(2, "t1", POSTED, true);
  owner.tabs.end(2, "lost");
  await world.settle();
  assert.equal(other.events.length, 2);
});

const summary = ({ events }) => events.map(([name, , what]) => (name === "frames" || name === "end" ? `${name} ${what}` : name));

test("another tab follows a stream from its first frame to its end", async () => {
  const [owner, other] = [world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  await world.settle();
  assert.deepEqual(other.events, [], "a post that may be refused is nobody's affair");
  owner.tabs.frames(7, "a");
  await world.settle();
  const [, stream] = other.events[0];
  assert.deepEqual(other.events, [
    ["follow", stream, "t1", POSTED],
    ["frames", stream, "a"],
  ]);
  owner.tabs.frames(7, `b${BETWEEN}c`);
  owner.tabs.stalled(7, true);
  owner.tabs.end(7, "closed");
  await world.settle();
  assert.deepEqual(other.events.slice(2), [
    ["frames", stream, `b${BETWEEN}c`],
    ["stalled", stream, true],
    ["end", stream, "closed"],
    ["threadsChanged"],
  ]);
  assert.deepEqual(owner.events, []);
  assert.equal(world.locks(), 0);
});

test("of a stream that no tab follows, only the beginning and the end are posted", async () => {
  const [owner, elsewhere] = [world.tab(), world.tab(["t2"])];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  owner.tabs.frames(7, "b");
  owner.tabs.frames(7, "c");
  owner.tabs.end(7, "closed");
  await world.settle();
  assert.deepEqual(world.posted.map(({ type }) => type), ["begin", "end"]);
  assert.deepEqual(summary(elsewhere), ["follow", "threadsChanged"]);
});

test("a tab receives the frames that came before its request", async () => {
  const [owner, other] = [world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  while (!world.posted.length) await world.step();
  owner.tabs.frames(7, "b");
  await world.settle();
  assert.deepEqual(summary(other), ["follow", "frames a", "frames b"]);
  assert.deepEqual(world.posted.map(({ type }) => type), ["begin", "findStreams", "begin"]);
});

test("a tab that joins late receives all frames from the beginning, and no tab receives a frame twice", async () => {
  const [owner, early] = [world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  owner.tabs.frames(7, "b");
  await world.settle();
  const late = world.tab();
  late.tabs.findStreams("t1");
  await world.settle();
  owner.tabs.frames(7, "c");
  owner.tabs.end(7, "closed");
  await world.settle();
  assert.deepEqual(summary(late), ["follow", `frames a${BETWEEN}b`, "frames c", "end closed", "threadsChanged"]);
  assert.deepEqual(summary(early), ["follow", "frames a", "frames b", "frames c", "end closed", "threadsChanged"]);
  late.tabs.findStreams("t1");
  await world.settle();
  assert.equal(late.events.length, 5, "what has ended is stored");
});

test("an answer that ends before its lock is granted is mirrored all the same", async () => {
  const [owner, other] = [world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  owner.tabs.end(7, "closed");
  await world.settle();
  assert.deepEqual(summary(other), ["follow", "frames a", "end closed", "threadsChanged"]);
  assert.equal(world.locks(), 0);
});

test("nothing is posted about a refused message", async () => {
  const [owner, other] = [world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.end(7, "lost");
  await world.settle();
  assert.deepEqual([other.events, world.posted], [[], []]);
});

test("a tab does not follow streams of threads that it does not show, or of other users", async () => {
  const [owner, elsewhere, stranger] = [world.tab(), world.tab(["t2"]), world.tab(["t1"], "assent:here|agent|bob:")];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  owner.tabs.frames(7, "b");
  elsewhere.tabs.findStreams("t2");
  await world.settle();
  owner.tabs.end(7, "closed");
  await world.settle();
  assert.deepEqual(summary(elsewhere), ["follow", "threadsChanged"], "it was asked once, and not told again");
  assert.deepEqual(stranger.events, []);
});

test("a stream whose page closed without a message is reported as lost, once", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [owner, other] = [world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  const [lock] = world.held.values();
  lock.holders.clear();
  world.grant(lock);
  await world.settle();
  context.mock.timers.tick(400);
  assert.deepEqual(summary(other), ["follow", "frames a"], "the end may be on its way");
  context.mock.timers.tick(100);
  assert.deepEqual(summary(other), ["follow", "frames a", "end lost"]);
  context.mock.timers.tick(500);
  assert.equal(other.events.length, 3);
});

test("an end that arrives after the lock was released still counts", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [owner, other] = [world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  const [lock] = world.held.values();
  lock.holders.clear();
  world.grant(lock);
  owner.tabs.end(7, "closed");
  await world.settle();
  context.mock.timers.tick(500);
  assert.deepEqual(summary(other), ["follow", "frames a", "end closed", "threadsChanged"]);
});

test("a stop from another tab reaches the owner and ends the stream in all tabs", async () => {
  const [owner, one, two] = [world.tab(), world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  one.tabs.stop(one.events[0][1]);
  await world.settle();
  assert.deepEqual(owner.events, [["stop", 7]]);
  assert.equal(world.locks(), 2, "who stopped waits for nothing any more");
  owner.tabs.end(7, "stopped");
  await world.settle();
  assert.deepEqual(summary(two), ["follow", "frames a", "end stopped", "threadsChanged"]);
  assert.deepEqual(summary(one), ["follow", "frames a", "threadsChanged"]);
  assert.equal(world.locks(), 0);
});

test("after a gap a tab asks for all frames again and ignores an end until it has them", async () => {
  const [owner, other] = [world.tab(), world.tab()];
  const lose = () => world.queue.splice(0);
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  owner.tabs.frames(7, "b");
  lose();
  owner.tabs.frames(7, "c");
  await world.settle();
  assert.deepEqual(summary(other), ["follow", "frames a", `frames b${BETWEEN}c`]);
  owner.tabs.frames(7, "d");
  lose();
  owner.tabs.end(7, "closed");
  await world.settle();
  assert.deepEqual(summary(other).slice(3), ["end lost", "threadsChanged"]);
});

test("the frames of a very long answer are not kept for tabs that join later", async () => {
  const [owner, early] = [world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  owner.tabs.frames(7, "x".repeat(8_000_001));
  owner.tabs.frames(7, "b");
  await world.settle();
  const late = world.tab();
  late.tabs.findStreams("t1");
  await world.settle();
  owner.tabs.end(7, "closed");
  await world.settle();
  assert.deepEqual(summary(late), ["threadsChanged"]);
  assert.deepEqual(summary(early).slice(-3), ["frames b", "end closed", "threadsChanged"]);
});

test("a closed widget leaves no lock, channel or timer behind", async () => {
  const [owner, other] = [world.tab(), world.tab()];
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  const third = world.tab();
  third.tabs.findStreams("t1");
  await world.settle();
  assert.equal(world.locks(), 3);
  third.tabs.close();
  await world.settle();
  assert.equal(world.locks(), 2);
  owner.tabs.close();
  await world.settle();
  assert.deepEqual(summary(other), ["follow", "frames a", "end lost", "threadsChanged"]);
  const next = world.tab();
  next.tabs.begin(1, "t1", POSTED);
  next.tabs.frames(1, "a");
  await world.settle();
  other.tabs.close();
  next.tabs.close();
  await world.settle();
  assert.deepEqual([world.channels.size, world.locks()], [0, 0]);
});

test("a page restored from the back/forward cache reports its streams as lost and asks again", async (context) => {
  const listeners = {};
  globalThis.addEventListener = (type, listener) => (listeners[type] = listener);
  context.after(() => delete globalThis.addEventListener);
  const owner = world.tab();
  const other = world.tab();
  owner.tabs.begin(7, "t1", POSTED);
  owner.tabs.frames(7, "a");
  await world.settle();
  listeners.pagehide();
  owner.tabs.frames(7, "b");
  await world.settle();
  listeners.pageshow();
  assert.deepEqual(summary(other), ["follow", "frames a", "end lost"]);
  other.tabs.findStreams("t1");
  await world.settle();
  assert.deepEqual(summary(other).slice(3), ["follow", `frames a${BETWEEN}b`]);
});

test("other tabs learn that the thread list changed, and which thread was deleted", async () => {
  const [one, two] = [world.tab(), world.tab()];
  one.tabs.threadsChanged();
  one.tabs.threadsChanged("t1");
  await world.settle();
  assert.deepEqual(two.events, [["threadsChanged", undefined], ["threadsChanged", "t1"]]);
  assert.deepEqual(one.events, []);
});

test("posted content is read in both spellings of the field names", async () => {
  const [owner, other] = [world.tab(), world.tab()];
  const results = [{ toolExecutionId: "x1" }, { toolExecutionId: "x2" }];
  const bodies = [
    [{ type: "text", text: "hi" }, { type: "document", fileId: "f" }, { type: "image", imageId: "i" }],
    [{ type: "image_url", url: "i" }],
    [{ type: "tool_approval_result", toolApprovalResult: results }, { type: "text", text: "no" }],
    [{ type: "tool_approval_result", tool_approval_results: results }],
  ];
  for (const [stream, content] of bodies.entries()) {
    owner.tabs.begin(stream, "t1", items(JSON.stringify({ content })));
    owner.tabs.frames(stream, "a");
    await world.settle();
  }
  const decided = results.map((result) => ["tool_approval_result", JSON.stringify(result)]);
  assert.deepEqual(other.events.filter(([name]) => name === "follow").map((event) => event[3]), [
    [["text", "hi"], ["document", "f"], ["image", "i"]],
    [["image", "i"]],
    [...decided, ["text", "no"]],
    decided,
  ]);
});

test("without BroadcastChannel or Web Locks a tab works alone", () => {
  assert.equal(browser(), null, "as in this program, which has no locks");
});

// @ts-check
// What is removed before something is kept, or leaves the device; and forgetting.

import assert from "node:assert/strict";
import { test } from "node:test";
import { log } from "../log.js";
import { BETWEEN_FRAMES, FORMAT } from "../recording.js";
import { Secrets } from "../secrets.js";
import { body, elsewhere, event, forgetEverything, Widget } from "./support/bundle.js";

/** @import { TestContext } from "node:test" */

/** @param {string[]} frames @param {string | null} [question] */
const recording = (frames, question = "hi") => ({
  key: "k", format: FORMAT, scope: "s", thread: "t1", question, began: 1, ended: 3, how: "closed", length: 1,
  frames: /** @type {[number, string][]} */ ([[2, frames.join(BETWEEN_FRAMES)]]),
});

test("secrets are removed from any text, except keys too short to search for", () => {
  const secrets = new Secrets();
  secrets.add(["key-1", "key-1-longer", "abc"], ["user@host"]);
  const spelled = '{"type":"X","eventMessage":{"content":"k\\u0065y-1 and key-1-longer of user@host"},"key-1":[1.50,"abc"]}';
  const { answers: [{ question, events }] } = JSON.parse(log("1", {}, [recording([spelled, "not JSON key-1"], "I am user@host")], secrets));
  assert.equal(question, "I am [removed]");
  assert.deepEqual(JSON.parse(events[0][1]), { type: "X", eventMessage: { content: "[removed] and [removed] of [removed]" }, "[removed]": [1.5, "abc"] });
  assert.deepEqual(events[1], [2, "not JSON [removed]"]);
});

test("a short user name is removed only where it is a whole word or number", () => {
  const secrets = new Secrets();
  secrets.add([], ["bo", "7", "123456", "a.b"]);
  const text = '{"to":"bo","bo":["Bob, boat, x-bo_1: bo!","bo.","a.b axb"],"id":7,"at":[17,1.7,123456,1234567],"is":"7, 17, u7"}';
  const { answers: [{ question, events }] } = JSON.parse(log("1", {}, [recording([text, "a frame of bo"], "I am bo (7)")], secrets));
  assert.equal(question, "I am [removed] ([removed])");
  assert.deepEqual(JSON.parse(events[0][1]), {
    to: "[removed]", "[removed]": ["Bob, boat, x-[removed]_1: [removed]!", "[removed].", "[removed] axb"],
    id: "[removed]", at: [17, 1.7, "[removed]", 1234567], is: "[removed], 17, u7",
  });
  assert.deepEqual(events[1], [2, "a frame of [removed]"]);
});

test("no part of the log holds a secret", (context) => {
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { userAgent: "browser of key-1" } });
  context.after(() => (before ? Object.defineProperty(globalThis, "navigator", before) : Reflect.deleteProperty(globalThis, "navigator")));
  const secrets = new Secrets();
  secrets.add(["key-1"], []);
  const kept = { ...recording(["a frame"]), thread: "thread of key-1" };
  const { browser, options, answers: [{ thread }] } = JSON.parse(log("1", { activity: "key-1", "base-url": "https://host/key-1" }, [kept], secrets));
  assert.deepEqual({ userAgent: browser.userAgent, options, thread }, {
    userAgent: "browser of [removed]", options: { activity: "[removed]", "base-url": "https://host/[removed]" }, thread: "thread of [removed]",
  });
});

test("four characters are enough for a key, and to be removed from the middle of a word", () => {
  const secrets = new Secrets();
  secrets.add(["abcd"], ["anna", "bob"]);
  const { answers: [{ question }] } = JSON.parse(log("1", {}, [recording([], "Hannah has xabcdx of bobbin")], secrets));
  assert.equal(question, "H[removed]h has x[removed]x of bobbin");
});

test("a secret that is spelled with escapes alone is removed", () => {
  const secrets = new Secrets();
  secrets.add(["key-1"], []);
  const frames = (/** @type {string} */ text) => secrets.withoutKeys(recording([text])).frames[0][1];
  assert.equal(frames('{"a":"\\u006bey-1"}'), '{"a":"[removed]"}');
});

test("a text without secrets is unchanged", () => {
  const secrets = new Secrets();
  assert.equal(secrets.add(["key-1"], [""]), true);
  assert.equal(secrets.add(["key-1", "abc"], ["ann"]), false, "no key of them is new");
  const text = '{ "a": 1.50,\n "b": "\\u00e9" }';
  const { answers: [{ question, events }] } = JSON.parse(log("1", {}, [recording([text], "hi!")], secrets));
  assert.deepEqual([question, events[0][1]], ["hi!", text]);
  const clean = recording([text]);
  assert.equal(secrets.withoutKeys(clean), clean, "what has none is not stored anew");
  const named = recording(["ann has key-1"]);
  secrets.add([], ["ann"]);
  assert.equal(secrets.withoutKeys(named).frames[0][1], "ann has [removed]", "a recording is the user's own");
  assert.equal(secrets.withoutKeys(recording([text, "key-1"])).frames[0][1], `${text}${BETWEEN_FRAMES}[removed]`);
});

test("the log has only harmless options, and addresses without credentials", () => {
  const options = { "base-url": "https://ann:pass@host/path?token=1#x", "api-key": "secret", "user-id": "ann", heading: "Hi", activity: "full", threads: null, strings: {} };
  const logged = (/** @type {Record<string, unknown>} */ options) => JSON.parse(log("1", options, [], new Secrets())).options;
  assert.deepEqual(logged(options), { "base-url": "https://host/path", activity: "full" });
  assert.deepEqual(logged({ "base-url": "https://ann:pass@" }), { "base-url": null });
});

test("forgetting removes stored and running recordings, in this page and in other tabs", async () => {
  const [one, two] = [new Widget("assent:s|a|clear:"), new Widget("assent:s|a|clear:")];
  const other = new Widget("assent:s|a|other:");
  other.listen({ frames: [event("MESSAGE_RECEIVED", "")] });
  const kept = async () => {
    other.send("recall", "t1");
    const [kind, , recordings] = await other.next();
    assert.equal(kind, "recalled", "another user's stay");
    return recordings.length;
  };
  globalThis.dispatchEvent(new Event("pagehide"));
  while (!(await kept())) continue;
  one.listen({ frames: [event("MESSAGE_RECEIVED", "")] });
  one.send("begin", 7, Date.now(), "t1", body("running"));
  one.send("frames", 7, Date.now(), event("MESSAGE_RECEIVED", ""));
  two.send("forget");
  assert.deepEqual(await two.next(), ["forgotten"]);
  assert.deepEqual(await one.next(), ["cleared", false]);
  one.send("end", 7, Date.now(), "closed");
  one.send("recall", "t1");
  assert.deepEqual(await one.next(), ["recalled", "t1", []]);
  assert.equal(await kept(), 1);
  for (const widget of [one, two, other]) widget.close();
});

test("a token that becomes known during or after a recording is removed from it", async () => {
  const scope = "assent:s|a|late:";
  const widget = new Widget(scope);
  widget.listen({ thread: "t1", question: "is it token-1?", frames: [event("MESSAGE_RECEIVED", "token-1")], began: Date.now() - 1000 });
  widget.send("begin", 8, Date.now(), "t1", body("running"));
  widget.send("frames", 8, Date.now(), event("MESSAGE_RECEIVED", "token-1"));
  globalThis.dispatchEvent(new Event("pagehide"));
  const other = new Widget(scope);
  const stored = async () => {
    other.send("recall", "t1");
    return JSON.stringify((await other.next())[2]);
  };
  while (!(await stored()).includes("running")) continue;
  assert.equal((await stored()).split("token-1").length, 4);
  widget.send("secrets", ["token-1"], []);
  while ((await stored()).includes("token-1")) continue;
  assert.equal((await stored()).split("[removed]").length, 4);
  widget.send("frames", 8, Date.now(), event("MESSAGE_RECEIVED", "later: token-1"));
  globalThis.dispatchEvent(new Event("pagehide"));
  while (!(await stored()).includes("later: ")) continue;
  assert.ok(!(await stored()).includes("token-1"));
  widget.close();
  other.close();
});

/** Gives this page storages with these values, for the time of a test.
 * @param {TestContext} context @param {Record<"localStorage" | "sessionStorage", Record<string, string>>} values */
function storages(context, values) {
  const removeItem = { value(/** @type {string} */ key) { delete this[key]; } };
  for (const [name, entries] of Object.entries(values)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    const value = Object.defineProperties(Object.assign(Object.create(null), entries), { removeItem });
    Object.defineProperty(globalThis, name, { configurable: true, value });
    context.after(() => (before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name)));
  }
  return { local: globalThis.localStorage, session: globalThis.sessionStorage };
}

test("forgetting everything covers all users, and no page writes anything back", async (context) => {
  const { local, session } = storages(context, {
    localStorage: { "assent:user-id": "u", "assent:s|a|u:draft:": "d", other: "stays" },
    sessionStorage: { "assent:s|b|u:draft:": "d", theirs: "stays" },
  });
  for (const forget of [forgetEverything, elsewhere.forgetEverything]) {
    const widgets = [new Widget("assent:s|a|ann:"), new Widget("assent:s|b|bob:", "none")];
    for (const widget of widgets) {
      widget.listen({ frames: [event("MESSAGE_RECEIVED", "")] });
      widget.send("begin", 7, Date.now(), "t1", body("running"));
      widget.send("frames", 7, Date.now(), event("MESSAGE_RECEIVED", ""));
    }
    const gone = new Widget("assent:s|a|gone:");
    gone.listen({ frames: [event("MESSAGE_RECEIVED", "")] });
    gone.close();
    globalThis.dispatchEvent(new Event("pagehide"));
    await forget();
    for (const widget of widgets) {
      assert.deepEqual(await widget.next(), ["cleared", true]);
      widget.send("frames", 7, Date.now(), event("MESSAGE_RECEIVED", ""));
      widget.send("end", 7, Date.now(), "closed");
    }
    globalThis.dispatchEvent(new Event("pagehide"));
    while ((await indexedDB.databases()).length) continue;
    assert.deepEqual([{ ...local }, { ...session }], [{ other: "stays" }, { theirs: "stays" }]);
    for (const widget of widgets) {
      widget.send("recall", "t1");
      assert.deepEqual(await widget.next(), ["recalled", "t1", []]);
      widget.close();
    }
  }
});

test("a storage that a page may not even ask for keeps nothing else from being forgotten", async (context) => {
  const { local } = storages(context, { localStorage: { "assent:s|a|u:draft:": "d" }, sessionStorage: {} });
  Object.defineProperty(globalThis, "sessionStorage", { configurable: true, get: () => { throw new Error("blocked"); } });
  await forgetEverything();
  assert.deepEqual({ ...local }, {});
});

test("forgetting everything waits for the last writes of a closed widget", async (context) => {
  await forgetEverything();
  let writeOn = (/** @type {IDBValidKey[]} */ _) => {};
  const held = new Promise((resolve) => (writeOn = resolve));
  context.mock.method(IDBIndex.prototype, "getAllKeys", () => held);
  const deletion = context.mock.method(indexedDB, "deleteDatabase");
  const gone = new Widget("assent:s|a|gone:");
  gone.listen({ frames: [event("MESSAGE_RECEIVED", "")] });
  gone.close();
  const forgotten = forgetEverything();
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(deletion.mock.callCount(), 0, "it still writes");
  writeOn([]);
  await forgotten;
  assert.deepEqual(await indexedDB.databases(), []);
});

test("what is stored while everything is being forgotten is removed by the next call", async (context) => {
  const { local } = storages(context, { localStorage: { "assent:early": "" }, sessionStorage: {} });
  const first = forgetEverything();
  while ("assent:early" in local) await new Promise((resolve) => setImmediate(resolve));
  local["assent:late"] = "";
  await Promise.all([first, forgetEverything()]);
  assert.deepEqual({ ...local }, {});
});

test("a database that another page holds open is emptied, and a failed deletion is reported", async (context) => {
  const open = (/** @type {number} */ version) => /** @type {Promise<IDBDatabase>} */ (new Promise((resolve) => {
    const opening = indexedDB.open("assent", version);
    opening.onupgradeneeded = ({ oldVersion }) => void (oldVersion || opening.result.createObjectStore("recordings", { keyPath: "key" }));
    opening.onsuccess = () => {
      context.after(() => opening.result.close());
      resolve(opening.result);
    };
  }));
  // What the other tests left goes first.
  await forgetEverything();
  const held = await open(1);
  const put = held.transaction("recordings", "readwrite").objectStore("recordings").put({ key: "assent:s|a|u:activity:t|1" });
  await new Promise((resolve) => (put.onsuccess = resolve));
  await forgetEverything();
  const count = held.transaction("recordings").objectStore("recordings").count();
  await new Promise((resolve) => (count.onsuccess = resolve));
  assert.equal(count.result, 0);
  held.close();
  const later = await open(2);
  await assert.rejects(forgetEverything());
  later.close();
});

test("copying the log without a clipboard is reported as failed", async () => {
  const widget = new Widget("assent:s|a|copy:");
  widget.send("copyLog");
  assert.deepEqual(await widget.next(), ["logCopied", false]);
  widget.close();
});

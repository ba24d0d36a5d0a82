// The tool itself: each fault does what its name says, a seed gives the same faults again, and what is lost, doubled or shown
// otherwise than it is stored is found.

import assert from "node:assert/strict";
import { createServer, request as ask } from "node:http";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fault } from "./faults.js";
import { FaultProxy } from "./proxy.js";
import { Random } from "./random.js";
import { accounted, compare, wire } from "./truth.js";

const POST = "/api/assistants/threads/t/messages";
const FRAMES = ["data: {\"n\":1}\n\n", "data: {\"n\":2}\n\n"];
const BODY = FRAMES.join("");
const marks = (/** @type {string} */ text) => [...new Set(text.match(/t1x\d+/g) ?? [])];

/** Requests that the service got. */
let taken = 0;
/** What it says. */
let frames = FRAMES;
const service = createServer(async (_, response) => {
  taken += 1;
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const frame of frames) {
    response.write(frame);
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
});
let origin = "";

before(async () => {
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const address = service.address();
  origin = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
});
after(() => service.close());

/**
 * Posts to a proxy; resolves with what came, and whether it broke, once that is known.
 * @param {FaultProxy} proxy
 * @param {() => Promise<unknown>} ready what is waited for before the body is read
 */
function post(proxy, ready = async () => {}) {
  return new Promise((/** @type {(came: { status: number, text: string, broken: boolean }) => void} */ resolve) => {
    const request = ask(proxy.origin + POST, { method: "POST" }, async (response) => {
      let text = "";
      response.on("error", () => {});
      response.on("close", () => resolve({ status: response.statusCode ?? 0, text, broken: !response.complete }));
      await ready();
      response.on("data", (piece) => (text += piece));
    });
    request.on("error", () => resolve({ status: 0, text: "", broken: true }));
    request.end("{}");
  });
}

/** Waits until the service has answered the only request, and all of that is in the proxy. @param {FaultProxy} proxy */
async function answered(proxy) {
  while (!proxy.seen[0]?.status || proxy.active) await new Promise((resolve) => setImmediate(resolve));
}

/** A proxy whose only fault is this one, until the test ends. @param {import("node:test").TestContext} context @param {import("./faults.js").Fault | null} bad */
async function proxyWith(context, bad) {
  const proxy = new FaultProxy(() => bad, origin);
  await proxy.start();
  context.after(() => proxy.stop());
  return proxy;
}

const foreign = { status: 502, type: "text/html", body: "<h1>nginx</h1>", cors: true, headers: {} };
/** Each fault, and what comes of it: what the service gets, the status, and the body, which may break.
 * @type {[string, import("./faults.js").Fault | null, { taken: number, status: number, text: string | string[], broken: boolean }][]} */
const FAULTS = [
  ["without a fault everything passes", null, { taken: 1, status: 200, text: BODY, broken: false }],
  ["refused: the service gets nothing", { kind: "refuse", passes: false }, { taken: 0, status: 0, text: "", broken: true }],
  ["lost: the service gets it, and nothing comes back", { kind: "lose", passes: true }, { taken: 1, status: 0, text: "", broken: true }],
  ["cut: it breaks at that byte", { kind: "cut", passes: true, at: 20 }, { taken: 1, status: 200, text: BODY.slice(0, 20), broken: true }],
  ["truncated: it ends as if it were whole", { kind: "truncate", passes: true, at: 20 }, { taken: 1, status: 200, text: BODY.slice(0, 20), broken: false }],
  ["corrupted: that byte is another one", { kind: "corrupt", passes: true, at: 20 },
    { taken: 1, status: 200, text: `${BODY.slice(0, 20)}\x01${BODY.slice(21)}`, broken: false }],
  // Both frames may come as one piece.
  ["duplicated: a piece comes twice", { kind: "duplicate", passes: true, at: 20 },
    { taken: 1, status: 200, text: [FRAMES[0] + FRAMES[1] + FRAMES[1], BODY + BODY], broken: false }],
  ["trickled: nothing changes but the pieces", { kind: "trickle", passes: true }, { taken: 1, status: 200, text: BODY, broken: false }],
  ["answered instead, with a body of somebody else", { kind: "answer-instead", passes: false, foreign },
    { taken: 0, status: 502, text: foreign.body, broken: false }],
  ["answered after, with a body of somebody else", { kind: "answer-after", passes: true, foreign },
    { taken: 1, status: 502, text: foreign.body, broken: false }],
];

for (const [name, bad, { text, ...rest }] of FAULTS) {
  test(name, async (context) => {
    taken = 0;
    const proxy = await proxyWith(context, bad);
    const { text: got, ...came } = await post(proxy);
    const [seen] = proxy.seen;
    assert.deepEqual({ taken, ...came }, rest);
    assert.ok([text].flat().includes(got), got);
    assert.deepEqual([seen.kind, seen.thread, seen.body, seen.passed], ["post", "t", "{}", bad?.passes ?? true]);
  });
}

test("cut: what was written before arrives, however slowly it is taken", async (context) => {
  // More than the connection holds.
  frames = ["x".repeat(30_000_000)];
  const proxy = await proxyWith(context, { kind: "cut", passes: true, at: 29_999_999 });
  const { text, broken } = await post(proxy, () => answered(proxy));
  frames = FRAMES;
  assert.deepEqual([text.length, broken], [29_999_999, true]);
});

test("stalled: it hangs until the network is healed", async (context) => {
  const proxy = await proxyWith(context, { kind: "stall", passes: true, at: 20 });
  const came = post(proxy);
  await answered(proxy);
  assert.equal(await Promise.race([came, "nothing"]), "nothing");
  proxy.heal();
  const { text, broken } = await came;
  assert.deepEqual([text, broken], [BODY.slice(0, 20), true]);
});

test("healed: nothing goes wrong any more", async (context) => {
  const proxy = await proxyWith(context, { kind: "refuse", passes: false });
  proxy.heal();
  assert.equal((await post(proxy)).text, BODY);
});

test("a seed gives the same faults again, and another one others", () => {
  const faults = (/** @type {string} */ seed) => Array.from({ length: 50 }, (_, n) => fault("post", new Random(seed).named(`post#${n}`), 0.5));
  assert.deepEqual(faults("a"), faults("a"));
  assert.notDeepEqual(faults("a"), faults("b"));
  const kinds = new Set(faults("a").map((it) => it?.kind));
  assert.ok(kinds.has(undefined) && kinds.size > 8, [...kinds].join());
});

test("what the service takes is never answered with a status of 4xx", () => {
  for (let n = 0; n < 5_000; n += 1) {
    const bad = fault("post", new Random(`s${n}`), 1);
    if (bad?.passes && bad.foreign) assert.ok(bad.foreign.status === 200 || bad.foreign.status >= 500);
  }
});

const tool = { name: "refund_order", status: "APPROVED" };
const drawn = { name: "Refund order", status: "APPROVED" };
const stored = [
  { role: "user", content: "t1x1 plain" },
  { role: "assistant", content: "> t1x1 plain\n\nThis is `it`.", toolExecutionHumanApprovalRequest: [tool] },
];
const card = { state: "answered", tools: [drawn] };
const shown = [
  { role: "user", state: "sent", text: "You\n10:00\nt1x1 plain\nCopy", buttons: [], cards: [] },
  { role: "assistant", state: "complete", text: "Chaos\nt1x1 plain\nThis is it.\nCopy", buttons: [], cards: [card] },
];

test("a page that shows what is stored is right, with texts that were not sent and answers that failed here", () => {
  assert.equal(compare(marks, shown, stored, false), "");
  const unsent = { ...shown[0], state: "failed", text: "t1x2" };
  assert.equal(compare(marks, [shown[0], unsent, shown[1]], stored, false), "");
  const failed = { ...shown[1], state: "failed", text: "The answer failed.", cards: [] };
  assert.equal(compare(marks, [...shown, failed], stored, true), "");
  assert.match(compare(marks, [...shown, failed], stored, false), /more is shown/);
});

test("an answer that failed may lack the piece that has its mark, but not its tools, and nothing that follows", () => {
  const failing = [stored[0], { role: "assistant", content: "> t1x1 plain\n\nThis is the first half, and then\n\n*The answer failed.*" }];
  const part = { ...shown[1], state: "failed", text: "This is the first half, and then", cards: [] };
  assert.equal(compare(marks, [shown[0], part], failing, true), "");
  assert.match(compare(marks, [shown[0], part], failing, false), /another text/);
  assert.match(compare(marks, [shown[0], part], stored, true), /not shown/);
  assert.match(compare(marks, [shown[0], part], [...failing, stored[0]], true), /not shown/);
  assert.match(compare(marks, [shown[0], { ...part, text: "t1x2" }], failing, true), /not shown/);
});

test("a page that shows anything else is found", () => {
  /** @type {[RegExp, typeof shown][]} */
  const wrong = [
    [/not shown/, shown.slice(0, 1)],
    [/stands where/, shown.slice(1)],
    [/more is shown/, [...shown, shown[1]]],
    [/another text/, [{ ...shown[0], text: "t1x2 plain" }, shown[1]]],
    [/is missing/, [shown[0], { ...shown[1], text: "t1x1 plain\nThis is" }]],
    [/tools are/, [shown[0], { ...shown[1], cards: [{ state: "pending", tools: [{ ...drawn, status: "PENDING" }] }] }]],
    [/tools are/, [shown[0], { ...shown[1], cards: [{ ...card, tools: [{ ...drawn, name: "Refund" }] }] }]],
  ];
  for (const [why, messages] of wrong) assert.match(compare(marks, messages, stored, false), why);
});

test("texts that are lost, doubled or offered again are found", () => {
  const all = { marks: ["t1x1"], stored: ["t1x1"], kept: new Map(), gone: () => false, risky: new Set() };
  assert.deepEqual(accounted(all), []);
  assert.deepEqual(accounted({ ...all, stored: [], kept: new Map([["t1x1", "composer"]]) }), []);
  assert.deepEqual(accounted({ ...all, stored: [], gone: () => true }), []);
  assert.deepEqual(accounted({ ...all, stored: ["t1x1", "t1x1"], risky: new Set(["t1x1"]) }), []);
  assert.match(accounted({ ...all, stored: [] })[0], /is lost/);
  assert.match(accounted({ ...all, stored: [], risky: new Set(["t1x1"]) })[0], /is lost/);
  assert.match(accounted({ ...all, stored: ["t1x1", "t1x1"] })[0], /stored 2 times/);
  assert.match(accounted({ ...all, kept: new Map([["t1x1", "composer"]]) })[0], /offered to be sent again/);
});

test("what is sent by itself, and a decision that is taken twice, are found", () => {
  const text = { body: JSON.stringify({ content: [{ type: "text", text: "t1x1" }] }), passed: true, status: 200 };
  const decision = { ...text, body: JSON.stringify({ content: [{ toolApprovalResult: [{ toolExecutionId: "e" }] }] }) };
  const presses = new Map([["t1x1", 1]]);
  assert.deepEqual(wire(marks, [text, decision], presses, 1), []);
  const keyed = { ...text, key: "k" };
  assert.deepEqual(wire(marks, [{ ...keyed, passed: false, status: 0 }, keyed, keyed], presses, 1), []);
  assert.match(wire(marks, [{ ...decision, key: "k" }, keyed], presses, 1)[0], /is of two posts/);
  assert.match(wire(marks, [text, { ...text, passed: false }], presses, 1)[0], /posted 2 times/);
  assert.match(wire(marks, [decision], presses, 0)[0], /decisions were posted 1 times/);
  assert.match(wire(marks, [decision, decision], presses, 2)[0], /taken 2 times/);
  assert.deepEqual(wire(marks, [decision, { ...decision, passed: false, status: 0 }], presses, 2), []);
});

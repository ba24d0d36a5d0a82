// A bad network: a server in front of the service that spoils some of what passes, as a seed says.
// It notes every request, whether the service got it and what the service said.

import { createServer, request as ask } from "node:http";
import { once } from "node:events";
/** @typedef {import("./faults.js").Fault} Fault */
/** @typedef {(kind: RequestKind, number: number) => Fault | null} Choice the fault of a request, by its kind and number among these */
/** @typedef {import("./faults.js").RequestKind} RequestKind */
/** @typedef {import("node:http").IncomingMessage} IncomingMessage */
/** @typedef {import("node:http").ServerResponse} ServerResponse */
/**
 * @typedef {object} Seen
 * @property {RequestKind} kind
 * @property {string} thread as the path names it
 * @property {string} body
 * @property {string} key its `Idempotency-Key`, if it has one
 * @property {Fault | null} fault
 * @property {boolean} passed whether the service got it
 * @property {number} status what the service said; 0 until it does
 */

const THREADS = "/api/assistants/threads";

export class FaultProxy {
  /** Every request but preflights, in order. @type {Seen[]} */
  seen = [];
  /** Requests that the service is still answering. */
  active = 0;
  /** @type {Choice} */
  #choose;
  #service;
  #healed = false;
  #server;
  /** How many requests of each kind there were. @type {Map<string, number>} */
  #counts = new Map();
  /** Responses that were left hanging. @type {Set<ServerResponse>} */
  #stalled = new Set();

  /** @param {Choice} choose @param {string} service its origin */
  constructor(choose, service) {
    this.#choose = choose;
    this.#service = new URL(service);
    this.#server = createServer((request, response) => void this.#take(request, response));
    // Browsers send a request again by themselves, a post too, when a connection that was used before ends without a word.
    // What is tested here is the widget, so that every request has a connection of its own.
    this.#server.maxRequestsPerSocket = 1;
  }

  async start() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get origin() {
    const address = this.#server.address();
    if (!address || typeof address === "string") throw new Error("The proxy is not listening.");
    return `http://127.0.0.1:${address.port}`;
  }

  /** From now on nothing goes wrong any more, and what hangs has ended. */
  heal() {
    this.#choose = () => null;
    this.#healed = true;
    for (const response of this.#stalled) cut(response);
    this.#stalled.clear();
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Posts of messages and of answers. */
  get posts() {
    return this.seen.filter(({ kind }) => kind === "post");
  }

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async #take(request, response) {
    const body = await read(request).catch(() => null);
    // Gone before it was there as a whole.
    if (body === null) return;
    const [kind, thread] = classify(request);
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const bad = this.#choose(kind, count);
    /** @type {Seen} */
    const seen = { kind, thread, body: body.toString(), key: String(request.headers["idempotency-key"] ?? ""), fault: bad, passed: false, status: 0 };
    if (kind !== "preflight") this.seen.push(seen);
    if (bad?.kind === "refuse") return void response.destroy();
    if (bad?.foreign && !bad.passes) return answer(response, bad.foreign);
    if (bad?.kind === "delay") await after(bad.wait ?? 0);
    seen.passed = true;
    this.#pass(request, body, response, seen);
  }

  /** @param {IncomingMessage} request @param {Buffer} body @param {ServerResponse} response @param {Seen} seen */
  #pass(request, body, response, seen) {
    this.active += 1;
    const { hostname, port } = this.#service;
    const { connection, ...headers } = request.headers;
    const upstream = ask({ hostname, port, path: request.url, method: request.method, headers, agent: false });
    upstream.once("close", () => (this.active -= 1));
    upstream.once("error", () => response.destroy());
    upstream.once("response", (from) => {
      seen.status = from.statusCode ?? 0;
      // Whoever reads it sees the break.
      from.on("error", () => {});
      // Chosen before the network was healed, and too late.
      if (this.#healed) seen.fault = null;
      const bad = seen.fault;
      if (bad?.kind === "lose") {
        response.destroy();
        from.resume();
      } else if (bad?.foreign) {
        answer(response, bad.foreign);
        from.resume();
      } else {
        const { "content-length": _, connection: __, "transfer-encoding": ___, ...more } = from.headers;
        response.writeHead(seen.status, more);
        response.flushHeaders();
        void this.#spoil(from, response, bad);
      }
    });
    upstream.end(body);
  }

  /** Passes a body on, with its fault. @param {IncomingMessage} from @param {ServerResponse} to @param {Fault | null} bad */
  async #spoil(from, to, bad) {
    let passed = 0;
    let over = false;
    for await (const piece of unbroken(from)) {
      const here = (bad?.at ?? Infinity) - passed;
      passed += piece.length;
      // Read to its end even if nobody listens any more: then the service is known to be done.
      if (over || to.destroyed) continue;
      const isHere = !this.#healed && here >= 0 && here < piece.length;
      if (bad?.kind === "trickle") {
        await trickle(piece, to);
      } else if (!isHere) {
        to.write(piece);
      } else if (bad?.kind === "duplicate") {
        to.write(piece);
        to.write(piece);
      } else if (bad?.kind === "corrupt") {
        const copy = Buffer.from(piece);
        // A character that no JSON text can hold: a fault that could not be seen would not be the widget's.
        copy[here] = 1;
        to.write(copy);
      } else if (bad?.kind === "delay") {
        to.write(piece);
      } else {
        over = true;
        to.write(piece.subarray(0, here));
        this.#end(bad?.kind ?? "", to);
      }
    }
    if (over) return;
    // Ended by the service, in order or not.
    if (from.complete) to.end();
    else cut(to);
  }

  /** @param {string} kind @param {ServerResponse} to */
  #end(kind, to) {
    if (kind === "truncate") to.end();
    else if (kind === "cut") cut(to);
    else {
      this.#stalled.add(to);
      to.once("close", () => this.#stalled.delete(to));
    }
  }
}

/** Breaks a response off behind what was written: all of that leaves first, however slowly the connection takes it. @param {ServerResponse} response */
function cut(response) {
  response.socket?.destroySoon();
}

/** Passes bytes on one by one, as many as there is time for. @param {Buffer} piece @param {ServerResponse} to */
async function trickle(piece, to) {
  for (const byte of piece.subarray(0, 1500)) {
    to.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
  to.write(piece.subarray(1500));
}

/** A request in short. @param {Seen} seen */
export function spell({ kind, fault, status }) {
  if (!fault) return `${kind} ${status || "…"}`;
  const at = fault.at === undefined ? "" : ` at ${fault.at}`;
  return `${kind} ${fault.kind}${at}${fault.foreign ? ` ${fault.foreign.status}` : ""}`;
}

/** The pieces of a body, up to its end or its break. @param {IncomingMessage} from @returns {AsyncGenerator<Buffer>} */
async function* unbroken(from) {
  try {
    yield* from;
  } catch {
    // `complete` tells.
  }
}

/** @param {IncomingMessage} request */
async function read(request) {
  /** @type {Buffer[]} */
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** @param {IncomingMessage} request @returns {[RequestKind, string]} */
function classify({ method, url = "/" }) {
  const { pathname } = new URL(url, "http://proxy");
  const [id = "", messages] = pathname.slice(THREADS.length + 1).split("/");
  if (method === "OPTIONS") return ["preflight", id];
  if (messages) return [method === "POST" ? "post" : "read", id];
  if (method === "POST") return ["create", id];
  if (method === "PUT") return ["rename", id];
  return [method === "DELETE" ? "delete" : "list", id];
}

/** @param {ServerResponse} response @param {import("./faults.js").Foreign} foreign */
function answer(response, { status, type, body, cors, headers }) {
  const allowed = cors ? { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "access-control-allow-methods": "*" } : {};
  response.writeHead(status, { "content-type": type, ...allowed, ...headers }).end(body);
}

/** @param {number} milliseconds */
const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

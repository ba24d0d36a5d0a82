// A service that does what a test says: in the test's own process, on a port of its own, with threads in memory.
// Without a word from the test it behaves well; `on` replaces single endpoints, `hold` hands posts over to the test.

import { once } from "node:events";
import { createServer } from "node:http";
import { waiting } from "./approvals.js";
import { Port } from "./port.js";

/** Names of the endpoints by method and whether the path ends in /messages. */
const ENDPOINTS = {
  "POST threads": "create",
  "GET threads": "list",
  "PUT threads": "rename",
  "DELETE threads": "remove",
  "DELETE answer": "cancel",
  "GET messages": "messages",
  "POST messages": "post",
  "GET approvals": "approvals",
};
/** The list of what waits is beside the threads. */
const APPROVALS = /^\/api\/assistants\/approvals\b/;
/** Something else may listen on a port that nobody here has. */
const ATTEMPTS = 3;
const AGENT = { name: "Scripted", id: "scripted" };

export class ScriptedService {
  /** Replacements: `(request, response) => void`, by the name of the endpoint. */
  on = {};
  /** Posts wait for the test, which takes them with `nextPost()`. */
  hold = false;
  /** Every connection is reset. */
  down = false;
  /** Answers allow pages of other origins. */
  cors = true;
  /** The extensions that responses name; a plain service names none. */
  extensions = "";
  /** Every request as `{endpoint, path, id, body, headers}`. */
  requests = [];
  threads = [];
  /** Stored messages by thread. */
  stored = new Map();
  #waiting = [];
  #takers = [];
  #count = 0;
  /** Nobody else takes it while connections are refused. */
  #port;
  #server = createServer((request, response) => this.#answer(request, response));

  static async start() {
    const service = new ScriptedService();
    for (let attempt = 1; ; attempt += 1) {
      service.#port = await Port.claim();
      try {
        await service.#listen();
        return service;
      } catch (error) {
        service.#port.release();
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  get origin() {
    return `http://127.0.0.1:${this.#port.number}`;
  }

  async stop() {
    await this.refuse();
    this.#port.release();
  }

  /** From now on connections are refused. */
  async refuse() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Ends that, and `down`. */
  async accept() {
    this.down = false;
    if (!this.#server.listening) await this.#listen();
  }

  async #listen() {
    this.#server.listen(this.#port.number, "127.0.0.1");
    await once(this.#server, "listening");
  }

  /** The requests of one endpoint so far. */
  to(endpoint) {
    return this.requests.filter((request) => request.endpoint === endpoint);
  }

  /** The next post that waits, already answered with an open event stream. */
  nextPost() {
    const post = this.#waiting.shift();
    return post ? Promise.resolve(post) : new Promise((resolve) => this.#takers.push(resolve));
  }

  /** Makes a thread as if it had been there before. One of another agent is not listed. */
  addThread(threadName, messages = [], agent = AGENT) {
    this.#count += 1;
    const time = new Date(Date.UTC(2026, 0, 1, 0, this.#count)).toISOString();
    const thread = {
      id: `thread-${this.#count}`,
      threadName,
      agentId: agent.id,
      agentName: agent.name,
      agentHandle: "@scripted",
      lastMessageTime: time,
      sessionType: "LIVE",
    };
    this.threads.push(thread);
    this.stored.set(thread.id, messages);
    return thread;
  }

  /** Adds a stored message, and returns it. */
  store(thread, role, content, more = {}) {
    this.#count += 1;
    const message = { id: `message-${this.#count}`, role, content, timestamp: new Date().toISOString(), ...more };
    this.stored.get(thread)?.push(message);
    return message;
  }

  async #answer(request, response) {
    if (this.down) return void request.socket.resetAndDestroy();
    // Browsers send a request again by themselves if a connection that was used before breaks.
    response.setHeader("connection", "close");
    if (this.cors) {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-methods", "GET, POST, PUT, DELETE");
      response.setHeader("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "");
      response.setHeader("access-control-expose-headers", "retry-after, assent-extensions");
    }
    if (this.extensions) response.setHeader("assent-extensions", this.extensions);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const path = decodeURIComponent(request.url.replace(/^\/api\/assistants\/(threads\/?)?/, ""));
    const [id, messages] = path.split("/");
    if (request.method === "HEAD") return void response.writeHead(404).end();
    const of = APPROVALS.test(request.url) ? "approvals" : (messages ?? "threads");
    // The path of a tool run has its id last.
    const endpoint = id === "executions" ? "execution" : ENDPOINTS[`${request.method} ${of}`];
    const seen = { endpoint, path: request.url, id, body, headers: request.headers };
    this.requests.push(seen);
    const act = this.on[endpoint] ?? this.#well[endpoint];
    await act(seen, response);
  }

  #well = {
    create: (_, response) => json(response, 201, this.addThread("New conversation")),
    list: (_, response) => json(response, 200, this.threads.filter(({ agentId }) => agentId === AGENT.id)),
    approvals: (_, response) => json(response, 200, this.threads.toReversed().flatMap((thread) => waiting(thread, this.stored.get(thread.id) ?? []))),
    rename: ({ id, body }, response) => {
      const thread = this.threads.find((thread) => thread.id === id);
      json(response, 200, Object.assign(thread, JSON.parse(body)));
    },
    remove: ({ id }, response) => {
      this.threads = this.threads.filter((thread) => thread.id !== id);
      response.writeHead(204).end();
    },
    cancel: (_, response) => response.writeHead(202).end(),
    execution: (_, response) => json(response, 404, { status: 404, error: "Not Found", message: "There is no such run of a tool." }),
    messages: ({ id }, response) => json(response, 200, this.stored.get(id) ?? []),
    post: (request, response) => {
      const post = new Post(this, request, response);
      if (!this.hold) return post.answer("Fine.");
      const taker = this.#takers.shift();
      if (taker) taker(post);
      else this.#waiting.push(post);
    },
  };
}

/** One posted message and the stream that answers it. */
export class Post {
  #service;
  #response;
  #events = 0;

  constructor(service, { id, body }, response) {
    this.thread = id;
    this.content = JSON.parse(body).content;
    this.text = this.content.map((item) => item.text ?? "").join("");
    this.#service = service;
    this.#response = response;
    if (this.text) service.store(id, "user", this.text);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
  }

  /** Sends one event of this stream. */
  send(type, content = "", more = {}) {
    this.#events += 1;
    const eventMessage = { agent: null, content, timestamp: new Date().toISOString(), ...more };
    const eventId = `${this.thread}-${this.#service.requests.length}-${this.#events}`;
    this.write(`data: ${JSON.stringify({ type, eventId, threadId: this.thread, requestId: "r", eventMessage })}\n\n`);
  }

  say(text) {
    this.send("AGENT_RESPONSE_CHUNK", text, { agent: AGENT });
  }

  write(bytes) {
    this.#response.write(bytes);
  }

  /** Accepts the message, as every good stream begins. */
  begin() {
    this.send("CONNECTION_ESTABLISHED");
    this.send("MESSAGE_RECEIVED", this.text);
  }

  /** Ends with the whole text, and stores it. */
  complete(text) {
    this.#service.store(this.thread, "assistant", text, { handle: "@scripted" });
    this.send("AGENT_RESPONSE_COMPLETE", text, { agent: AGENT });
    this.end();
  }

  answer(text) {
    this.begin();
    this.say(text);
    this.complete(text);
  }

  end() {
    this.#response.end();
  }

  /** Breaks the connection. */
  cut() {
    this.#response.socket?.destroy();
  }

  /** Resolves when the other side has gone. */
  get closed() {
    if (this.#response.closed) return Promise.resolve();
    return new Promise((resolve) => this.#response.once("close", resolve));
  }
}

/** Answers with JSON, as the service does. */
export function json(response, status, value) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

// A model that says what a test tells it to: a server of chat completions in the test's own process.

import { once } from "node:events";
import { createServer } from "node:http";

/** An answer that is a text. */
export const says = (text) => [{ content: text }];

/** An answer that calls one tool. */
export const calls = (name, tool) => [{ tool_calls: [{ index: 0, id: "call-1", function: { name, arguments: JSON.stringify(tool) } }] }];

export class ScriptedModel {
  /** The requests so far: their headers, and their bodies as text. */
  requests = [];
  #replies;
  #server = createServer((request, response) => this.#answer(request, response));

  /** Answers each request with the next of these lists of deltas. */
  static async start(replies) {
    const model = new ScriptedModel(replies);
    model.#server.listen(0, "127.0.0.1");
    await once(model.#server, "listening");
    return model;
  }

  /** Use `start`. */
  constructor(replies) {
    this.#replies = [...replies];
  }

  /** The address before `/chat/completions`. */
  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/v1`;
  }

  async #answer(request, response) {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    this.requests.push({ path: request.url, headers: request.headers, body });
    const reply = this.#replies.shift();
    if (!reply) return void response.writeHead(500).end("no reply is left");
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const delta of reply) response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
    response.end("data: [DONE]\n\n");
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

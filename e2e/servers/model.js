// A model that says what a test tells it to: a server of chat completions in the test's own process.

import { once } from "node:events";
import { createServer } from "node:http";

/** An answer that is a text. */
export const says = (text) => [{ content: text }];

/** An answer that calls these tools: pairs of a name and arguments. */
export const callsAll = (...all) => [
  { tool_calls: all.map(([name, tool], index) => ({ index, id: `call-${index}`, function: { name, arguments: JSON.stringify(tool) } })) },
];

/** An answer that calls one tool. */
export const calls = (name, tool) => callsAll([name, tool]);

/** An answer that says this and never comes to its end. */
export async function* saysOn(text) {
  yield { content: text };
  await new Promise(() => {});
}

/** An answer that a test says piece by piece. Without a word more it waits. */
export class Speech {
  #deltas = [];
  #isOver = false;
  #news = () => {};

  say(content) {
    this.#add({ content });
  }

  /** Ends with the call of this tool. */
  call(name, tool) {
    for (const delta of calls(name, tool)) this.#add(delta);
    this.end();
  }

  end() {
    this.#isOver = true;
    this.#news();
  }

  #add(delta) {
    this.#deltas.push(delta);
    this.#news();
  }

  async *[Symbol.asyncIterator]() {
    for (;;) {
      yield* this.#deltas.splice(0);
      if (this.#isOver) return;
      await new Promise((resolve) => (this.#news = resolve));
    }
  }
}

export class ScriptedModel {
  /** The requests so far: the ports that they came from, their headers, and their bodies as text. */
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
    this.requests.push({ path: request.url, port: request.socket.remotePort, headers: request.headers, body });
    const reply = this.#replies.shift();
    if (!reply) return void response.writeHead(500).end("no reply is left");
    response.writeHead(200, { "content-type": "text/event-stream" });
    for await (const delta of reply) response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
    response.end("data: [DONE]\n\n");
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

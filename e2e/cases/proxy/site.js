// The site's own application, as far as the proxies of docs/proxy/ know it: it says who a session belongs to.

import { createServer } from "node:http";

export class Site {
  /** By session: the id of its user, an empty text where the site does not say, or a status that refuses. */
  sessions = new Map();
  /** The sessions that were asked about, in order. */
  asked = [];
  #server = createServer((request, response) => {
    // A page of the site's own port, which is another origin than the one that visitors see.
    if (request.url === "/a-page") return void response.setHeader("content-type", "text/html").end("<p>A page");
    const session = /(?:^|; )session=([^;]*)/.exec(request.headers.cookie ?? "")?.[1];
    this.asked.push(session);
    const found = request.url === "/session" ? this.sessions.get(session) ?? 401 : 404;
    if (typeof found === "number") response.writeHead(found).end();
    else response.writeHead(204, found && { "X-User-Id": found }).end();
  });

  static async start() {
    const site = new Site();
    await new Promise((resolve) => site.#server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get address() {
    return `127.0.0.1:${this.#server.address().port}`;
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

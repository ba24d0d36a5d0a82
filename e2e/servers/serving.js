// Servers that a test starts: where they listen, and how they end.

import { createServer, request as send } from "node:http";

/** Closes the pages: what a server that stops takes from them would be a message on their consoles. */
export const leave = (context) => Promise.all(context.pages().map((page) => page.close()));

/** Gives the test `start`, which starts a server with this listener and returns its origin. They end after the pages. */
export async function serving(context, use) {
  const servers = [];
  await use(async (listener) => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${server.address().port}`;
  });
  await leave(context);
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Passes a request on to the service at `origin`, with these headers instead of its own where they differ. */
export function forward(origin, request, response, headers) {
  const { method, url } = request;
  const onward = send(origin + url, { method, headers: { ...request.headers, ...headers } }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
    // What was cut there is cut here.
    answer.on("error", () => response.destroy());
  });
  // Whoever goes away early takes the connection along.
  response.on("close", () => onward.destroy());
  onward.on("error", () => response.destroy());
  request.pipe(onward);
}

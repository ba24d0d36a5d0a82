// The demo's pages as `cargo xtask dev` serves them: pages, widget and service on one origin, and the key `dev-key`.
// They come with a policy that is as strict as theirs can be: that of the other pages, and frames of their own origin.

import { readFileSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { fileURLToPath } from "node:url";
import { API_KEY, expect, leave, SERVICE_ORIGIN, test as base } from "../../fixtures.js";
import { DIST, fileServer } from "../../servers/files.js";

export { expect };

const folder = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const ROOTS = [["/demo/", folder("public/demo/")], ["/style/", folder("style/")], ["/index.html", folder("index.html")], ["/", DIST]];
const DEV_KEY = "Bearer dev-key";
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

export const test = base.extend({
  /** Starts the demo with the service at `service`, and returns its origin. `instead` may answer a request by itself. */
  serveDemo: async ({ context }, use) => {
    const servers = [];
    await use(async ({ service = SERVICE_ORIGIN, instead = () => false } = {}) => {
      const files = fileServer(ROOTS);
      const server = createServer((request, response) => {
        const { pathname } = new URL(request.url, "http://demo");
        if (instead(pathname, response)) return;
        if (pathname.startsWith("/api/")) return passOn(service, request, response);
        if (pathname.endsWith(".svg")) return void response.writeHead(200, { "content-type": "image/svg+xml" }).end(readFileSync(folder(`public${pathname}`)));
        if (/(\.html|\/)$/.test(pathname)) response.setHeader("content-security-policy", POLICY);
        request.url = pathname === "/" ? "/index.html?csp=off" : `${pathname}?csp=off`;
        files.emit("request", request, response);
      });
      servers.push(server);
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${server.address().port}`;
    });
    await leave(context);
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  },
});

/** To the service, which has another key in these tests; a wrong key stays wrong. */
function passOn(service, request, response) {
  const { authorization } = request.headers;
  const headers = { ...request.headers, authorization: authorization === DEV_KEY ? `Bearer ${API_KEY}` : (authorization ?? "") };
  const onward = ask(`${service}${request.url}`, { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
}

/** The widest thing of a page, and the page's own width: more is scrolled sideways. */
export const widths = (page) => page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);

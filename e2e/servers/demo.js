// The demo's pages as `cargo xtask dev` serves them: pages, widget and service on one origin, and the key `dev-key`.
// They come with a policy that is as strict as theirs can be: that of the other pages, and frames of their own origin.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { API_KEY } from "./addresses.js";
import { DIST, fileServer } from "./files.js";
import { forward } from "./serving.js";

const folder = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const ROOTS = [["/demo/", folder("public/demo/")], ["/docs/", folder("public/docs/")], ["/style/", folder("style/")], ["/index.html", folder("index.html")], ["/", DIST]];
const DEV_KEY = "Bearer dev-key";
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** What answers requests for the demo, with the service at `service`, and with these agents on offer or the page's own. */
export function demo({ service, agents }) {
  const files = fileServer(ROOTS);
  return (request, response) => {
    const { pathname } = new URL(request.url, "http://demo");
    // The service has another key in these tests; a wrong key stays wrong.
    const key = request.headers.authorization === DEV_KEY && { authorization: `Bearer ${API_KEY}` };
    if (pathname.startsWith("/api/")) return forward(service, request, response, key);
    if (pathname.endsWith(".svg")) return void response.writeHead(200, { "content-type": "image/svg+xml" }).end(readFileSync(folder(`public${pathname}`)));
    if (agents && pathname === "/demo/agents.json") return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(agents));
    if (/(\.html|\/)$/.test(pathname)) response.setHeader("content-security-policy", POLICY);
    request.url = pathname === "/" ? "/index.html?csp=off" : `${pathname}?csp=off`;
    files.emit("request", request, response);
  };
}

// A plain static server: dist/ at /dist/, and each case's own page at /<case>/.
// It sends the strict Content-Security-Policy that the widget promises to run under; a page asks for none with ?csp=off.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { PAGE_PORT, SERVICE_ORIGIN } from "./addresses.js";

const DIST = fileURLToPath(new URL("../../dist/", import.meta.url));
const CASES = fileURLToPath(new URL("../cases/", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  `connect-src 'self' ${SERVICE_ORIGIN}`,
  "require-trusted-types-for 'script'",
].join("; ");

function locate(path) {
  const clean = normalize(decodeURIComponent(path));
  if (clean.startsWith("/dist/")) return DIST + clean.slice("/dist/".length);
  return CASES + clean.slice(1) + (clean.endsWith("/") ? "index.html" : "");
}

createServer((request, response) => {
  const url = new URL(request.url, "http://page");
  const file = locate(url.pathname);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
    return;
  }
  const headers = {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "cache-control": "no-store",
  };
  if (url.searchParams.get("csp") !== "off") headers["content-security-policy"] = POLICY;
  response.writeHead(200, headers);
  createReadStream(file).pipe(response);
}).listen(PAGE_PORT, "127.0.0.1");

// A static server: dist/ at /dist/, host pages at /pages/, a case's own page at /<case>/.
// Host pages are filled in from the query: which script, which attributes, which language.
// They come with the strict Content-Security-Policy that the widget promises to run under; ?csp=off leaves it out.

import { createReadStream, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { API_KEY, PAGE_ORIGIN, SERVICE_ORIGIN } from "./addresses.js";

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
/** The folder under test; another one, such as a released dist/, may be named. */
export const DIST = process.env.ASSENT_DIST ?? folder("../../dist/");
const ROOTS = [["/dist/", DIST], ["/pages/", folder("../pages/")], ["/", folder("../cases/")]];
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};
/** Parts of the query that are not attributes of the element. */
const OF_THE_PAGE = ["csp", "script", "lang", "dir", "without"];

/** A server of files under `roots`, pairs of path prefix and folder. */
export function fileServer(roots = ROOTS) {
  return createServer((request, response) => {
    const url = new URL(request.url ?? "/", PAGE_ORIGIN);
    // Browsers ask for it by themselves.
    if (url.pathname === "/favicon.ico") return void response.writeHead(204).end();
    const file = locate(roots, url.pathname);
    if (!file || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
      return;
    }
    const headers = {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cache-control": "no-store",
      // Modules and WebAssembly of another origin need it.
      "access-control-allow-origin": "*",
    };
    if (extname(file) !== ".html") {
      response.writeHead(200, headers);
      createReadStream(file).pipe(response);
      return;
    }
    if (url.searchParams.get("csp") !== "off") headers["content-security-policy"] = policy(url.searchParams);
    response.writeHead(200, headers).end(fill(readFileSync(file, "utf8"), url.searchParams));
  });
}

function locate(roots, path) {
  const clean = normalize(decodeURIComponent(path));
  const root = roots.find(([prefix]) => clean.startsWith(prefix));
  return root && root[1] + clean.slice(root[0].length) + (clean.endsWith("/") ? "index.html" : "");
}

function policy(query) {
  const origin = (address) => new URL(address, PAGE_ORIGIN).origin;
  const script = origin(query.get("script") ?? "/");
  const service = origin(query.get("base-url") ?? SERVICE_ORIGIN);
  return [
    "default-src 'none'",
    `script-src 'self' ${script} 'wasm-unsafe-eval'`,
    "style-src 'self'",
    `connect-src 'self' ${script} ${service}`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

/** Fills `{{name}}` in a host page: the attributes with and without `data-`, and single values. */
function fill(page, query) {
  const attributes = new Map([["base-url", SERVICE_ORIGIN], ["api-key", API_KEY], ["agent-id", "demo"]]);
  for (const [name, value] of query) if (!OF_THE_PAGE.includes(name)) attributes.set(name, value);
  for (const name of query.getAll("without")) attributes.delete(name);
  const list = (prefix) => [...attributes].map(([name, value]) => `${prefix}${name}="${escape(value)}"`).join(" ");
  const values = {
    script: query.get("script") ?? "/dist/assent.js",
    lang: query.get("lang") ?? "en",
    dir: query.get("dir") ?? "ltr",
    attributes: list(""),
    data: list("data-"),
  };
  return page.replace(/\{\{([\w-]+)\}\}/g, (_, name) => values[name] ?? escape(attributes.get(name) ?? ""));
}

const escape = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

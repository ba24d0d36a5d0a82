// Every address on the site leads to a file of the site, and every anchor to a place on its page.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { isRemote } from "./paths.js";

const ADDRESS = /\s(?:href|src)="([^"]*)"/g;
const ID = /\sid="([^"]*)"/g;
const all = (text, pattern) => [...text.matchAll(pattern)].map(([, value]) => value.replaceAll("&amp;", "&").replaceAll("&quot;", '"'));

/** The dead links of the site in `folder`, each with its page. */
export function deadLinks(folder) {
  const files = readdirSync(folder, { recursive: true }).map((path) => path.split("\\").join("/"));
  const pages = new Map(files.filter((path) => path.endsWith(".html")).map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const dead = [];
  for (const [page, text] of pages) {
    for (const address of all(text, ADDRESS)) {
      if (isRemote(address)) continue;
      const [path, anchor] = address.split("#").map(decodeURIComponent);
      const target = path ? posix.join(posix.dirname(page), path) : page;
      const isThere = statSync(join(folder, target), { throwIfNoEntry: false })?.isFile() ?? false;
      if (!isThere || (anchor && !all(pages.get(target) ?? "", ID).includes(anchor))) dead.push(`${page}: ${address}`);
    }
  }
  return dead;
}

// Which page of the site a file of the repository is. The site has the repository's folders, so
// that a link between two files is the same link between their pages:
// - a Markdown file is a page with `.html` in place of `.md`; README.md of the root is the front page;
// - a picture keeps its path;
// - any other file that a page links to is shown as text on `<its path>.html`;
// - a folder that a page links to is the list of its files, on `<its path>/index.html`.
// So no link leads to a public address of the repository, which there is none of yet.

import { statSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export const isRemote = (address) => /^[a-z]+:/i.test(address);
export const isPicture = (path) => /\.(png|svg)$/.test(path);
const isFolder = (path) => statSync(ROOT + path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The path in the repository of what `address` means in the file `source`. */
export const pathOf = (source, address) =>
  posix.join(posix.dirname(source), decodeURIComponent(address.split("#")[0])).replace(/\/$/, "");

/** The path in the site of a file or folder of the repository. */
export function pageOf(path) {
  if (path === "README.md") return "index.html";
  if (isPicture(path)) return path;
  if (isFolder(path)) return `${path}/index.html`;
  return path.endsWith(".md") ? path.replace(/md$/, "html") : `${path}.html`;
}

/** The address of the page of `path` on the page of `source`. */
export const addressOf = (source, path) => posix.relative(posix.dirname(pageOf(source)), pageOf(path));

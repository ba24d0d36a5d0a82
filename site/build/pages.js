// The pages of the site: the table of contents, and what these pages link to.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { linksOf } from "./markdown.js";
import { isPicture, isRemote, pageOf, pathOf, ROOT } from "./paths.js";

export const CONTENTS = JSON.parse(readFileSync(new URL("../contents.json", import.meta.url), "utf8"));
/** Files that a page links to are shown as text, in a fence that is longer than any in them. */
const FENCE = "~".repeat(12);

const read = (path) => readFileSync(ROOT + path, "utf8");
/** The files that belong to the repository below `path`. */
const filesBelow = (path) =>
  execFileSync("git", ["ls-files", "--", path], { cwd: ROOT, encoding: "utf8" }).trim().split("\n").filter(Boolean);

/** The first heading of a document, without marks. */
const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1].replace(/[`*]/g, "") ?? "";

/** The Markdown files among `files` that a table of contents with the pages `paths` does not have. */
export const missingFrom = (paths, files) => files.filter((path) => path.endsWith(".md") && !paths.includes(path));

/** The documents of the table of contents, in its order. */
function documents() {
  const paths = CONTENTS.flatMap(({ pages }) => pages);
  const missing = missingFrom(paths, filesBelow("docs"));
  if (missing.length) throw new Error(`pages that site/contents.json does not have: ${missing.join(", ")}`);
  return paths.map((path) => {
    const text = read(path);
    return { path, page: pageOf(path), title: titleOf(text), text, isDocument: true };
  });
}

/** The page of a file or folder that a document links to. */
function shown(path) {
  const title = path;
  const page = pageOf(path);
  if (path.endsWith(".md")) return { path, page, title: titleOf(read(path)), text: read(path) };
  if (page === `${path}/index.html`) {
    const list = filesBelow(path).map((file) => `- \`${file}\``);
    return { path: `${path}/`, page, title, text: `# \`${path}/\`\n\nThe files of this folder of the repository:\n\n${list.join("\n")}\n` };
  }
  return { path, page, title, text: `# \`${path}\`\n\n${FENCE}\n${read(path)}\n${FENCE}\n` };
}

/** All pages, and the pictures on them. A link to what is not there is an error. */
export function collect() {
  const pages = documents();
  const known = new Set(pages.map(({ path }) => path));
  const pictures = new Set();
  const wrong = [];
  // Grows while it is walked through: what is shown may link to more.
  for (const { path: source, text } of pages) {
    for (const address of linksOf(text)) {
      if (isRemote(address) || address.startsWith("#")) continue;
      const path = pathOf(source, address);
      if (path.startsWith("..") || !existsSync(ROOT + path)) wrong.push(`${source}: ${address}`);
      else if (isPicture(path)) pictures.add(path);
      else if (!known.has(path)) {
        known.add(path);
        pages.push(shown(path));
      }
    }
  }
  if (wrong.length) throw new Error(`links to nothing: ${wrong.join(", ")}`);
  return { pages, pictures: [...pictures] };
}

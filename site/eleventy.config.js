// The documentation site. Eleventy, because its npm packages are all that it takes: seconds to install
// and seconds to build, where mdBook would be compiled for minutes in each run of CI, wants all pages
// in one folder, and writes scripts and styles into its pages that a strict Content-Security-Policy
// forbids. VitePress writes such ones, too, and reads `{{ }}` and tags in Markdown as its own.

import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { posix } from "node:path";
import { deadLinks } from "./build/check.js";
import { markdown } from "./build/markdown.js";
import { collect, CONTENTS } from "./build/pages.js";
import { hasDist, PLAYGROUND, writePlayground } from "./build/playground.js";
import { indexOf } from "./build/search.js";
import { ROOT } from "./build/paths.js";

const OUTPUT = `${ROOT}dist-site`;
/** The page that shows the playground beside its table. */
const ATTRIBUTES = "docs/ATTRIBUTES.html";

export default function (config) {
  // What was built before is gone, so that no link to it seems alive.
  rmSync(OUTPUT, { recursive: true, force: true });
  const { pages, pictures } = collect();
  const documents = pages.filter(({ isDocument }) => isDocument);
  const sections = CONTENTS.map(({ title, pages }) => ({ title, pages: pages.map((path) => documents.find((it) => it.path === path)) }));

  config.setLibrary("md", markdown);
  config.addGlobalData("sections", sections);
  for (const { path, page, title, text } of pages) {
    const root = "../".repeat(page.split("/").length - 1);
    const hasPlayground = hasDist() && page === ATTRIBUTES;
    config.addTemplate(`pages/${page}.md`, text, { layout: "page.njk", permalink: page, source: path, here: page, title, root, hasPlayground });
  }
  for (const path of pictures) config.addPassthroughCopy({ [posix.join("..", path)]: path });
  config.addPassthroughCopy({
    assets: "assets",
    "../public/demo/larkspur.svg": "assets/larkspur.svg",
    "node_modules/minisearch/dist/es/index.js": "assets/minisearch.js",
  });
  config.addTemplate("pages/index.11ty.js", { data: { permalink: "assets/index.json" }, render: () => indexOf(documents) });
  config.on("eleventy.after", () => {
    if (hasDist()) writePlayground(`${OUTPUT}/${PLAYGROUND}`);
    else console.log("Without dist/ the site has no playground: `cargo xtask dist` builds it.");
    const dead = deadLinks(OUTPUT);
    if (dead.length) throw new Error(`dead links:\n${dead.join("\n")}`);
    console.log(`dist-site/: ${pages.length} pages, no dead link`);
  });
  return {
    dir: { input: "pages", includes: "layout", output: posix.relative(fileURLToPath(new URL(".", import.meta.url)), OUTPUT) },
    markdownTemplateEngine: false,
  };
}

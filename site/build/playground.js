// The demo's playground on the site: its own files and those of dist/, with prepared answers in the
// place of the service that the demo has.

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { ROOT } from "./paths.js";

/** The folder of the site that it is in. */
export const PLAYGROUND = "playground";
const FILES = ["playground.js", "playground", "tool", "tool.css", "page.css", "stage.css", "larkspur.svg", "replay/service.js"];
/** What the page has for the other pages of the demo. */
const OF_THE_DEMO = /<header class="top".*?<\/header>|<script [^>]*page\.js"><\/script>/gs;

/** True if `cargo xtask dist` has built dist/ to the end. */
export const hasDist = () => existsSync(`${ROOT}dist/LICENSE`);

export function writePlayground(folder) {
  const demo = `${folder}/demo`;
  mkdirSync(`${demo}/replay`, { recursive: true });
  cpSync(`${ROOT}dist`, folder, { recursive: true });
  for (const file of FILES) cpSync(`${ROOT}public/demo/${file}`, `${demo}/${file}`, { recursive: true });
  cpSync(new URL("../assets/answers.js", import.meta.url), `${demo}/answers.js`);
  const page = (name) => readFileSync(`${ROOT}public/demo/${name}`, "utf8");
  writeFileSync(`${demo}/playground.html`, page("playground.html").replace(OF_THE_DEMO, ""));
  // The service stands before the widget that asks it.
  writeFileSync(`${demo}/stage.html`, page("stage.html").replace("<script ", '<script type="module" src="answers.js"></script>\n    <script '));
}

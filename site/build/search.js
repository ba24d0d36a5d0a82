// The index of the search: one entry for each section of each document, read by assets/search.js.

import { sectionsOf } from "./markdown.js";
import { INDEX_OPTIONS } from "../assets/index-options.js";
import MiniSearch from "minisearch";

/** The index over these documents, as JSON. */
export function indexOf(documents) {
  const index = new MiniSearch(INDEX_OPTIONS);
  for (const { page, title, text } of documents) {
    index.addAll(sectionsOf(text).map(({ heading, anchor, text }) => ({ id: `${page}#${anchor}`, title, heading, text })));
  }
  return JSON.stringify(index);
}

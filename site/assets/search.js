// The search: an index that is fetched when somebody first looks for something, and no server.

import MiniSearch from "./minisearch.js";
import { INDEX_OPTIONS } from "./index-options.js";

const MOST = 20;
/** The folder of the site, wherever it is served. */
const SITE = new URL("../", import.meta.url);

const form = document.querySelector("#search");
const input = document.querySelector("#search-for");
const results = document.querySelector("#search-results");
const count = document.querySelector("#search-count");

let index;
const load = () =>
  (index ??= fetch(new URL("assets/index.json", SITE))
    .then((response) => response.text())
    .then((text) => MiniSearch.loadJSON(text, INDEX_OPTIONS)));

function entry({ id, heading, title }) {
  const link = document.createElement("a");
  link.href = new URL(id, SITE).href;
  link.textContent = heading;
  const item = document.createElement("li");
  item.append(link);
  if (title !== heading) item.append(` – ${title}`);
  return item;
}

async function search() {
  const words = input.value.trim();
  const found = words ? (await load()).search(words) : [];
  // Others may have been typed meanwhile.
  if (words !== input.value.trim()) return;
  results.hidden = !found.length;
  results.replaceChildren(...found.slice(0, MOST).map(entry));
  count.textContent = words ? `${found.length} ${found.length === 1 ? "section" : "sections"} found` : "";
}

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
input.addEventListener("focus", load, { once: true });
input.addEventListener("input", search);

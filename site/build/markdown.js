// Markdown as the repository writes it, and its links as the site has them.

import GithubSlugger from "github-slugger";
import MarkdownIt from "markdown-it";
import { addressOf, isRemote, pathOf } from "./paths.js";

export const markdown = new MarkdownIt({ html: true });

// Headings have the anchors that GitHub gives them, so that a link works in both places.
markdown.core.ruler.push("anchors", ({ tokens }) => {
  const anchors = new GithubSlugger();
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") token.attrSet("id", anchors.slug(textOf(tokens[index + 1])));
  });
});
// Each is a link to itself, for whoever wants its address.
markdown.renderer.rules.heading_open = (tokens, index, options, env, self) =>
  `${self.renderToken(tokens, index, options)}<a href="#${tokens[index].attrGet("id")}">`;
markdown.renderer.rules.heading_close = (tokens, index, options, env, self) => `</a>${self.renderToken(tokens, index, options)}`;

// Comments are for those who write. A tag is text, as the documents have none on purpose.
const { escapeHtml } = markdown.utils;
markdown.renderer.rules.html_inline = (tokens, index) => escapeHtml(tokens[index].content);
markdown.renderer.rules.html_block = (tokens, index) =>
  tokens[index].content.startsWith("<!--") ? "" : `<p>${escapeHtml(tokens[index].content)}</p>\n`;

/** Calls `visit` with each token of the tokens, also those inside of others. */
function walk(tokens, visit) {
  for (const token of tokens) {
    visit(token);
    if (token.children) walk(token.children, visit);
  }
}

/** The addresses of a document's links and pictures, as they are written there. */
export function linksOf(text) {
  const links = [];
  walk(markdown.parse(text, {}), (token) => {
    const address = token.attrGet("href") ?? token.attrGet("src");
    if (address) links.push(address);
  });
  return links;
}

// Links between files of the repository lead to the pages of these files.
markdown.core.ruler.push("addresses", ({ tokens, env }) => {
  if (!env.source) return;
  walk(tokens, (token) => {
    for (const name of ["href", "src"]) {
      const address = token.attrGet(name);
      if (!address || isRemote(address) || address.startsWith("#")) continue;
      const anchor = address.slice(address.split("#")[0].length);
      token.attrSet(name, addressOf(env.source, pathOf(env.source, address)) + anchor);
    }
  });
});

// A table that is wider than the screen is scrolled, with the keyboard, too.
markdown.renderer.rules.table_open = (tokens, index) => {
  const number = tokens.slice(0, index + 1).filter(({ type }) => type === "table_open").length;
  return `<div class="wide" role="region" aria-label="Table ${number}" tabindex="0"><table>\n`;
};
markdown.renderer.rules.table_close = () => "</table></div>\n";

/**
 * The sections of a document for the search: heading, anchor and text of each, of which the first
 * has the document's title.
 */
export function sectionsOf(text) {
  const sections = [];
  const tokens = markdown.parse(text, {});
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") {
      const heading = textOf(tokens[index + 1]);
      sections.push({ heading, anchor: token.attrGet("id"), text: "" });
    } else if (tokens[index - 1]?.type !== "heading_open" && sections.length) {
      sections.at(-1).text += `${textOf(token)} `;
    }
  });
  return sections;
}

/** The words of a token, without marks. */
function textOf({ type, content, children }) {
  if (children) return children.map(textOf).join("");
  return ["text", "code_inline", "fence", "code_block"].includes(type) ? content : type.endsWith("break") ? " " : "";
}

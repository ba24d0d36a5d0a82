// @ts-check
// The aliases of each grammar, and the grammars that it embeds. Grammars have the same data, but
// only once they are registered, and registering all takes longer than anything else here.

/** @type {Record<string, string[]>} */
export const aliases = {
  bash: ["sh", "zsh"],
  c: ["h"],
  cpp: ["cc", "c++", "h++", "hpp", "hh", "hxx", "cxx"],
  csharp: ["cs", "c#"],
  diff: ["patch"],
  dockerfile: ["docker"],
  elixir: ["ex", "exs"],
  go: ["golang"],
  graphql: ["gql"],
  ini: ["toml"],
  java: ["jsp"],
  javascript: ["js", "jsx", "mjs", "cjs"],
  json: ["jsonc", "json5"],
  kotlin: ["kt", "kts", "ktm", "ktx"],
  lua: ["pluto"],
  makefile: ["mk", "mak", "make"],
  markdown: ["md", "mkdown", "mkd"],
  objectivec: ["mm", "objc", "obj-c", "obj-c++", "objective-c++"],
  perl: ["pl", "pm"],
  powershell: ["pwsh", "ps", "ps1"],
  python: ["py", "gyp", "ipython"],
  ruby: ["rb", "gemspec", "podspec", "thor", "irb"],
  rust: ["rs"],
  shell: ["console", "shellsession"],
  typescript: ["ts", "tsx", "mts", "cts"],
  xml: ["html", "xhtml", "rss", "atom", "xjb", "xsd", "xsl", "plist", "wsf", "svg"],
  yaml: ["yml"],
};

/** @type {Record<string, string[]>} */
export const inside = {
  dart: ["markdown"],
  dockerfile: ["bash"],
  javascript: ["xml", "css", "graphql"],
  markdown: ["xml"],
  shell: ["bash"],
  typescript: ["xml", "css", "graphql"],
  xml: ["css", "javascript"],
  yaml: ["ruby"],
};

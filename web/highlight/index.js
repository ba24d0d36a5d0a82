// @ts-check
// Syntax highlighting as a separate module, which the loader fetches when a finished code block
// first needs it. highlight.js finds the tokens; its HTML output is never created, and nothing here
// touches the page.

import hljs from "highlight.js/lib/core";
import { grammars } from "./grammars.js";
import { aliases, inside } from "./names.js";
import { scopeOf } from "./scopes.js";

/** A token: start and end in UTF-16 units, and a scope of scopes.js. The renderer's type of it is
 * in `crates/renderer/src/assets.rs`.
 * @typedef {{start: number, end: number, scope: string}} Token */

/** Maximum length of code; longer code stays plain. */
const MAX_LENGTH = 50_000;
/** Very long words stay plain, too, on one line or many: some patterns take quadratic time for
 * them. */
const ENDLESS = /[^\n]{1000}|[\w\s.$]{1000}/;
/** Timeout in milliseconds: answers may quote hostile code, and the page waits meanwhile. */
const TIMEOUT = 200;
let deadline = Infinity;

/** An emitter that collects tokens instead of HTML; its method names are the library's. */
class Collector {
  /** @type {Token[]} */
  tokens = [];
  length = 0;
  /** The scope of each level that is open. @type {(string | null)[]} */
  #open = [null];

  /** @param {string} name */
  startScope(name) {
    this.#open.push(scopeOf(name, this.#scope()));
  }

  endScope() {
    if (this.#open.length > 1) this.#open.pop();
  }

  /** @param {string} name */
  openNode(name) {
    this.startScope(name);
  }

  closeNode() {
    this.endScope();
  }

  /** @param {string} text */
  addText(text) {
    // The library turns it into a result with `errorRaised`.
    if (performance.now() > deadline) throw new Error("timeout");
    this.#add(this.length, this.length + text.length, this.#scope());
    this.length += text.length;
  }

  /** Adds the tokens of an embedded language, such as a script in a page.
   * @param {Collector} inner */
  __addSublanguage(inner) {
    for (const { start, end, scope } of inner.tokens) this.#add(this.length + start, this.length + end, scope);
    this.length += inner.length;
  }

  closeAllNodes() {
    this.#open = [null];
  }

  finalize() {
    this.closeAllNodes();
    return true;
  }

  toHTML() {
    return "";
  }

  #scope() {
    return this.#open[this.#open.length - 1];
  }

  /** @param {number} start @param {number} end @param {string | null} scope */
  #add(start, end, scope) {
    if (!scope || start === end) return;
    const last = this.tokens[this.tokens.length - 1];
    if (last && last.end === start && last.scope === scope) last.end = end;
    else this.tokens.push({ start, end, scope });
  }
}

const highlighter = hljs.newInstance();
highlighter.configure(/** @type {any} */ ({ __emitter: Collector }));

/** Grammars by all their names. A name has priority over an alias.
 * @type {Map<string, keyof typeof grammars>} */
const known = new Map();
for (const names of [aliases, Object.fromEntries(Object.keys(grammars).map((name) => [name, [name]]))]) {
  for (const [name, others] of Object.entries(names)) for (const other of others) known.set(other, /** @type {keyof typeof grammars} */ (name));
}

/** All names and aliases that `highlight` knows, in lower case and sorted. */
export const languages = [...known.keys()].sort();

/** Registers a grammar and those it needs, on first use: a page has few languages, and registering
 * all would block it.
 * @param {keyof typeof grammars} name */
function register(name) {
  if (highlighter.getLanguage(name)) return;
  highlighter.registerLanguage(name, grammars[name]);
  for (const other of inside[name] ?? []) register(/** @type {keyof typeof grammars} */ (other));
}

/** Returns the tokens of code, sorted and disjoint. Empty if the language is unknown, the code is
 * too long, or a grammar fails; `null` after a timeout, which may be the machine's fault.
 * @param {string} code @param {string} language @returns {Token[] | null} */
export function highlight(code, language) {
  const grammar = known.get(language);
  if (!grammar || code.length > MAX_LENGTH || ENDLESS.test(code)) return [];
  try {
    register(grammar);
    deadline = performance.now() + TIMEOUT;
    const result = highlighter.highlight(code, { language: grammar, ignoreIllegals: true });
    const { tokens, length } = /** @type {any} */ (result)._emitter;
    if (!result.errorRaised && length === code.length) return tokens;
    return performance.now() > deadline ? null : [];
  } catch {
    return [];
  }
}

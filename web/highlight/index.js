// @ts-check
// Syntax highlighting as a module of its own, which the page fetches when a finished code block first needs it.
// highlight.js finds the tokens; its output as HTML is never made, and nothing here touches the page.

import hljs from "highlight.js/lib/core";
import { grammars } from "./grammars.js";
import { aliases, inside } from "./names.js";
import { scopeOf } from "./scopes.js";

/** A token: start and end in UTF-16 units, and a scope of scopes.js. The renderer's type of it is
 * in `crates/renderer/src/assets.rs`. @typedef {{start: number, end: number, scope: string}} Token */

/** Longer code stays plain. */
const MAX_LENGTH = 50_000;
/** Words without end stay plain, too, on one line or many: some patterns take time in the square of such a run. */
const ENDLESS = /[^\n]{1000}|[\w\s.$]{1000}/;
/** Milliseconds after which nothing more is looked for: answers quote hostile code, too, and the page waits meanwhile. */
const TIMEOUT = 200;
let deadline = Infinity;

/** Collects tokens where the library would write HTML; the names are the library's. */
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
    // The library turns it into a result that says so.
    if (performance.now() > deadline) throw new Error("this takes too long");
    this.#add(this.length, this.length + text.length, this.#scope());
    this.length += text.length;
  }

  /** What is in another language, such as a script in a page. @param {Collector} inner */
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

/** Grammars by all their names. A name counts more than an alias. @type {Map<string, keyof typeof grammars>} */
const known = new Map();
for (const names of [aliases, Object.fromEntries(Object.keys(grammars).map((name) => [name, [name]]))]) {
  for (const [name, others] of Object.entries(names)) for (const other of others) known.set(other, /** @type {keyof typeof grammars} */ (name));
}

/** Every name and alias that `highlight` knows, in lower case and sorted. */
export const languages = [...known.keys()].sort();

/** Builds a grammar and what it needs, the first time: a page has few languages, and building all would hold it up.
 * @param {keyof typeof grammars} name */
function build(name) {
  if (highlighter.getLanguage(name)) return;
  highlighter.registerLanguage(name, grammars[name]);
  for (const other of inside[name] ?? []) build(/** @type {keyof typeof grammars} */ (other));
}

/** The tokens of a code, sorted and apart from each other. Empty where the language is not known, the code is too long, or a grammar fails;
 * `null` where the time ran out, which can be the machine's fault.
 * @param {string} code @param {string} language @returns {Token[] | null} */
export function highlight(code, language) {
  const grammar = known.get(language);
  if (!grammar || code.length > MAX_LENGTH || ENDLESS.test(code)) return [];
  try {
    build(grammar);
    deadline = performance.now() + TIMEOUT;
    const result = highlighter.highlight(code, { language: grammar, ignoreIllegals: true });
    const { tokens, length } = /** @type {any} */ (result)._emitter;
    if (!result.errorRaised && length === code.length) return tokens;
    return performance.now() > deadline ? null : [];
  } catch {
    return [];
  }
}

// @ts-check
// The registry of the files that the loader fetches. `cargo xtask dist` builds what is listed here,
// and a test compares the documents with it.
//
// A file is named as `new URL("./file", import.meta.url)`, spelled out: bundlers look for that, and
// take the file along. It is called when the file is fetched: a page may have taken the name `URL`.
// `assent_NAME.js` is bundled from `web/NAME/index.js`, or with a
// `assent_NAME_bg.wasm` beside it the glue of the crate `assent_NAME`. As a `part` it is one of
// the widget, which only `dist/` has in a file of its own.
//
// `@fetched` says when: "on demand", "after" another one, or with the widget. `@without` says what
// happens if it cannot be fetched.

import { lazy, part } from "./lazy.js";
import { shared } from "./shared.js";

/** @import { Lazy } from "./lazy.js" */
/** @import { Glue, History, Languages, Notifier, Renderer } from "./load.js" */

/** @returns {Promise<any>} the widget's glue */
const widget = () => shared.assets.widget.load();

const registry = {
  /**
   * @fetched when the chat is to be seen, or its launcher is about to be used
   * @without the panel says so and offers to try again
   * @type {Lazy<Glue>}
   */
  widget: lazy(() => new URL("./assent_widget.js", import.meta.url), () => new URL("./assent_widget_bg.wasm", import.meta.url)),
  /**
   * @fetched after the widget, while the person can type already
   * @without answers are plain paragraphs, and no tool can be approved
   * @type {Lazy<Renderer>}
   */
  renderer: lazy(() => new URL("./assent_renderer.js", import.meta.url), () => new URL("./assent_renderer_bg.wasm", import.meta.url)),
  /**
   * @fetched after the widget, with the renderer
   * @without no tool can be approved
   */
  approval: part("approval", widget, () => new URL("./assent_approval_bg.wasm", import.meta.url)),
  /**
   * @fetched on demand: files, queued messages, contributions, more than a yes or no, or `view`
   * @without none of that is shown, no file attached, and nothing allowed beforehand
   */
  extras: part("extras", widget, () => new URL("./assent_extras_bg.wasm", import.meta.url)),
  /**
   * @fetched after the renderer
   * @without nothing is recorded, and tabs do not learn of each other's posts
   * @type {Lazy<History>}
   */
  history: lazy(() => new URL("./assent_history.js", import.meta.url)),
  /**
   * @fetched on demand: the first decision that waits, or the attribute `notify`
   * @without the title of the page does not tell of it, and neither does a sound or the system
   * @type {Lazy<Notifier>}
   */
  notify: lazy(() => new URL("./assent_notify.js", import.meta.url)),
  /**
   * @fetched on demand: the first formula
   * @without formulas stay TeX
   */
  math: lazy(() => new URL("./assent_math.js", import.meta.url), () => new URL("./assent_math_bg.wasm", import.meta.url)),
  /**
   * @fetched on demand: the attribute `locale`, unless it is English; then the texts, `locales/…`
   * @without what the page gave no text for is English
   * @type {Lazy<Languages>}
   */
  languages: lazy(() => new URL("./assent_languages.js", import.meta.url)),
  /**
   * @fetched on demand: the first code block on the screen in a known language
   * @without code has no colours
   */
  highlight: lazy(() => new URL("./assent_highlight.js", import.meta.url)),
};

export const assets = /** @type {typeof registry} */ (shared.assets ??= registry);

/** The address of the texts of a language. @param {string} tag */
export const language = (tag) => new URL(`./locales/${tag}.json`, import.meta.url);

// In the place of the module that fetches the texts of other languages, where the packages that
// bundle it are not installed. `cargo xtask dev` installs them; the widget works without.

console.info("assent-chat: texts are English, because web/node_modules is missing: `npm ci` there, or `cargo xtask dev`.");

/** Leaves the texts as they are. */
export const speak = () => {};

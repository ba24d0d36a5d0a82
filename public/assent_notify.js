// In the place of the module that tells of waiting decisions, where the packages that bundle it are
// not installed. `cargo xtask dev` installs them; the widget works without.

console.info("assent-chat: waiting decisions are told in the chat alone, because web/node_modules is missing: `npm ci` there, or `cargo xtask dev`.");

/** Tells nothing. */
export const tell = () => {};

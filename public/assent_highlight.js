// In the place of the module that colours code, where its packages are not installed.
// `cargo xtask dev` installs them; the widget works without.

console.info("assent-chat: code has no colours, because web/node_modules is missing: `npm ci` there, or `cargo xtask dev`.");

/** No tokens, for whatever code. */
export const highlight = () => [];

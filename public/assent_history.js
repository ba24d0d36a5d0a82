// In the place of the module that keeps on this device how answers came about, where its packages
// are not installed. `cargo xtask dev` installs them; the widget works without.

console.info("assent-chat: nothing is kept on this device, because web/node_modules is missing: `npm ci` there, or `cargo xtask dev`.");

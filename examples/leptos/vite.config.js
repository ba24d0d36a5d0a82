// Any static server will do. This one serves the pages as they are, the package's files beside them, and the service.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  appType: "mpa",
  publicDir: fileURLToPath(new URL(".", import.meta.resolve("assent-chat"))),
  // The service of `cargo xtask dev`. The server adds the key, so that no page has it.
  server: { proxy: { "/api": { target: "http://127.0.0.1:8787", headers: { authorization: "Bearer dev-key" } } } },
});

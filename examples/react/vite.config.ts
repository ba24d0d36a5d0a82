import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const chat = fileURLToPath(new URL(".", import.meta.resolve("assent-chat")));

/** The chat fetches its other files from beside the chunk that it is bundled into. */
const chatFiles: Plugin = {
  name: "chat-files",
  apply: "build",
  generateBundle() {
    for (const file of readdirSync(chat).filter((file) => file.startsWith("assent_"))) {
      this.emitFile({ type: "asset", fileName: `assets/${file}`, source: readFileSync(`${chat}${file}`) });
    }
  },
};

export default defineConfig({
  plugins: [react(), chatFiles],
  // In development it is served as it is, with the other files beside it.
  optimizeDeps: { exclude: ["assent-chat"] },
  // The service of `cargo xtask dev`. The server adds the key, so that no page has it.
  server: { proxy: { "/api": { target: "http://127.0.0.1:8787", headers: { authorization: "Bearer dev-key" } } } },
});

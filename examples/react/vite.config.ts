import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react()],
  // For development, and before Vite 8 alone: its bundles of packages lose the files beside them.
  optimizeDeps: { exclude: ["assent-chat"] },
  // The service of `cargo xtask dev`. The server adds the key, so that no page has it.
  server: { proxy: { "/api": { target: "http://127.0.0.1:8787", headers: { authorization: "Bearer dev-key" } } } },
});

// Starts the service with an empty database for one run of the tests, and ends with it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { API_KEY, PAGE_ORIGIN, SERVICE_PORT } from "./addresses.js";

const program = fileURLToPath(new URL("../../target/debug/assent-service", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "assent-e2e-"));
const flags = [
  ["--listen", `127.0.0.1:${SERVICE_PORT}`],
  ["--database", join(folder, "assent.sqlite")],
  ["--api-key", API_KEY],
  ["--allow-origin", PAGE_ORIGIN],
  ["--allow-credentials", "--allow-header", "X-Trace"],
  // Quick, but slow enough to be seen streaming.
  ["--pace", "0.1"],
  ["--shutdown-grace", "1"],
];
const service = spawn(program, flags.flat(), { stdio: "inherit" });
for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, () => service.kill("SIGTERM"));
}
service.on("error", (error) => {
  console.error(`The service could not be started: ${error.message}`);
  process.exit(1);
});
service.on("exit", (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 0);
});

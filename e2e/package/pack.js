// dist/ as everybody gets it who installs the package.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DIST } from "../servers/files.js";

/** Packs dist/ and installs it into `folder`. Returns the names of its files, and where they lie now. */
export function packInto(folder) {
  const report = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: DIST,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename, files }] = Object.values(JSON.parse(report));
  const root = join(folder, "node_modules", "assent-chat");
  mkdirSync(root, { recursive: true });
  execFileSync("tar", ["--extract", "--gzip", "--file", join(folder, filename), "--strip-components", "1", "--directory", root]);
  return { root, files: files.map(({ path }) => path) };
}

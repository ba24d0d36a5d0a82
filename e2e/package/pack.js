// dist/ as everybody gets it who installs the package.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DIST } from "../servers/files.js";

/** Packs dist/ and installs it into `folder`. Returns the archive, the names of its files, and where they lie now. */
export function packInto(folder) {
  const report = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: DIST,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename, files }] = Object.values(JSON.parse(report));
  const root = join(folder, "node_modules", "assent-chat");
  mkdirSync(root, { recursive: true });
  const tarball = join(folder, filename);
  execFileSync("tar", ["--extract", "--gzip", "--file", tarball, "--strip-components", "1", "--directory", root]);
  return { tarball, root, files: files.map(({ path }) => path) };
}

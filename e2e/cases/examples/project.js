// Examples as somebody has them who copied the folder: with the packed dist/ installed, built, and served beside the service.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { API_KEY, expect, SERVICE_ORIGIN, test as base } from "../../fixtures.js";
import { packInto } from "../../package/pack.js";
import { DIST, fileServer } from "../../servers/files.js";
import { forward, serving } from "../../servers/serving.js";

const EXAMPLES = fileURLToPath(new URL("../../../examples", import.meta.url));

export { expect };

export const test = base.extend({
  /** A folder with the packages of all examples, and dist/ among them. */
  workshop: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "assent-examples-"));
      packInto(folder);
      // It says that the folder is one workspace; Vite serves no file from outside of that.
      cpSync(join(EXAMPLES, "package.json"), join(folder, "package.json"));
      const installed = join(EXAMPLES, "node_modules");
      for (const name of readdirSync(installed)) {
        if (!name.startsWith("assent-")) symlinkSync(join(installed, name), join(folder, "node_modules", name));
      }
      await use(folder);
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  /** Copies an example into the workshop, and returns where it is. */
  example: async ({ workshop }, use) => {
    await use((name) => {
      const folder = join(workshop, name);
      const sources = (path) => !["dist", "node_modules", "target"].includes(basename(path));
      cpSync(join(EXAMPLES, name), folder, { recursive: true, filter: sources });
      return folder;
    });
  },
  /** Serves an example for development, with the tests' service behind it, and returns the address. */
  develop: async ({}, use) => {
    const { createServer } = await import(join(EXAMPLES, "node_modules", "vite", "dist", "node", "index.js"));
    let server;
    await use(async (folder) => {
      const proxy = { "/api": { target: SERVICE_ORIGIN, headers: { authorization: `Bearer ${API_KEY}` } } };
      server = await createServer({ root: folder, logLevel: "warn", server: { host: "127.0.0.1", watch: null, proxy } });
      await server.listen();
      return `http://127.0.0.1:${server.httpServer.address().port}/`;
    });
    await server?.close();
  },
  /** Address of the pages that need no build, with the package's files beside them. */
  plain: async ({ workshop, example, serve }, use) => {
    await use(await serve([["/assent", join(workshop, "node_modules", "assent-chat", "assent")], ["/", `${example("html")}/`]]));
  },
  /** Address of the example in Rust, which xtask has built, with the package's files beside it. */
  leptos: async ({ workshop, example, serve }, use) => {
    const folder = example("leptos");
    expect(existsSync(join(folder, "pkg")), "examples/leptos/pkg, which cargo xtask test makes").toBe(true);
    await use(await serve([["/assent", join(workshop, "node_modules", "assent-chat", "assent")], ["/", `${folder}/`]]));
  },
  /** Serves pairs of path prefix and folder, with the service under /api/, and returns the address. */
  serve: async ({ context }, use) => {
    await serving(context, (start) =>
      use((roots) => {
        const files = fileServer(roots);
        // With the key that no page has.
        const key = { authorization: `Bearer ${API_KEY}` };
        return start((request, response) =>
          request.url.startsWith("/api/") ? forward(SERVICE_ORIGIN, request, response, key) : files.emit("request", request, response),
        );
      }),
    );
  },
});

/** Builds the example that lies in `folder`, and returns the folder of its pages. */
export function build(folder) {
  const vite = join(EXAMPLES, "node_modules", "vite", "bin", "vite.js");
  execFileSync(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd: folder, stdio: "inherit" });
  return join(folder, "dist");
}

/** Files of the package that are nowhere beside the scripts of built pages, whatever they are called there. */
export function missing(pages) {
  const read = (folder) => (name) => readFileSync(join(folder, name), "base64");
  const assets = join(pages, "assets");
  const there = new Set(readdirSync(assets).map(read(assets)));
  return readdirSync(DIST).filter((name) => name.startsWith("assent_") && !there.has(read(DIST)(name)));
}

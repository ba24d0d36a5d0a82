// The servers that docs/proxy/ has a configuration for, started with that very text: only addresses, folders and the key
// are put in their places, as a reader of the documents does it.

import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "../../fixtures.js";
import { DIST } from "../../servers/files.js";
import { Port } from "../../servers/port.js";

const PAGE = fileURLToPath(new URL("index.html", import.meta.url));
/** Something else may listen on the port that is given to the server; then it ends. */
const ATTEMPTS = 3;

const documented = (name) => readFileSync(fileURLToPath(new URL(`../../../docs/proxy/${name}`, import.meta.url)), "utf8");

/**
 * Replaces what a reader has to replace; a place that is not in the document is a mistake in one of the two. All at once: what
 * was put in is no place, also where a port of 30001 begins like one.
 */
function filledIn(name, places) {
  const text = documented(name);
  const missing = Object.keys(places).filter((place) => !text.includes(place));
  if (missing.length) throw new Error(`docs/proxy/${name} does not contain ${missing}`);
  const patterns = Object.keys(places).map((place) => place.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.replace(new RegExp(patterns.join("|"), "g"), (place) => places[place]);
}

/** The only user of a server that asks for a password by itself; the password is "secret". */
export const NAME = "ada";
const HASH = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

/** By name: what docs/proxy/README.md says about a server that asks for a password by itself, done to the document. */
const WITH_PASSWORD = {
  nginx: (text, users) =>
    text
      .replace(/.*auth_request.*\n/g, "")
      .replace(/location = \/assent-session {[^}]*}/, "")
      .replace("$assent_user", "$remote_user")
      .replace(/^ +root /m, `auth_basic "Shop"; auth_basic_user_file ${users};\n$&`),
  caddy: (text) =>
    text
      .replace(/request_header -X-Service-User-Id/, "request_header X-Service-User-Id {http.auth.user.id}")
      .replace(/^\t+forward_auth [^}]*}\n/m, "")
      .replace(/^\troot /m, `\tbasicauth {\n\t\t${NAME} ${HASH}\n\t}\n$&`),
};

/** By name: writes the configuration into a folder and says how the server is started. */
const SERVERS = {
  nginx: ({ folder, root, port, service, site, key, asks }) => {
    const file = (name, text) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const keyFile = file("key.conf", filledIn("assent-key.conf", { KEY: key }));
    const users = file("users", `${NAME}:{PLAIN}secret`);
    const block = filledIn("nginx.conf", {
      "listen 80;": `listen 127.0.0.1:${port};`,
      "/var/www/shop": root,
      "/etc/nginx/assent-key.conf": keyFile,
      "127.0.0.1:8787": service,
      "127.0.0.1:3000": site,
    });
    // What a distribution's nginx.conf says around server blocks; compressing everything is what a busy site may do.
    const around = `
      daemon off;
      pid ${folder}/nginx.pid;
      error_log stderr;
      ${process.getuid?.() === 0 ? "user root;" : ""}
      events {}
      http {
        include /etc/nginx/mime.types;
        access_log off;
        gzip on;
        gzip_min_length 0;
        gzip_types *;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
        include ${file("shop.conf", asks ? WITH_PASSWORD.nginx(block, users) : block)};
      }`;
    return { args: ["-e", "stderr", "-p", folder, "-c", file("nginx.conf", around)] };
  },
  caddy: ({ folder, root, port, service, site, key, asks }) => {
    const block = filledIn("Caddyfile", {
      "shop.example {": `http://127.0.0.1:${port} {`,
      "/var/www/shop": root,
      "127.0.0.1:8787": service,
      "127.0.0.1:3000": site,
    });
    const config = join(folder, "Caddyfile");
    writeFileSync(config, `{\n\tadmin off\n\tgrace_period 1s\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n${asks ? WITH_PASSWORD.caddy(block) : block}`);
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ASSENT_API_KEY: key };
    return { args: ["run", "--adapter", "caddyfile", "--config", config], env };
  },
};

export const NAMES = Object.keys(SERVERS);

/**
 * A running server: its pages and, behind them, a service and a site by their addresses (`host:port`).
 * With `asks` it does not ask the site who the visitor is, but the visitor for a password.
 */
export class ProxyServer {
  origin = "";
  #folder = mkdtempSync(join(tmpdir(), "assent-proxy-"));
  #child;
  /** Nobody else's: Caddy shares its port with any other Caddy. */
  #port;
  /** Resolves when the server has ended. */
  #ended;
  /** What it said on its error output. */
  said = "";

  static async start(name, settings) {
    const server = new ProxyServer();
    try {
      await server.#start(name, settings);
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  async #start(name, settings) {
    const root = join(this.#folder, "shop");
    mkdirSync(root);
    cpSync(PAGE, join(root, "index.html"));
    // Browsers ask for it by themselves.
    writeFileSync(join(root, "favicon.ico"), "");
    cpSync(DIST, join(root, "assent"), { recursive: true });
    // Only this server has it, so that an answer on the port is known to be its own.
    writeFileSync(join(root, basename(this.#folder)), "");
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      this.#port = await Port.claim();
      if (await this.#listen(name, { ...settings, folder: this.#folder, root, port: this.#port.number })) return;
      this.#port.release();
      this.#port = null;
    }
    throw new Error(`${name} did not start: ${this.said}`);
  }

  /** Starts the server on the port; false if it ended instead. */
  async #listen(name, settings) {
    const { args, env } = SERVERS[name](settings);
    // Debian keeps nginx where only root's PATH leads.
    const PATH = `${process.env.PATH}:/usr/sbin`;
    const child = spawn(name, args, { env: { ...process.env, ...env, PATH }, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.on("data", (text) => (this.said += text));
    child.on("error", (error) => (this.said += error.message));
    let hasEnded = false;
    this.#child = child;
    this.#ended = new Promise((resolve) => child.on("close", resolve)).then(() => (hasEnded = true));
    this.origin = `http://127.0.0.1:${settings.port}`;
    const mark = `${this.origin}/${basename(this.#folder)}`;
    const headers = { Authorization: `Basic ${btoa(`${NAME}:secret`)}` };
    const isServed = async () => (await fetch(mark, { headers }).catch(() => null))?.ok;
    await expect.poll(async () => hasEnded || isServed(), { intervals: [50] }).toBe(true);
    return !hasEnded;
  }

  async stop() {
    this.#child?.kill("SIGTERM");
    await this.#ended;
    this.#port?.release();
    rmSync(this.#folder, { recursive: true });
  }
}

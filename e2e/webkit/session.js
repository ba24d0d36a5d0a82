// WebKitGTK's browser on a screen of its own, through the few commands of WebDriver that the smoke case needs.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "@playwright/test";
import { Port } from "../servers/port.js";

/** Names the reference to an element in WebDriver's messages. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export class Session {
  #base;
  #address = "";
  #programs = [];
  /** Where the driver listens. */
  #port;

  /** @param {string} base what paths are relative to */
  constructor(base) {
    this.#base = base;
  }

  /** Starts screen, driver and browser. */
  async start() {
    // The screen chooses its number by itself, and says it.
    const screen = this.#spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], { stdio: ["ignore", "pipe", "ignore"] });
    const [number] = await once(screen.stdout, "data");
    this.#port = await Port.claim();
    // Without other wishes it starts the browser of its own package.
    this.#spawn("WebKitWebDriver", [`--port=${this.#port.number}`], { env: { ...process.env, DISPLAY: `:${String(number).trim()}` }, stdio: "ignore" });
    const driver = `http://127.0.0.1:${this.#port.number}`;
    await expect.poll(() => fetch(`${driver}/status`).then(({ ok }) => ok, () => false)).toBe(true);
    const { sessionId } = await command("POST", `${driver}/session`, { capabilities: {} });
    this.#address = `${driver}/session/${sessionId}`;
  }

  async end() {
    if (this.#address) await this.#send("DELETE", "");
    for (const program of this.#programs.reverse()) {
      if (program.kill()) await once(program, "exit");
    }
    this.#port?.release();
  }

  #spawn(name, flags, options) {
    const program = spawn(name, flags, options);
    this.#programs.push(program);
    return program;
  }

  open(path) {
    return this.#send("POST", "/url", { url: new URL(path, this.#base).href });
  }

  /** Runs a function in the page. */
  run(work, value = null) {
    return this.#send("POST", "/execute/sync", { script: `return (${work})(...arguments)`, args: [value] });
  }

  /** Clicks as a person does, whose pointer moves before: where it rests, it clicks on nothing that only just came there. */
  async click(find, what) {
    const origin = await this.run(find, what);
    await this.#send("POST", "/execute/sync", { script: "arguments[0].scrollIntoView({ block: 'nearest' })", args: [origin] });
    const move = (x) => ({ type: "pointerMove", origin, x, y: 0, duration: 0 });
    const actions = [move(-8), move(0), { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
    await this.#send("POST", "/actions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
  }

  async type(find, what, text) {
    await this.#send("POST", `${await this.#element(find, what)}/value`, { text });
  }

  async picture() {
    return Buffer.from(await this.#send("GET", "/screenshot"), "base64");
  }

  async #element(find, what) {
    return `/element/${(await this.run(find, what))[ELEMENT]}`;
  }

  #send(method, path, body) {
    return command(method, this.#address + path, body);
  }
}

/** Sends one command, and returns the value that it is answered with. */
async function command(method, address, body) {
  const response = await fetch(address, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${address}: ${value.error}: ${value.message}`);
  return value;
}

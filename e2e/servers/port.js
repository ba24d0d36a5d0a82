// Ports for servers that need to know where to listen: programs, and those that leave their port and come back to it.
// All others listen on port 0.

import { createSocket } from "node:dgram";
import { once } from "node:events";

/** Below what systems give by themselves, to who listens on port 0 and to every connection, and above what browsers refuse. */
const LOWEST = 11_000;
const COUNT = 20_000;
const ATTEMPTS = 100;

/** A number that nobody else here has, in any process, until it is released. That nothing else listens there shows when it is used. */
export class Port {
  #claim;

  static async claim() {
    for (let attempt = 1; ; attempt += 1) {
      const number = LOWEST + Math.floor(Math.random() * COUNT);
      // The same port of UDP, which nobody here needs: one process has it, and no longer than it lives.
      const claim = createSocket("udp4").unref();
      try {
        claim.bind(number, "127.0.0.1");
        await once(claim, "listening");
        return new Port(number, claim);
      } catch (error) {
        claim.close();
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Use `claim`. */
  constructor(number, claim) {
    this.number = number;
    this.#claim = claim;
  }

  release() {
    this.#claim.close();
  }
}

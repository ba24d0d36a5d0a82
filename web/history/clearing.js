// @ts-check
// The channel on which widgets with the same service, agent and user, on this page and in other
// tabs, ask each other to delete their recordings.

const NAME = "assent-history";

export class ClearingChannel {
  #scope;
  #channel = /** @type {BroadcastChannel | null} */ (null);

  /** @param {string} scope @param {() => void} onRequest another widget asks to delete */
  constructor(scope, onRequest) {
    this.#scope = scope;
    try {
      this.#channel = new BroadcastChannel(NAME);
      this.#channel.onmessage = ({ data }) => {
        if (data?.forget === scope) onRequest();
      };
    } catch {
      // Some pages may not have a channel.
    }
  }

  /** Asks the other widgets. */
  post() {
    this.#channel?.postMessage({ forget: this.#scope });
  }

  close() {
    this.#channel?.close();
  }
}

// @ts-check
// Other widgets with the same service, agent and user, on this page and in other tabs. Where the browser has no channel between
// them, there is nobody to tell.

const NAME = "assent-history";

export class Neighbours {
  #scope;
  #channel = /** @type {BroadcastChannel | null} */ (null);

  /** @param {string} scope @param {() => void} cleared one of them was told to forget */
  constructor(scope, cleared) {
    this.#scope = scope;
    try {
      this.#channel = new BroadcastChannel(NAME);
      this.#channel.onmessage = ({ data }) => {
        if (data?.forget === scope) cleared();
      };
    } catch {
      // Some pages may not have one.
    }
  }

  /** Tells them to forget. */
  tell() {
    this.#channel?.postMessage({ forget: this.#scope });
  }

  close() {
    this.#channel?.close();
  }
}

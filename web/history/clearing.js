// @ts-check
// The channel on which widgets with the same service, agent and user, on this page and in other
// tabs, ask each other to delete their recordings.

const NAME = "assent-history";

/** The name of this page, whose widgets hear of it without the channel. */
const PAGE = Math.random();

export class ClearingChannel {
  #scope;
  #channel = /** @type {BroadcastChannel | null} */ (null);

  /** @param {string} scope
   * @param {(everything: boolean) => void} onRequest another widget asks to delete what has this
   * scope, or another page to delete everything */
  constructor(scope, onRequest) {
    this.#scope = scope;
    try {
      this.#channel = new BroadcastChannel(NAME);
      this.#channel.onmessage = ({ data }) => {
        if (data?.forget === scope) onRequest(false);
        else if (data?.everything && data.everything !== PAGE) onRequest(true);
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

/** Asks the other pages to delete everything, of any service, agent and user. */
export function postEverything() {
  try {
    const channel = new BroadcastChannel(NAME);
    channel.postMessage({ everything: PAGE });
    channel.close();
  } catch {
    // Some pages may not have a channel.
  }
}

// @ts-check
// The body of a response. It is read here and not in Rust because a fast answer comes in hundreds of pieces: to wait for
// each of them there costs more than all that is done with it.

/** Nothing more is taken together once there are so many bytes. */
const ENOUGH = 250_000;

/** So many pieces in a row come faster than they are read. They are given time to become fewer. */
const IN_A_ROW = 3;

/** Says that no piece is there. */
const NONE = {};

export class BodyReader {
  #reader;
  /** The read that is under way. @type {Promise<ReadableStreamReadResult<Uint8Array>> | null} */
  #next = null;

  /** @param {ReadableStream<Uint8Array>} body that nobody reads yet */
  constructor(body) {
    this.#reader = body.getReader();
  }

  /** All bytes that are there, and how the body ended, once it has: true at its end, false where the connection broke.
   *
   * Not every browser hands over as one piece what came meanwhile: whatever is there is taken all the same, or what is shown
   * falls behind what came.
   * @param {boolean} waits for a first piece @param {number} rest milliseconds for pieces that come in a row, if the page is seen
   * @returns {Promise<[bytes: Uint8Array, end: boolean | undefined]>} */
  async take(waits, rest) {
    const pieces = [];
    let length = 0;
    let end;
    try {
      while (length < ENOUGH) {
        this.#next ??= this.#reader.read();
        // Promises are settled in their order: what was there when it was asked for comes before nothing.
        const piece = await (waits ? this.#next : Promise.race([this.#next, NONE]));
        if (piece === NONE) break;
        waits = false;
        this.#next = null;
        const { value } = /** @type {ReadableStreamReadResult<Uint8Array>} */ (piece);
        if (!(value instanceof Uint8Array)) {
          // The end has no value.
          end = true;
          break;
        }
        pieces.push(value);
        length += value.length;
        if (pieces.length === IN_A_ROW && !document.hidden) await new Promise((go) => setTimeout(go, rest));
      }
    } catch {
      end = false;
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return [bytes, end];
  }

  /** Nothing more is read. */
  cancel() {
    return this.#reader.cancel();
  }
}

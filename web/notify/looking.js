// @ts-check
// Whether somebody looks at a page with this chat. The tabs of one service, agent and user know it of
// each other by a lock, which each has while it is looked at.

/** Whether this page is in front, and its window has the focus. */
export const isLookedAt = () => !document.hidden && document.hasFocus();

export class Looking {
  #name;
  /** Gives the lock back. @type {(() => void) | null} */
  #release = null;

  /** @param {string} scope what service, agent and user share */
  constructor(scope) {
    this.#name = `assent:looking:${scope}`;
  }

  /** Tells the other tabs whether this page is looked at. @param {boolean} looks */
  update(looks) {
    if (looks === !!this.#release) return;
    if (!looks) {
      this.#release?.();
      this.#release = null;
      return;
    }
    const ended = new Promise((resolve) => (this.#release = () => resolve(null)));
    // Refused if a page has no origin.
    navigator.locks?.request(this.#name, { mode: "shared" }, () => ended).catch(() => {});
  }

  /** Whether another tab is looked at. */
  async isElsewhere() {
    try {
      const { held } = await navigator.locks.query();
      return !!held?.some(({ name }) => name === this.#name);
    } catch {
      return false;
    }
  }
}

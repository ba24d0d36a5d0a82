// Numbers that look random and follow from a seed, so that a session can be played again.

/** FNV-1a, 32 bit. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return value >>> 0;
}

/** One sequence of numbers. Decisions that are called by a name do not depend on how many others were made before. */
export class Random {
  #state;
  #name;

  /** @param {string} name */
  constructor(name) {
    this.#name = name;
    this.#state = hash(name);
  }

  /** Another sequence, which this name and the own one decide. @param {string} name */
  named(name) {
    return new Random(`${this.#name}/${name}`);
  }

  /** From 0 up to, and without, 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from 0 up to, and without, `limit`. @param {number} limit */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  /** True with this chance. @param {number} chance */
  chance(chance) {
    return this.next() < chance;
  }

  /** @template T @param {readonly T[]} values @returns {T} */
  pick(values) {
    return values[this.below(values.length)];
  }

  /** One of the keys; what has twice the weight comes twice as often. @param {Record<string, number>} weights */
  weighted(weights) {
    const entries = Object.entries(weights);
    let rest = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      rest -= weight;
      if (rest < 0) return key;
    }
    return entries[entries.length - 1][0];
  }
}

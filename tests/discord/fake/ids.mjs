// Snowflakes: a millisecond since 2015, then a counter. Late presses are told by them, so they follow the fake's clock.
const EPOCH = 1420070400000n;

export class Ids {
  #now;
  #last = 0n;

  constructor(now) {
    this.#now = now;
  }

  /** A new id; always greater than the last. */
  next() {
    const id = (BigInt(this.#now()) - EPOCH) << 22n;
    this.#last = id > this.#last ? id : this.#last + 1n;
    return String(this.#last);
  }
}

export const millisecondsOf = id => Number((BigInt(id) >> 22n) + EPOCH);

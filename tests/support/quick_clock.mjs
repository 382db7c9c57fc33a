// A clock for the program and for who tests it, that runs ahead when both wait for nothing else.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const LIBRARY = fileURLToPath(new URL('../../build/dev/tests/libquick_clock.so', import.meta.url));
const NS = 1_000_000n;

export class QuickClock {
  #file;
  #wanted = 0n;

  constructor(folder) {
    this.path = path.join(folder, 'clock');
    this.#file = openSync(this.path, 'w+');
    writeSync(this.#file, Buffer.alloc(16));
  }

  /** How far it is ahead, in nanoseconds: as far as the program has come. */
  get #ahead() {
    const bytes = Buffer.alloc(8);
    readSync(this.#file, bytes, 0, 8, 8);
    return bytes.readBigInt64LE();
  }

  now = () => Date.now() + Number(this.#ahead / NS);

  /** Lets so much time pass: the program lives through every moment of it, as soon as it has nothing to do. */
  async pass(ms) {
    const bytes = Buffer.alloc(8);
    this.#wanted += BigInt(ms) * NS;
    bytes.writeBigInt64LE(this.#wanted);
    writeSync(this.#file, bytes, 0, 8, 0);
    const end = Date.now() + 60_000;
    while (this.#ahead < this.#wanted) {
      if (Date.now() > end) throw new Error('the program does not live through the time that passes');
      await new Promise(resolve => { setTimeout(resolve, 1); });
    }
  }

  /** An environment with it. */
  within(environment) {
    return { ...environment, MUNCHBOT_CLOCK: this.path, LD_PRELOAD: [environment.LD_PRELOAD, LIBRARY].filter(Boolean).join(':') };
  }

  close() {
    closeSync(this.#file);
  }
}

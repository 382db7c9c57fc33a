// deploy/try as a process, by the program that is built already, with temporary files in a folder of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../deploy/try', import.meta.url));
const BUILT = fileURLToPath(new URL('../../build/dev/munchbot', import.meta.url));

export class Tried {
  constructor(...words) {
    this.folder = mkdtempSync(path.join(tmpdir(), 'tried-'));
    this.said = '';
    this.process = spawn(SCRIPT, [...words, '--no-install'], {
      env: { ...process.env, MUNCHBOT: process.env.MUNCHBOT ?? BUILT, TMPDIR: this.folder } });
    for (const stream of [this.process.stdout, this.process.stderr]) stream.on('data', data => { this.said += data; });
    this.ended = new Promise(resolve => { this.process.on('exit', (code, signal) => resolve({ code, signal })); });
  }

  async until(what, test, ms = 60_000) {
    for (const end = Date.now() + ms; ;) {
      const value = await test();
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited in vain: ${what}\n${this.said}`);
      await pause(20);
    }
  }

  type(line) {
    this.process.stdin.write(`${line}\n`);
  }

  /** The processes whose command line names its folder: munchbot's. */
  get programs() {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.folder);
      } catch {
        return false; // it has ended
      }
    }).map(Number);
  }

  /** It ends by itself or by Ctrl-C, and leaves nothing behind; how. */
  async leaves(signal) {
    if (signal) this.process.kill(signal);
    const end = await this.ended;
    assert.deepEqual(this.programs, []);
    assert.deepEqual(readdirSync(this.folder), []);
    return end;
  }

  /** After the test, however it went. */
  clear() {
    for (const pid of this.programs) process.kill(pid, 'SIGKILL');
    this.process.kill('SIGKILL');
    rmSync(this.folder, { recursive: true });
  }
}

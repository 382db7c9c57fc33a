// The program itself as a process: `munchbot run` at a fake homeserver, with a store of its own.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixedDeal } from '../../support/fixed_deal.mjs';
import { ownStore } from '../../support/own_store.mjs';

export const PROGRAM = process.env.MUNCHBOT ?? fileURLToPath(new URL('../../../build/dev/munchbot', import.meta.url));

export class Munchbot {
  #process;

  /** `store`: another's, or its own. `matrix`: more lines of that section. `more`: more lines of others. `program`: a copy.
   * `deal`: which cards all get. `log`: its level. `apart`: Ctrl-C at the terminal is not for it. */
  static async make(server, { store, matrix = [], more = [], environment = {}, program = PROGRAM, deal, log = 'debug', apart = false } = {}) {
    const bot = new Munchbot();
    bot.server = server;
    bot.log = '';
    Object.assign(bot, { program, environment, deal, apart });
    bot.folder = await mkdtemp(path.join(tmpdir(), 'munchbot-'));
    bot.store = store ?? await ownStore(bot.folder);
    await writeFile(bot.configuration, [
      '[munchbot]', `store = ${bot.store}`, 'commands_per_second = 100', `log = ${log}`,
      '[matrix]', `homeserver = ${server.url}`, `user_id = ${server.bot.id}`, ...matrix, ...more, '',
    ].join('\n'));
    return bot;
  }

  /** Starts it, whatever comes of that. */
  spawn() {
    this.#process = spawn(this.program, ['run', '--config', this.configuration], { stdio: ['ignore', 'pipe', 'pipe'], detached: this.apart,
      env: { ...process.env, ...fixedDeal(this.deal), ...this.environment, MUNCHBOT_MATRIX_TOKEN: this.server.bot.token } });
    const child = this.#process;
    this.ended = new Promise(resolve => { child.on('exit', (code, signal) => resolve({ code, signal })); });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => { this.log += data; });
  }

  /** Starts it, and waits until it has heard of its rooms. */
  async start(ms = undefined) {
    const before = this.count('event=connected');
    this.spawn();
    await this.server.until('munchbot connects', () => {
      if (!this.runs) throw new Error(`munchbot has ended: ${this.log.trim().split('\n').at(-1)}\n${this.log}`);
      return this.count('event=connected') > before;
    }, ms);
  }

  count(words) {
    return this.log.split(words).length - 1;
  }

  /** Ends it as an operator would. */
  async stop() {
    this.#process.kill('SIGTERM');
    return this.ended;
  }

  async kill() {
    this.#process.kill('SIGKILL');
    return this.ended;
  }

  get configuration() {
    return path.join(this.folder, 'munchbot.conf');
  }

  get pid() {
    return this.#process.pid;
  }

  get runs() {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async remove() {
    if (this.runs) await this.kill();
    await rm(this.folder, { recursive: true });
  }
}

// The program itself as a process: `munchbot run` against a fake Discord, with a store of its own.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fixedDeal } from '../../support/fixed_deal.mjs';
import { ownStore } from '../../support/own_store.mjs';

const PROGRAM = process.env.MUNCHBOT ?? fileURLToPath(new URL('../../../build/dev/munchbot', import.meta.url));

export class Munchbot {
  #process;

  constructor(folder, fake) {
    this.folder = folder;
    this.fake = fake;
    this.log = '';
  }

  /** `rate`: commands a second of one person. `shards`: 0 for as many as Discord says. `deal`: which cards all get.
   * `log`: its level.
   * `clock`: one that can run ahead, instead of the machine's. `apart`: Ctrl-C at the terminal is not for it. `more`: lines of other sections. */
  static async make(fake, { store, rate = 2, shards = 0, deal, clock, apart = false, log = 'debug', more = [] } = {}) {
    const folder = await mkdtemp(path.join(tmpdir(), 'munchbot-'));
    const bot = new Munchbot(folder, fake);
    bot.deal = deal;
    Object.assign(bot, { clock, apart });
    bot.store = store ?? await ownStore(folder);
    await writeFile(path.join(folder, 'munchbot.conf'), [
      '[munchbot]', `store = ${bot.store}`, `commands_per_second = ${rate}`, `log = ${log}`,
      '[discord]', `application_id = ${fake.world.application.id}`, `api_url = ${fake.apiUrl}`,
      `gateway_url = ${fake.gatewayUrl}`, ...(shards > 0 ? [`shards = ${shards}`] : []), ...more, '',
    ].join('\n'));
    return bot;
  }

  /** Starts it, and waits until it is connected and its commands are registered. */
  async start() {
    const connected = () => this.log.split('gateway-connected').length;
    const before = connected();
    const child = this.spawn();
    await this.fake.until('munchbot connects', () => {
      if (child.exitCode !== null) throw new Error(`munchbot has ended: ${this.log.trim().split('\n').at(-1)}\n${this.log}`);
      return connected() > before && this.fake.world.commands.length > 0;
    }, 30_000);
  }

  /** Starts it, whatever comes of that. */
  spawn() {
    const env = { ...process.env, ...fixedDeal(this.deal), MUNCHBOT_DISCORD_TOKEN: this.fake.token };
    this.#process = spawn(PROGRAM, ['run', '--config', this.configuration], {
      stdio: ['ignore', 'pipe', 'pipe'], detached: this.apart, env: this.clock?.within(env) ?? env });
    const child = this.#process;
    this.ended = new Promise(resolve => { child.on('exit', (code, signal) => resolve({ code, signal })); });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => { this.log += data; });
    child.on('exit', code => { this.code = code; });
    this.code = undefined;
    return child;
  }

  /** Ends it as an operator would; it must say nothing is wrong. */
  async stop() {
    this.#process.kill('SIGTERM');
    return this.ended;
  }

  /** Its configuration with lines more, those of the last section, read again while it runs. */
  async reread(lines) {
    const before = this.log.length;
    this.conf ??= await readFile(this.configuration, 'utf8');
    await writeFile(this.configuration, `${this.conf}${lines.join('\n')}\n`);
    this.#process.kill('SIGHUP');
    await this.fake.until('it has read its configuration', () => /event=config-(reread|problem)/.test(this.log.slice(before)));
  }

  get program() {
    return PROGRAM;
  }

  get configuration() {
    return path.join(this.folder, 'munchbot.conf');
  }

  get runs() {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** What it has cost so far: seconds of processor time, and the most memory that it had, in MiB. */
  get cost() {
    const words = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const most = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'utf8'))[1];
    return { seconds: (Number(words[11]) + Number(words[12])) / 100, mib: Number(most) / 1024 };
  }

  async kill() {
    this.#process.kill('SIGKILL');
    return this.ended;
  }

  async remove() {
    if (this.runs) await this.kill();
    await rm(this.folder, { recursive: true });
  }
}

// Both bots as processes on one core, and what of them is measured.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Munchbot } from '../../discord/play/munchbot.mjs';
import { processor } from '../rows.mjs';

const CORE = '0';
const RIVAL = fileURLToPath(new URL('../../../build/bench-discord/rival.mjs', import.meta.url));
export const PROGRAM = process.env.MUNCHBOT ?? fileURLToPath(new URL('../../../build/release/munchbot', import.meta.url));
const SEATS = 4;
const RATE = 100; // commands a second of one person: as many as can be allowed

class Bot {
  /** Milliseconds from its start to its IDENTIFY or RESUME. */
  async start(lean) {
    const { gateway } = lean.fake;
    const before = gateway.sessionsBegun;
    const from = performance.now();
    const [program, parameters, environment] = await this.command(lean.fake);
    const begun = performance.now();
    this.child = spawn('taskset', ['-c', CORE, program, ...parameters],
      { env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', process.env.TALK ? 'inherit' : 'ignore'] });
    this.ended = new Promise(resolve => { this.child.on('exit', resolve); });
    while (gateway.sessionsBegun === before) {
      if (performance.now() - from > 60_000 || this.child.exitCode !== null) throw new Error(`${this.name} does not identify`);
      await new Promise(resolve => { setImmediate(resolve); });
    }
    const took = performance.now() - begun;
    await lean.fake.until('commands are registered', () => lean.fake.world.commands.length > 0);
    return took;
  }

  /** Bytes of memory that it holds. */
  async memory() {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) * 1024;
  }

  /** Milliseconds of processor time that it has taken. */
  processor() {
    return processor(this.child.pid);
  }

  /** Milliseconds that it takes. */
  async stop() {
    const from = performance.now();
    this.child.kill('SIGTERM');
    await this.ended;
    return performance.now() - from;
  }
}

export class Ours extends Bot {
  name = 'munchbot';
  answers = 'notify you';

  /** `more`: of its configuration. */
  constructor(more = {}) {
    super();
    this.more = more;
  }

  async command(fake) {
    this.setting ??= await Munchbot.make(fake, { rate: RATE, log: 'info', ...this.more });
    return [PROGRAM, ['run', '--config', this.setting.configuration], { MUNCHBOT_DISCORD_TOKEN: fake.token }];
  }

  /** Four people at each table, for no person is heard more than fifty times a second: the commands that they give by turns.
   * Each changes the table, and nothing is said of it but the answer. */
  async prepare(lean, people) {
    return Promise.all(people.map(async each => {
      const seats = [each, ...lean.people(SEATS - 1, each.channel)];
      await each.person.slash(each.channel, 'munch new', { players: SEATS, thread: 'off' }).answered;
      for (const { person, channel } of seats.slice(1)) await person.slash(channel, 'munch join').answered;
      await each.person.slash(each.channel, 'munch start').answered;
      const own = [];
      for (const what of ['all', 'none']) {
        for (const seat of seats) own.push(await lean.command(seat, 'munch my notify', { what }));
      }
      return own;
    }));
  }

  remove() {
    return this.setting.remove();
  }
}

export class Theirs extends Bot {
  name = 'discord.js';

  constructor(words) {
    super();
    this.words = words;
    this.answers = words;
  }

  async command(fake) {
    this.setting ??= await Munchbot.make(fake);
    fake.world.commands = [{ id: '1', name: 'go', type: 1, options: [] }];
    return [process.execPath, [RIVAL, path.join(this.setting.folder, 'rival.db')],
      { FAKE: fake.origin, TOKEN: fake.token, WORDS: this.words }];
  }

  prepare(lean, people) {
    return Promise.all(people.map(async each => [await lean.command(each, 'go', {})]));
  }

  remove() {
    return this.setting.remove();
  }
}

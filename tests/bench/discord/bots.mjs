// Both bots as processes on one core, and what of them is measured.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Munchbot } from '../../discord/play/munchbot.mjs';

const CORE = '0';
const TICK_MS = 10;
const RIVAL = fileURLToPath(new URL('../../../build/bench-discord/rival.mjs', import.meta.url));
const PROGRAM = process.env.MUNCHBOT ?? fileURLToPath(new URL('../../../build/release/munchbot', import.meta.url));
const RATE = 100; // commands a second of one person: as many as can be allowed

class Bot {
  /** Milliseconds from its start to its IDENTIFY. */
  async start(lean) {
    const { identifies } = lean.fake.gateway;
    const before = identifies.length;
    const from = performance.now();
    const [program, parameters, environment] = await this.command(lean.fake);
    const begun = performance.now();
    this.child = spawn('taskset', ['-c', CORE, program, ...parameters],
      { env: { ...process.env, ...environment }, stdio: ['ignore', 'ignore', process.env.TALK ? 'inherit' : 'ignore'] });
    this.ended = new Promise(resolve => { this.child.on('exit', resolve); });
    while (identifies.length === before) {
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
  async processor() {
    const words = (await readFile(`/proc/${this.child.pid}/stat`, 'utf8')).replace(/.*\) /, '').split(' ');
    return (Number(words[11]) + Number(words[12])) * TICK_MS;
  }

  async stop() {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}

export class Ours extends Bot {
  name = 'munchbot';
  answers = 'Noted: you ';

  async command(fake) {
    this.setting ??= await Munchbot.make(fake, { rate: RATE });
    return [PROGRAM, ['run', '--config', this.setting.configuration], { MUNCHBOT_DISCORD_TOKEN: fake.token }];
  }

  /** Everybody at a table of their own: the commands that each gives by turns. Each changes the table, and nothing is said of
   * it but the answer. */
  async prepare(lean, people) {
    return Promise.all(people.map(async each => {
      await each.person.slash(each.channel, 'munch new', { players: 3, thread: 'off' }).answered;
      for (let i = 0; i < 2; i++) await each.person.slash(each.channel, 'munch table add-bot').answered;
      await each.person.slash(each.channel, 'munch start').answered;
      const own = [];
      for (const order of ['ask always', 'pass until my turn']) own.push(await lean.command(each, 'munch my orders', { order }));
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

// One process of munchbot with many tables: its start, its pages, its loop, what its log costs, and its end.
// usage: taskset -c 1 node service.mjs [--tables 10000] [--commands 2000] [--turns 10]
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Ours, PROGRAM } from './bots.mjs';
import { Lean } from './lean.mjs';
import { median, missed, option, row } from '../rows.mjs';

const TABLES = option('tables', 10_000);
const COMMANDS = option('commands', 2000);
const TURNS = option('turns', 10);
const IN_FLIGHT = 64;
const SCRAPES = 50;
const STARTS = 10;
const PORT = 20_000 + process.pid % 10_000;
const MIB = 1024 * 1024;
const STORE = fileURLToPath(new URL('../../../build/release/tests/bench/bench_store', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const get = async page => {
  const answer = await fetch(`http://127.0.0.1:${PORT}/${page}`).catch(() => undefined);
  return { ready: answer?.status === 200, text: await answer?.text() ?? '' };
};
const metric = (text, name) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)[1]);

/** Milliseconds from its start to "ready". */
const ready = async (bot, lean) => {
  const from = performance.now();
  const started = bot.start(lean);
  while (!(await get('readyz')).ready) await pause(1);
  const took = performance.now() - from;
  await started;
  return took;
};

/** `munchbot play` at a terminal: milliseconds to its prompt. */
const prompt = async () => {
  const from = performance.now();
  const child = spawn('script', ['-qefc', `${PROGRAM} play --name=Ann --no-guide`, '/dev/null'], { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  let seen = '';
  for await (const data of child.stdout) {
    seen += data;
    if (seen.includes('> ')) break;
  }
  const took = performance.now() - from;
  child.kill('SIGKILL');
  return took;
};

const id = (first, number) => `${first}${String(number).padStart(17, '0')}`; // as tests/bench/people.h says

/** A command of somebody at a table. */
const at = (template, table, person = 0) => ({
  ...template, channel_id: id(1, table), channel: { ...template.channel, id: id(1, table) },
  member: { ...template.member, user: { ...template.member.user, id: id(2 + person, table) } },
});

/** As many as are in flight, each with commands of its own. */
const each = make => Array.from({ length: IN_FLIGHT }, (_, i) => make(i));

/** The channels and people of the tables in play; of the others nobody is heard but by looking. */
const furnish = ({ fake: { world }, guild }) => {
  for (let table = 0; table < IN_FLIGHT; table++) {
    world.channels.set(id(1, table), world.addChannel(guild, `t${table}`, { id: id(1, table) }));
    for (let person = 2; person < 6; person++) {
      const user = world.addUser(`P${person}T${table}`, { id: id(person, table) });
      world.users.set(user.id, user);
      world.addMember(guild, user);
    }
  }
};

/** Cards and hands go out, fifty a second at most. */
const quiet = async lean => {
  for (let before = -1; before !== lean.requests;) {
    before = lean.requests;
    await pause(2000);
  }
};

const scrapes = async bot => {
  const took = [];
  await pause(1000);
  const before = await bot.processor();
  for (let i = 0; i < SCRAPES; i++) {
    const from = performance.now();
    await get('metrics');
    took.push(performance.now() - from);
  }
  row(`/metrics with ${TABLES} tables, the slowest of ${SCRAPES}`, Math.max(...took), 'ms', { most: 20 });
  row('  processor time of one', (await bot.processor() - before) / SCRAPES, 'ms of a processor');
};

/** By turns at two levels, in one process: which share of a command's processor time goes into the log. */
const logs = async (bot, lean, commands) => {
  const spent = { debug: [], info: [], error: [] };
  const text = await readFile(bot.setting.configuration, 'utf8');
  for (let i = 0; i < TURNS; i++) {
    for (const level of Object.keys(spent)) {
      await writeFile(bot.setting.configuration, text.replace(/^log = .*$/m, `log = ${level}`));
      bot.child.kill('SIGHUP');
      await pause(100);
      const before = await bot.processor();
      await lean.full(commands, COMMANDS);
      spent[level].push((await bot.processor() - before) / COMMANDS);
    }
  }
  const part = level => median(spent[level].map((ms, i) => (ms - spent.error[i]) / ms * 100));
  row('log at level info, of a command\'s processor time', part('info'), '%', { most: 5 });
  row('  at level debug', part('debug'), '%');
};

const run = async (bot, lean) => {
  const first = [];
  for (let i = 0; i < STARTS; i++) first.push(await prompt());
  row('start of "munchbot play" to its prompt', median(first), 'ms');

  furnish(lean);
  await promisify(execFile)(STORE, ['make', path.join(bot.more.folder, 'many.db'), String(TABLES)], { cwd: ROOT });
  row(`start to "ready", ${TABLES} tables stored`, await ready(bot, lean), 'ms', { most: 2000 });
  await pause(2000);
  const [one] = lean.people(1);
  const look = await lean.command(one, 'munch look score');
  const orders = [];
  for (const notify of ['all', 'none']) orders.push(await lean.command(one, 'munch my notify', { what: notify }));

  let before = await bot.processor();
  const looks = each(i => Array.from({ length: Math.ceil(TABLES / IN_FLIGHT) }, (_, n) => at(look, (n * IN_FLIGHT + i) % TABLES)));
  row(`each of ${TABLES} tables fetched and answered`, await lean.full(looks, TABLES), '/s');
  row('  processor time of one', (await bot.processor() - before) / TABLES, 'ms of a processor');
  const durable = each(i => orders.flatMap(order => [0, 1, 2, 3].map(person => at(order, i, person))));
  await lean.full(durable, 8 * IN_FLIGHT);
  await quiet(lean);
  lean.wanted = bot.answers;
  before = await bot.processor();
  row(`durable commands, ${IN_FLIGHT} in flight, ${TABLES} tables stored`, await lean.full(durable, COMMANDS), '/s');
  row('  processor time of one', (await bot.processor() - before) / COMMANDS, 'ms of a processor');
  row('memory after these commands', await bot.memory() / MIB, 'MiB');
  await scrapes(bot);
  await logs(bot, lean, durable);
  const { text } = await get('metrics');
  const turns = metric(text, 'munchbot_loop_held_seconds_count');
  const short = metric(text, 'munchbot_loop_held_seconds_bucket{le="0.005"}');
  row(`the loop held, the longest of ${turns} turns`, metric(text, 'munchbot_loop_held_max_seconds') * 1000, 'ms', { most: 5 });
  row('  turns longer than 5 ms', turns - short, '');

  if (lean.others.length > 0) throw new Error(`${lean.others.length} were answered otherwise: ${lean.others[0]}`);
  const busy = lean.full(durable, IN_FLIGHT);
  row(`SIGTERM to exit, ${IN_FLIGHT} commands in flight`, await bot.stop(), 'ms', { most: 10_000 });
  await busy;
  row(`restart to "ready", ${TABLES} tables stored`, await ready(bot, lean), 'ms', { most: 2000 });
};

const folder = await mkdtemp(path.join(tmpdir(), 'bench-'));
const lean = await Lean.start();
const bot = new Ours({ folder, store: `sqlite:${path.join(folder, 'many.db')}`, more: ['[http]', `listen = 127.0.0.1:${PORT}`] });
try {
  await run(bot, lean);
} finally {
  await bot.stop();
  await lean.stop();
  await bot.remove();
  await rm(folder, { recursive: true });
}
process.exit(missed > 0 ? 1 : 0);

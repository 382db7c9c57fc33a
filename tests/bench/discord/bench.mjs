// munchbot beside a bot made of discord.js and better-sqlite3, each on one core: durable commands a second with 64 in flight,
// the slowest of a hundred at half of the slower bot's rate, memory, and time from start to IDENTIFY. Medians of several runs.
// usage: taskset -c 1 node bench.mjs [--runs 5] [--commands 5000] [--memory 50000] [--games 60]
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Ours, Theirs } from './bots.mjs';
import { Lean } from './lean.mjs';
import { playsFor } from './games.mjs';
import { median, missed, option, row, share } from '../rows.mjs';

const RUNS = option('runs', 5);
const COMMANDS = option('commands', 5000);
const MEMORY = option('memory', 50_000);
const GAME_S = option('games', 60);
const STARTS = 5;
const IN_FLIGHT = 64;
const WARM = 500;
const LONG = 50_000; // the other's memory has grown by then
const MIB = 1024 * 1024;

/** So many a second, whether answered or not: milliseconds until the answer of each. */
const paced = async (lean, commands, rate, count) => {
  const waits = [];
  const given = [];
  const from = performance.now();
  for (let i = 0; i < count;) {
    const due = Math.min(count, Math.floor((performance.now() - from) / 1000 * rate));
    for (; i < due; i++) {
      const at = performance.now();
      const own = commands[i % commands.length];
      given.push(lean.give(own[Math.floor(i / commands.length) % own.length]).then(() => { waits.push(performance.now() - at); }));
    }
    await new Promise(resolve => { setImmediate(resolve); });
  }
  await Promise.all(given);
  return share(waits, 0.99);
};

const withBot = async (bot, use) => {
  const lean = await Lean.start();
  try {
    await bot.start(lean);
    await pause(2000); // it is told of its servers
    const commands = await bot.prepare(lean, lean.people(IN_FLIGHT));
    for (let before = -1; before !== lean.requests;) { // cards and hands go out, fifty a second at most
      before = lean.requests;
      await pause(2000);
    }
    lean.wanted = bot.answers;
    await lean.full(commands, WARM);
    await use(lean, commands);
    if (lean.late + lean.lost > 0) console.log(`${bot.name}: ${lean.late} answered late, ${lean.lost} never`);
    if (lean.others.length > 0) throw new Error(`${lean.others.length} were answered otherwise: ${lean.others[0]}`);
  } finally {
    await bot.stop();
    await lean.stop();
    await bot.remove();
  }
};

const figures = { rate: {}, processor: {}, p99: {}, memory: {}, start: {} };
const note = (what, bot, value) => { (figures[what][bot.name] ??= []).push(value); };

const starts = async make => {
  const bot = make();
  const lean = await Lean.start();
  for (let i = 0; i <= STARTS; i++) {
    const ms = await bot.start(lean);
    if (i > 0) note('start', bot, ms); // the first reads the program from the disk
    await bot.stop();
  }
  await bot.remove();
  await lean.stop();
};

const BOTS = [() => new Ours(), () => new Theirs('You heard it here first.')];
const sizes = {};
for (const make of BOTS) await starts(make);
for (let run = 0; run < RUNS; run++) {
  for (const make of BOTS) {
    const bot = make();
    await withBot(bot, async (lean, commands) => {
      const [bytes, requests] = [lean.bytes, lean.requests];
      const before = await bot.processor();
      note('rate', bot, await lean.full(commands, COMMANDS));
      note('processor', bot, (await bot.processor() - before) / COMMANDS);
      sizes[bot.name] = [(lean.bytes - bytes) / COMMANDS, (lean.requests - requests) / COMMANDS];
    });
  }
}
const half = Math.min(...BOTS.map(make => median(figures.rate[make().name]))) / 2;
for (let run = 0; run < RUNS; run++) {
  for (const make of BOTS) {
    const bot = make();
    await withBot(bot, async (lean, commands) => {
      note('p99', bot, await paced(lean, commands, half, COMMANDS));
      if (run < RUNS - 1) return;
      await lean.full(commands, Math.max(MEMORY - WARM - COMMANDS, 0));
      note('memory', bot, await bot.memory() / MIB);
    });
  }
}

const [ours, theirs] = BOTS.map(make => make().name);
for (const name of [ours, theirs]) {
  console.log(`${name}: a callback of ${sizes[name][0].toFixed(0)} bytes, ${sizes[name][1].toFixed(2)} requests a command`);
}
const compare = (what, unit, key, bound, worth = (a, b) => b / a) => {
  const [a, b] = [ours, theirs].map(name => median(figures[key][name]));
  row(`Discord: ${what}`, a, unit);
  row('  the same, discord.js', b, unit);
  row('  munchbot is as much better', worth(a, b), 'times', { least: bound });
};
compare('durable commands, 64 in flight', '/s', 'rate', 3, (a, b) => a / b);
compare('a command', 'ms of a processor', 'processor', 3);
compare(`p99 at ${half.toFixed(0)} commands a second`, 'ms', 'p99', 3);
compare(`memory after ${MEMORY} commands`, 'MiB', 'memory', MEMORY < LONG ? undefined : 5);
compare('start to IDENTIFY', 'ms', 'start', 6);
if (GAME_S > 0) await playsFor(GAME_S);
process.exit(missed > 0 ? 1 : 0);

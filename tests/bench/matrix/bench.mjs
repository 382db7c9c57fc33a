// munchbot at the fake homeserver: durable commands at many tables where nothing is limited, and at one table of an account
// with Synapse's default limits.
// usage: node bench.mjs [--tables 16] [--commands 2000] [--limited 20] [--rooms 1000]
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Homeserver } from '../../matrix/fake/homeserver.mjs';
import { Munchbot } from '../../matrix/play/munchbot.mjs';
import { missed, option, processor, row, share } from '../rows.mjs';

const TABLES = option('tables', 16);
const COMMANDS = option('commands', 2000);
const LIMITED = option('limited', 20);
const ROOMS = option('rooms', 1000);
const MEMBERS = 50;
const SEATS = 3;
const MS = 120_000;
const LINES = ['notify all', 'notify none'];

/** A person says a line: milliseconds until the bot answers them, there or in the room of their hand. */
const ask = async (server, person, room, line) => {
  const from = performance.now();
  const asked = person.say(room, `!munch ${line}`);
  const fits = event => event.position > asked.position && event.sender === server.bot.id && event.type === 'm.room.message';
  for (;;) {
    for (const each of [room, person.hand]) if (each?.events.slice(-8).some(fits)) return performance.now() - from;
    if (performance.now() - from > MS) throw new Error(`nobody answers ${line}`);
    await new Promise(resolve => { setTimeout(resolve, 1); });
  }
};

/** A table at which a game goes on. */
const table = async (server, number) => {
  const people = Array.from({ length: SEATS }, (_, i) => server.person(`p${number}x${i}`));
  const room = people[0].room(`Room ${number}`, { people: people.slice(1) });
  await server.until('the bot comes in', () => room.membership(server.bot.id) === 'join', MS);
  await people[0].hears(room, /is open/, { behind: people[0].say(room, `!munch new players=${SEATS} turn=30d decision=30d ask=30d`), ms: MS });
  for (const person of people.slice(1)) await person.hears(room, 'sits down', { behind: person.say(room, '!munch join'), ms: MS });
  people[0].say(room, '!munch start');
  await server.until('hands', () => {
    for (const person of people) {
      person.joinAll();
      person.hand ??= person.handRoom;
    }
    return people.every(person => person.hand?.events.some(event => /Your hand/.test(event.content.body ?? '')));
  }, MS);
  return { people, room };
};

const withBot = async (limited, use) => {
  const server = await Homeserver.start();
  server.limits.on = limited;
  const bot = await Munchbot.make(server, { log: 'info', matrix: ['invites_per_person = 1000', 'invites_per_day = 10000'] });
  try {
    await use(server, bot);
    server.assertClean();
  } finally {
    if (bot.runs) await bot.stop();
    await bot.remove();
    await server.stop();
  }
};

await withBot(false, async (server, bot) => {
  await bot.start();
  const tables = await Promise.all(Array.from({ length: TABLES }, (_, i) => table(server, i)));
  await pause(2000);
  const waits = [];
  let left = COMMANDS;
  const [before, calls, from] = [await processor(bot.pid), server.log.length, performance.now()];
  await Promise.all(tables.map(async ({ people, room }) => {
    for (let i = 0; left-- > 0; i++) {
      waits.push(await ask(server, people[i % SEATS], room, LINES[Math.floor(i / SEATS) % LINES.length]));
    }
  }));
  const s = (performance.now() - from) / 1000;
  row(`Matrix: durable commands, ${TABLES} in flight`, COMMANDS / s, '/s');
  row('  processor time of one', (await processor(bot.pid) - before) / COMMANDS, 'ms of a processor');
  row('  requests for one, syncs among them', (server.log.length - calls) / COMMANDS, '');
  row('  median until it is answered', share(waits, 0.5), 'ms');
  row('  p99', share(waits, 0.99), 'ms');
});

await withBot(true, async (server, bot) => {
  await bot.start();
  const { people, room } = await table(server, 0);
  const waits = [];
  const [sent, from] = [server.calls('send').length, performance.now()];
  for (let i = 0; i < LIMITED; i++) waits.push(await ask(server, people[i % SEATS], room, LINES[Math.floor(i / SEATS) % LINES.length]));
  row('Matrix, Synapse\'s default limits: commands a minute', LIMITED / (performance.now() - from) * 60_000, '/min');
  row('  events for one', (server.calls('send').length - sent) / LIMITED, '');
  row('  median until it is answered', share(waits, 0.5) / 1000, 's');
});

await withBot(false, async (server, bot) => {
  const ada = server.person('ada');
  const members = Array.from({ length: MEMBERS }, (_, i) => `@m${i}:hs`);
  for (let i = 0; i < ROOMS; i++) {
    const room = ada.room(`Room ${i}`, { bot: false });
    for (const id of [...members, server.bot.id]) room.force(id, 'm.room.member', id, { membership: 'join', displayname: `Member ${id}` });
  }
  await bot.start(MS);
  await bot.stop();
  row(`Matrix: the loop held, a first sync of ${ROOMS} rooms of ${MEMBERS}`, Number(/ held_ms=(\d+)/.exec(bot.log)[1]), 'ms', { most: 5 });
});
process.exit(missed > 0 ? 1 : 0);

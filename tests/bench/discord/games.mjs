// Whole games of people who type, for so many seconds: what the program does then, cards and hands and all.
import { performance } from 'node:perf_hooks';
import { move, wins } from '../../discord/play/game.mjs';
import { Player, chance } from '../../discord/play/players.mjs';
import { Ours } from './bots.mjs';
import { Lean } from './lean.mjs';
import { row } from '../rows.mjs';

const TABLES = 8;
const PEOPLE = 3;

const table = async (lean, number, until) => {
  const people = Array.from({ length: PEOPLE }, (_, i) => lean.fake.person(`T${number}P${i}`));
  for (const person of people) lean.fake.world.addMember(lean.guild, person.user);
  const channel = lean.fake.channel(lean.guild, `game${number}`);
  const random = chance(number + 1);
  const players = people.map(person => new Player(person, channel, random));
  await players[0].slash('munch new', { players: String(PEOPLE), answer: '5s', window: '5s' });
  for (const player of players.slice(1)) await player.say('join');
  await players[0].say('start');
  while (performance.now() < until && !wins(channel)) await move({ channel }, players, random);
  return players.reduce((sum, player) => sum + player.said, 0);
};

export const playsFor = async seconds => {
  const bot = new Ours();
  const lean = await Lean.start();
  await bot.start(lean);
  const from = performance.now();
  const played = await Promise.all(Array.from({ length: TABLES }, (_, i) => table(lean, i, from + seconds * 1000)));
  const said = played.reduce((sum, each) => sum + each, 0);
  row(`Discord: lines of whole games, ${TABLES} tables, ${seconds} s`, said / seconds, '/s');
  row('Discord: requests for a line of a game', lean.requests / said, '');
  row('Discord: memory after these games', await bot.memory() / 1024 / 1024, 'MiB');
  await bot.stop();
  await lean.stop();
  await bot.remove();
};

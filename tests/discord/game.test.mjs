// Whole games of munchbot over the fake: people who do nothing but type slash commands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeDiscord } from './fake/discord.mjs';
import { textOf } from './fake/world.mjs';
import { Munchbot } from './play/munchbot.mjs';
import { Player, awaited, chance } from './play/players.mjs';

const NAMES = ['Ada', 'Bob', 'Cem', 'Dee'];
const ROUNDS_MAX = 5000;

const setUp = async () => {
  const fake = await FakeDiscord.start();
  fake.limits.on = false; // people who answer within milliseconds
  const people = NAMES.map(name => fake.person(name));
  const guild = fake.guild('Game night', people);
  const channel = fake.channel(guild, 'munchkin');
  const bot = await Munchbot.make(fake, { rate: 100 });
  const random = chance(7);
  return { fake, bot, channel, random, players: people.map(person => new Player(person, channel, random)) };
};

const wins = (fake, channel) => [...channel.messages.values()].some(message => textOf(message).includes('has won'));

test('four people play from lobby to victory by slash commands alone, killed on the way', { timeout: 900_000 }, async () => {
  const { fake, bot, channel, random, players } = await setUp();
  try {
    await bot.start();
    await players[0].slash('munch new', { players: 4, answer: '5s', window: '5s' });
    for (const player of players.slice(1)) await player.say('join');
    await players[0].say('start');
    let kills = 0;
    for (let round = 0; round < ROUNDS_MAX && !wins(fake, channel); round++) {
      const { who, likely } = awaited(players, channel);
      let done = 0;
      for (const player of who) {
        const line = random() < 0.75 ? likely : undefined;
        if (line !== undefined) await player.say(line);
        done += (line ?? await player.act() ?? 'pass') !== 'pass' ? 1 : 0;
      }
      if (done === 0) await new Promise(resolve => { setTimeout(resolve, 100); }); // a moment that all wait out
      if (round % 25 === 24 && kills < 3) {
        kills++;
        await bot.kill();
        await bot.start();
      }
    }
    assert.ok(wins(fake, channel), 'somebody has won');
    fake.assertClean();
    assert.deepEqual(await bot.stop(), { code: 0, signal: null });
  } finally {
    await bot.remove();
    await fake.stop();
  }
});

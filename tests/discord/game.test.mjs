// Whole games of munchbot over the fake: people who do nothing but type slash commands.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeDiscord } from './fake/discord.mjs';
import { move, roundOf, wins } from './play/game.mjs';
import { Munchbot } from './play/munchbot.mjs';
import { Player, Presser, awaited, chance } from './play/players.mjs';

const NAMES = ['Ada', 'Bob', 'Cem', 'Dee'];
// The cards are the same each time, but not the moment at which somebody looks: here games are broken off after a while,
// and played to the end by tests/slow/discord.
const WHOLE = process.env.MUNCHBOT_GAMES === 'whole';
const MS = WHOLE ? 1_200_000 : 75_000;
const KILLS = 3;

const PRESS_MS = WHOLE ? MS : 25_000;

const setUp = async (Kind = Player) => {
  const fake = await FakeDiscord.start();
  fake.limits.on = false; // people who answer within milliseconds
  const people = NAMES.map(name => fake.person(name));
  const guild = fake.guild('Game night', people);
  const channel = fake.channel(guild, 'munchkin');
  const bot = await Munchbot.make(fake, { rate: 100 });
  const random = chance(7);
  return { fake, bot, channel, random, players: people.map(person => new Kind(person, channel, random)) };
};

test('four people play by slash commands alone, and the bot is killed on the way', { timeout: MS + 120_000 }, async () => {
  const { fake, bot, channel, random, players } = await setUp();
  try {
    await bot.start();
    await players[0].slash('munch new', { players: 4, answer: '5s', window: '5s' });
    for (const player of players.slice(1)) await player.say('join');
    await players[0].say('start');
    const end = Date.now() + MS;
    let kills = 0;
    const goesOn = () => Date.now() < end || kills < KILLS || roundOf(channel) < 2; // however slow the machine is
    for (let turn = 1; goesOn() && !wins(channel); turn++) {
      await move(channel, players, random);
      if (turn % 25 === 0 && kills < KILLS) {
        kills++;
        await bot.kill();
        await bot.start();
      }
    }
    if (WHOLE) assert.ok(wins(channel), 'somebody has won');
    assert.ok(kills === KILLS || wins(channel));
    fake.assertClean();
    assert.deepEqual(await bot.stop(), { code: 0, signal: null });
  } finally {
    await bot.remove();
    await fake.stop();
  }
});

test('four people play by presses alone', { timeout: PRESS_MS + 120_000 }, async () => {
  const { fake, bot, channel, random, players } = await setUp(Presser);
  try {
    await bot.start();
    await players[0].slash('munch new', { players: 4, preset: 'quick', answer: '5s', window: '5s' }); // there is nothing to press before
    for (const player of players.slice(1)) await player.pressCard('Sit down');
    await players[0].pressCard('Start');
    const end = Date.now() + PRESS_MS;
    const goesOn = () => Date.now() < end || roundOf(channel) < 2;
    while (goesOn() && !wins(channel)) {
      let done = 0;
      for (const player of awaited(players, channel).who) done += (await player.act() ?? 'Pass') !== 'Pass' ? 1 : 0;
      if (done === 0 || random() < 0.05) await new Promise(resolve => { setTimeout(resolve, 100); });
    }
    if (WHOLE) assert.ok(wins(channel), 'somebody has won');
    assert.ok(roundOf(channel) >= 2 || wins(channel));
    fake.assertClean();
    assert.deepEqual(await bot.stop(), { code: 0, signal: null });
  } finally {
    await bot.remove();
    await fake.stop();
  }
});

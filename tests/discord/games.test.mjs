// Whole games of four, from lobby to victory, in every way in which people play; tests/slow/discord plays more of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KIND } from './fake/interactions.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { game, roundOf } from './play/game.mjs';
import { Player, cardOf, chance } from './play/players.mjs';
import { Hander, Presser } from './play/pressers.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 400_000 };
const KILLS = 3;
// tests/slow/discord plays other cards and editions besides: "SETS DEAL" of each.
const MORE = (process.env.MUNCHBOT_GAMES ?? '').split(';').filter(Boolean).map(each => each.split(' '));
const said = (channel, pattern) => [...channel.messages.values()].some(message => pattern.test(textOf(message)));
const directs = person => (person.dm ? [...person.dm.messages.values()] : []);

// What everybody holds when the cards are dealt, without what says where the table is.
const dealt = async deal => {
  let hands;
  await Stage.run({ bot: { deal } }, async ({ players }) => {
    await players[0].slash('munch new', { players: 3, sets: 'classic' });
    for (const player of players.slice(1)) await player.say('join');
    await players[0].say('start');
    hands = [];
    for (const player of players) hands.push((await player.say('hand')).replace(/\d{15,}/g, ''));
  });
  return hands.join('\n');
};

// What people have done there by presses since.
const presses = (stage, channel, since = 0) => [...stage.fake.interactions.byId.values()].slice(since)
  .filter(each => each.type === KIND.component && (!channel || each.channel === channel)).length;

const GAMES = {
  'by slash commands alone, killed on the way': [{ kinds: [Player] }, async ({ stage, channel, begin, until, victory }) => {
    await begin();
    for (let kills = 1; kills <= KILLS; kills++) {
      await until('a round', () => roundOf(channel) > kills);
      await stage.bot.kill();
      stage.killed = true; // what was answered is not known to be
      await stage.bot.start();
    }
    await victory();
    assert.equal(presses(stage), 0);
  }],
  'by private channels alone': [{ kinds: [Hander] }, async ({ stage, channel, begin, victory }) => {
    await begin();
    await stage.until('hands are dealt', () => stage.people.every(person => /Your hand/.test(person.reads())));
    const since = stage.fake.interactions.byId.size;
    await victory();
    assert.equal(presses(stage, channel, since), 0);
  }],
  'with all private channels closed': [{ kinds: [Presser], before: (fake, stage) => {
    for (const person of stage.people) person.user.dms = 'closed';
  } }, async ({ stage, begin, victory }) => {
    await begin();
    await victory();
    for (const person of stage.people) assert.equal(directs(person).length, 0);
  }],
  'by presses alone': [{ kinds: [Presser] }, async ({ begin, victory }) => {
    await begin({ preset: 'quick' });
    await victory();
  }],
  'with somebody who comes late': [{ kinds: [Player, Presser, Hander], names: ['Ada', 'Bob', 'Cem'] },
    async ({ stage, channel, players, until, begin, victory }) => {
      await begin({ players: 4 }, () => players[0].say('add-bot'));
      await until('a turn', () => roundOf(channel) >= 2);
      const late = new Presser(stage.join('Dee'), channel, chance(5));
      await late.say('join');
      players.push(late);
      late.rests = players[0].rests;
      await until('Dee has a seat', () => /Dee/.test(textOf(cardOf(channel))));
      await stage.until('a hand', () => directs(late.person).some(message => /Your hand/.test(textOf(message))));
      await victory();
    }],
  'with somebody who leaves in mid-fight': [{ kinds: [Hander, Player, Presser] },
    async ({ stage, channel, players, begin, until, victory }) => {
      await begin();
      const fights = () => players.find(player => new RegExp(`Fight: ${player.person.user.global_name}`).test(textOf(cardOf(channel))));
      await until('a fight', fights);
      const leaver = fights();
      const before = controlsOf(directs(leaver.person)[0]).filter(control => control.label);
      assert.ok(before.length > 0);
      await leaver.say('leave');
      assert.ok(said(channel, new RegExp(`${leaver.person.user.global_name} leaves|bot`)));
      // What lies there says farewell, whatever the bot player draws; the buttons that it had do nothing.
      await until('a farewell', () => controlsOf(directs(leaver.person)[0]).length === 0);
      for (const each of before) await leaver.person.forge(directs(leaver.person)[0], { custom_id: each.custom_id }).answered;
      const held = directs(leaver.person).map(textOf);
      assert.doesNotMatch(held[0], /Your hand|·/);
      assert.equal(controlsOf(directs(leaver.person)[0]).length, 0);
      await victory(players.filter(player => player !== leaver));
      assert.deepEqual(directs(leaver.person).map(textOf).slice(0, held.length), held);
    }],
  'with the gateway gone in a window': [{ kinds: [Player, Hander] }, async ({ stage, channel, begin, until, victory }) => {
    await begin();
    const times = () => stage.bot.log.split(/gateway-connected|gateway-resumed/).length;
    await until('a window', () => / or pass/.test(textOf(cardOf(channel))));
    const before = times();
    stage.gateway.closeAll(1012);
    await stage.until('the gateway is back', () => times() > before || stage.gateway.resumes > 0);
    await victory();
  }],
};

describe('games', { concurrency: 2 }, () => {
  test('are dealt by a number', OPTIONS, async () => {
    const [one, again, two] = await Promise.all([dealt(1), dealt(1), dealt(2)]);
    assert.match(one, /Your hand: \d/);
    assert.equal(one, again);
    assert.notEqual(one, two);
  });

  for (const [name, [options, use]] of Object.entries(GAMES)) {
    test(name, OPTIONS, game(options, use));
    for (const [sets, deal] of MORE) test(`${name}: ${sets}, ${deal}`, OPTIONS, game({ ...options, sets, deal: Number(deal) }, use));
  }
});

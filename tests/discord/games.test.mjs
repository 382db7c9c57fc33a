// Games in which something is otherwise: private channels alone, or none; people who come and go; a gateway that is gone.
// tests/slow/discord plays them to the end.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { textOf } from './fake/world.mjs';
import { isVersion2 } from './fake/people.mjs';
import { move, roundOf, wins } from './play/game.mjs';
import { chance } from './play/players.mjs';
import { Stage } from './play/stage.mjs';

const WHOLE = process.env.MUNCHBOT_GAMES === 'whole';
const ROUNDS = 2;
const OPTIONS = { timeout: WHOLE ? 1_300_000 : 400_000 };
const cardOf = channel => textOf([...channel.messages.values()].filter(isVersion2).at(-1) ?? {});
const said = (channel, pattern) => [...channel.messages.values()].some(message => pattern.test(textOf(message)));

// `on(turn)`: what happens besides; the game goes on for two rounds behind it, or to its victory.
const game = (people, use) => () => Stage.run({ people, limits: false,
  before: fake => { fake.limits.on = false; } }, async stage => {
  const { channel, players } = stage;
  const random = chance(11);
  const begin = async (seats, options = {}) => {
    await players[0].slash('munch new', { players: seats, sets: 'classic', answer: '5s', window: '5s', ...options });
    for (const player of players.slice(1, people.length)) await player.say('join');
  };
  const until = async (what, test, who = players) => {
    for (let turn = 0; !test() && !wins(channel); turn++) {
      assert.ok(turn < (WHOLE ? 40_000 : 2000), `${what} never comes`);
      await move(channel, who, random);
    }
  };
  const goOn = async (who = players) => {
    const round = roundOf(channel) + ROUNDS;
    await until(`round ${round}`, () => !WHOLE && roundOf(channel) >= round, who);
    if (WHOLE) assert.ok(wins(channel), 'somebody has won');
  };
  await use({ stage, channel, players, begin, until, goOn });
});

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

describe('games', { concurrency: 2 }, () => {
  test('are dealt by a number', OPTIONS, async () => {
    const [one, again, two] = await Promise.all([dealt(1), dealt(1), dealt(2)]);
    assert.match(one, /Your hand: \d/);
    assert.equal(one, again);
    assert.notEqual(one, two);
  });

  test('by private channels alone', OPTIONS, game(['Ada', 'Bob', 'Cem', 'Dee'], async ({ stage, players, channel, begin, goOn }) => {
    await begin(4);
    await players[0].say('start');
    await stage.until('hands are dealt', () => stage.people.every(person => person.dm &&
      [...person.dm.messages.values()].some(message => /Your hand/.test(textOf(message)))));
    for (const player of players) player.place = player.person.dm;
    const before = stage.fake.interactions.byId.size;
    await goOn();
    const here = [...stage.fake.interactions.byId.values()].slice(before).filter(each => each.channel === channel);
    assert.equal(here.length, 0);
  }));

  test('with all private channels closed', OPTIONS, game(['Ada', 'Bob', 'Cem', 'Dee'], async ({ stage, players, begin, goOn }) => {
    for (const person of stage.people) person.user.dms = 'closed';
    await begin(4);
    await players[0].say('start');
    await goOn();
    for (const person of stage.people) assert.equal(person.dm?.messages.size ?? 0, 0);
  }));

  test('with somebody who comes late', OPTIONS, game(['Ada', 'Bob', 'Cem'], async ({ stage, players, channel, begin, until, goOn }) => {
    await begin(4);
    await players[0].say('add-bot');
    await players[0].say('start');
    await until('a turn', () => roundOf(channel) >= 1);
    const dee = stage.join('Dee');
    const late = new players[0].constructor(dee, channel, chance(5));
    await late.say('join');
    const all = [...players, late];
    await until('Dee is seated', () => /Dee/.test(cardOf(channel)), all);
    await goOn(all);
    const hand = await late.say('hand');
    assert.match(hand, /Your hand|has won|over/);
  }));

  test('with somebody who leaves in mid-fight', OPTIONS, game(['Ada', 'Bob', 'Cem', 'Dee'],
    async ({ players, channel, begin, until, goOn }) => {
      await begin(4);
      await players[0].say('start');
      const fights = () => players.find(player => new RegExp(`Fight: ${player.person.user.global_name}`).test(cardOf(channel)));
      await until('a fight', fights);
      const leaver = fights();
      await leaver?.say('leave');
      const left = players.filter(player => player !== leaver);
      await goOn(left);
      assert.ok(said(channel, new RegExp(leaver?.person.user.global_name ?? 'has won')));
    }));

  test('with the gateway gone in a window', OPTIONS, game(['Ada', 'Bob', 'Cem', 'Dee'], async ({ stage, players, channel, begin, until, goOn }) => {
    await begin(4);
    await players[0].say('start');
    const connects = () => stage.bot.log.split('gateway-connected').length;
    await until('a window', () => /not passed/.test(cardOf(channel)));
    const before = connects();
    stage.gateway.closeAll(1012);
    await stage.until('the gateway is back', () => connects() > before || /resumed/.test(stage.bot.log));
    await pause(500);
    await goOn();
  }));
});

// Hands in private channels: what a lock screen shows, where the table is, and people who cannot be written to.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isEphemeral, isVersion2 } from './fake/people.mjs';
import { textOf } from './fake/world.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 150_000 };
const run = (use, before) => () => Stage.run({ before }, use);
const begin = async stage => {
  const [ada, ...others] = stage.players;
  await ada.slash('munch new', { players: 3, sets: 'classic' });
  for (const player of others) await player.say('join');
  await ada.say('start');
};
const directs = person => (person.dm ? [...person.dm.messages.values()] : []);

describe('hands', { concurrency: 4 }, () => {
  test('the first message of a hand pushes a line without cards; its edits are silent and say where the table is', OPTIONS,
    run(async stage => {
      await begin(stage);
      await stage.until('hands are dealt', () => stage.people.every(person => directs(person).length > 0));
      const [ada] = stage.people;
      const [hand] = directs(ada);
      const [push] = ada.pushes;
      assert.equal(ada.pushes.length, 1);
      assert.match(push.text, new RegExp(`^Your hand[^]*<#${stage.channel.id}>`));
      assert.doesNotMatch(push.text, /\n|play/);
      assert.match(textOf(hand), /Your hand: \d+ cards/);
      await stage.players[0].say('done');
      await stage.until('the hand is edited', () => isVersion2(hand));
      assert.equal(hand.content, '');
      assert.match(textOf(hand), new RegExp(`The table is in <#${stage.channel.id}>`));
      assert.equal(ada.pushes.length, 1);
      assert.equal(directs(ada).filter(message => /Your hand/.test(textOf(message))).length, 1);
    }));

  for (const [dms, advice] of [['blocked', 'unblock me'], ['closed', 'allow direct messages']]) {
    test(`whose messages are ${dms} is told so alone, once, and not tried again`, OPTIONS, run(async stage => {
      const [, bob] = stage.people;
      bob.user.dms = dms;
      await begin(stage);
      const hints = () => stage.channel.ephemerals && [...stage.channel.ephemerals.values()]
        .filter(message => message.reader === bob.id && textOf(message).includes('cannot write to you'));
      await stage.until('a hint', () => hints().length > 0);
      assert.ok(textOf(hints()[0]).includes(advice));
      const tries = () => stage.fake.rest.log.filter(entry => entry.method === 'POST' && entry.status === 403).length;
      assert.equal(tries(), 1);
      await stage.players[1].say('done');
      const hand = await bob.slash(stage.channel, 'munch hand').answered;
      assert.ok(isEphemeral(hand.message) && /Your hand/.test(textOf(hand.message)));
      await stage.works();
      assert.equal(tries(), 1);
      assert.equal(hints().length, 1);
      for (const message of stage.channel.messages.values()) assert.doesNotMatch(textOf(message), /cannot write/);
    }));
  }
});

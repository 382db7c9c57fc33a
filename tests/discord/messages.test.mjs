// Messages as they lie in channels: cards that scroll away, who is called, how long they are.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isCard, isVersion2, tableOf } from './fake/people.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 150_000 };
const SILENT = 4096;
const run = use => () => Stage.run({ people: ['Ada', 'Bob', 'Cem', 'Eve'] }, use);
const cardsOf = stage => [...stage.channel.messages.values()].filter(isCard);

const chatter = (stage, count) => {
  for (let i = 0; i < count; i++) stage.people[3].write(stage.channel, `about the weather, part ${i}`);
};

describe('messages', { concurrency: 4 }, () => {
  test('a card that has scrolled far up is posted anew, silently, with a change, once a turn', OPTIONS, run(async stage => {
    const [ada, bob, cem] = stage.players;
    await ada.slash('munch new', { players: 6 });
    const [first] = await stage.until('a card', () => cardsOf(stage).length === 1 && cardsOf(stage));
    chatter(stage, 10);
    await bob.say('join');
    await stage.until('Bob is shown', () => textOf(cardsOf(stage)[0]).includes('Bob'));
    assert.equal(cardsOf(stage)[0], first); // only now it is known how far
    await stage.until('it is counted', () => stage.fake.rest.log.some(entry => entry.method === 'GET' &&
      entry.template === '/channels/{channel_id}/messages'));
    await cem.say('join');
    const card = await stage.until('another card alone', () => cardsOf(stage).length === 1 && cardsOf(stage)[0] !== first &&
      cardsOf(stage)[0]);
    assert.ok(textOf(card).includes('Cem'));
    assert.ok((card.flags & SILENT) !== 0);
    chatter(stage, 10);
    for (const name of ['Dot', 'Pim']) {
      await ada.say('add-bot');
      await stage.works();
      assert.deepEqual(cardsOf(stage), [card], name);
    }
    assert.deepEqual(stage.fake.world.pushes, []);
  }));

  // As a phone shows it: without marks, countdowns as they are read, long lines wrapped.
  const phone = card => tableOf(card).replace(/\\(.)/g, '$1').replace(/\*\*/g, '').replace(/<t:\d+:R>/g, 'in 3 minutes').split('\n')
    .reduce((sum, line) => sum + Math.ceil(line.length / 40), 0);

  for (const [bots, most] of [[1, 12], [3, 16]]) {
    test(`a card of ${3 + bots} fits a phone, and counts down by itself`, OPTIONS, run(async stage => {
      const [ada, bob, cem] = stage.players;
      await ada.slash('munch new', { players: 3 + bots, sets: 'classic' });
      for (const player of [bob, cem]) await player.say('join');
      for (let i = 0; i < bots; i++) await ada.say('add-bot');
      await ada.say('start');
      let counted = 0;
      let shown = 0;
      stage.fake.world.on('edit', message => {
        if (!isVersion2(message) || message.channel_id !== stage.channel.id || /seats taken/.test(textOf(message))) return;
        if (controlsOf(message).length === 0) return; // it keeps its story only
        shown = Math.max(shown, phone(message));
        counted += /<t:\d+:R>/.test(textOf(message)) ? 1 : 0;
        if (phone(message) > most) stage.tooLong = textOf(message);
      });
      for (let i = 0; i < 20; i++) for (const player of [ada, bob, cem]) await player.act();
      await stage.until('a card of the game', () => shown > 0);
      await stage.until('a card that counts down', () => counted > 0); // whoever is waited for now has a clock
      assert.equal(stage.tooLong, undefined);
    }));
  }
});

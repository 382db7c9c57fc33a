// Before a game: who sits, and what its host can change by presses.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CALLBACK } from './fake/interactions.mjs';
import { isCard, isEphemeral } from './fake/people.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 150_000 };
const run = use => () => Stage.run({}, use);
const cardOf = stage => [...stage.channel.messages.values()].filter(isCard).at(-1);
const labels = message => controlsOf(message).map(each => each.label ?? each.placeholder);
const open = async stage => {
  await stage.players[0].slash('munch new', { players: 4, sets: 'classic' });
  return stage.until('a card', () => cardOf(stage));
};

describe('the lobby', { concurrency: 4 }, () => {
  test('one row: to sit down, bot players, options, start, to get up', OPTIONS, run(async stage => {
    const card = await open(stage);
    assert.deepEqual(labels(card), ['Sit down', 'Add a bot player', 'Options', 'Start', 'Get up']);
  }));

  test('presses edit the card that is there: it stays the only one', OPTIONS, run(async stage => {
    const card = await open(stage);
    for (const [at, person] of [[2, stage.people[1]], [3, stage.people[2]]]) {
      await person.press(card, 'Sit down').answered;
      await stage.until('the card shows it', () => textOf(card).includes(`${at} of 4 seats`));
    }
    await stage.people[2].press(card, 'Get up').answered;
    await stage.works();
    assert.match(textOf(card), /2 of 4 seats/);
    assert.equal([...stage.channel.messages.values()].filter(isCard).length, 1);
  }));

  test('its host changes the options by menus or a form, and all are told; others see them', OPTIONS, run(async stage => {
    const [ada, bob, cem] = stage.people;
    const card = await open(stage);
    const page = (await ada.press(card, 'Options').answered).message;
    assert.ok(isEphemeral(page));
    assert.match(textOf(page), /Pace live: 3 minutes for a turn[^]*sets=classic players=4/);
    const pick = async (label, value) => {
      const [topics] = controlsOf(page);
      assert.ok(topics.options.every(option => option.description));
      const topic = topics.options.find(option => option.label === label);
      await ada.press(page, topics.custom_id, [topic.value]).answered;
      const [menu, back] = controlsOf(page);
      assert.equal(back.label, 'Back');
      for (const option of menu.options) assert.ok(option.description?.length > 5, `${label}: ${option.label}`);
      const picked = menu.options.find(option => option.label === value);
      assert.ok(picked, `${label}: ${menu.options.map(option => option.label)}`);
      const changed = await ada.press(page, menu.custom_id, [picked.value]).answered;
      assert.equal(changed.type, CALLBACK.update);
    };
    await pick('Players', '5');
    assert.match(textOf(page), /players=5/);
    await stage.until('the card shows it', () => textOf(cardOf(stage)).includes('1 of 5 seats'));
    await pick('Card sets', 'classic,super');
    await pick('House rules in one word', 'quick');
    await pick('Time for a turn', '10m');
    await pick('Quiet hours', '22-8');
    await pick('Time zone', '+2');
    await pick('Single rules', 'promise_hand=off');
    await stage.until('the card shows all', () => /Classic and Super[^]*Hand cards cannot be promised[^]*helper in the winning fight wins too[^]*10 minutes for a turn[^]*22:00 to 8:00 \(UTC\+2\)/
      .test(textOf(cardOf(stage)).replace(/\\(.)/g, '$1')));
    await pick('House rules in one word', 'sheet');
    await stage.until('the way back', () => !/promised|wins too/.test(textOf(cardOf(stage))));
    await pick('Time for a turn', 'usual');
    await pick('Quiet hours', 'off');
    await stage.until('all is usual', () => /3 minutes for a turn/.test(textOf(cardOf(stage))) && !/Quiet/.test(textOf(cardOf(stage))));
    await pick('Card sets', 'classic');
    const [topics] = controlsOf(page); // and back without a change
    await ada.press(page, topics.custom_id, [topics.options[0].value]).answered;
    await ada.press(page, 'Back').answered;
    assert.ok(labels(page).includes('Type options'));

    const asked = ada.press(page, 'Type options');
    assert.equal((await asked.answered).type, CALLBACK.modal);
    await ada.submit(asked, { line: 'players=3 pace=slow' }).answered;
    await stage.until('the card shows that', () => textOf(cardOf(stage)).includes('1 of 3 seats'));
    await stage.until('all are told', () => [...stage.channel.messages.values()]
      .some(message => /Ada has changed the table: .*players=3 pace=slow/.test(textOf(message))));

    await bob.press(cardOf(stage), 'Sit down').answered;
    const shown = (await bob.press(cardOf(stage), 'Options').answered).message;
    assert.match(textOf(shown), /players=3 pace=slow[^]*host/);
    assert.deepEqual(labels(shown), []);
    const outside = (await cem.press(cardOf(stage), 'Options').answered).message;
    assert.ok(labels(outside).includes('Sit down'));
  }));

  test('options are completed, and sets are named with a comma and a blank', OPTIONS, run(async stage => {
    const [ada] = stage.people;
    const offers = async (option, typed, more = {}) =>
      (await ada.offers(stage.channel, 'munch new', { ...more, [option]: typed }, option)).map(offer => offer.value);
    assert.deepEqual(await offers('sets', 'c'), ['classic', 'conan']);
    assert.deepEqual(await offers('sets', 'classic, su'), ['classic, super']);
    assert.ok((await offers('flag', '')).includes('promise_hand=off'));
    assert.deepEqual(await offers('flag', 'listen,shared=', { sets: 'classic' }), ['listen,shared=off']);
    assert.deepEqual(await offers('variant', ''), ['epic', 'listen', 'shared']);
    assert.ok((await offers('turn', '')).includes('5m'));
    assert.ok((await offers('quiet', '2')).includes('22-8'));
    assert.ok((await offers('zone', '+')).includes('+2'));
    await stage.players[0].slash('munch new', { sets: 'classic, super' });
    await stage.until('both', () => /A table for Classic and Super/.test(textOf(cardOf(stage) ?? {})));
  }));

  test('before the deal one\'s hand says who one plays with, and what happens next', OPTIONS, run(async stage => {
    const [ada, bob] = stage.people;
    await open(stage);
    await stage.players[1].say('join');
    const hand = person => textOf([...person.dm?.messages.values() ?? []].at(-1) ?? {});
    await stage.until('Bob is told', () => /You play with Ada\.[^]*When Ada, the host, starts/.test(hand(bob)));
    await stage.until('Ada is told', () => /You play with Bob\.[^]*You are the host/.test(hand(ada)));
    await stage.players[0].say('add-bot');
    await stage.until('and of the bot player', () => /You play with Ada and Mildred/.test(hand(bob)));
  }));
});

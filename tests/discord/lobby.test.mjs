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

  test('its host changes the options by a menu or a form, and all are told; others see them', OPTIONS, run(async stage => {
    const [ada, bob, cem] = stage.people;
    const card = await open(stage);
    const page = (await ada.press(card, 'Options').answered).message;
    assert.ok(isEphemeral(page));
    assert.match(textOf(page), /sets=classic players=4/);
    const [menu] = controlsOf(page);
    const five = menu.options.find(option => option.label === 'players=5');
    const changed = await ada.press(page, menu.custom_id, [five.value]).answered;
    assert.equal(changed.type, CALLBACK.update);
    assert.match(textOf(page), /players=5/);
    assert.ok(!controlsOf(page)[0].options.some(option => option.label === 'players=5'));
    await stage.until('the card shows it', () => textOf(cardOf(stage)).includes('1 of 5 seats'));

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
});

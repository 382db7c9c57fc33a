// Which message answers what: reference 4.6, line by line.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CALLBACK } from './fake/interactions.mjs';
import { isCard, isEphemeral } from './fake/people.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 150_000 };
const run = use => () => Stage.run({ people: ['Ada', 'Bob', 'Cem', 'Eve'] }, use);
const cardOf = stage => [...stage.channel.messages.values()].filter(isCard).at(-1);

// A game of three; Eve looks on.
const begin = stage => stage.deal();
const handOf = person => person.dm && person.latest(person.dm, message => textOf(message).includes('Your hand'));
const optionOf = (message, verb) => controlsOf(message)[0]?.options.find(option => option.label.startsWith(verb));

// Whoever can play a card from the hand, and the option that does.
const playable = stage => stage.people.slice(0, 3).map(person => ({ person, hand: handOf(person) }))
  .map(({ person, hand }) => ({ person, hand, option: optionOf(hand, 'play') })).find(({ option }) => option);
const pick = (person, message, option) => person.press(message, controlsOf(message)[0].custom_id, [option.value]);

describe('answers', { concurrency: 4 }, () => {
  test('a refusal and a look are private', OPTIONS, run(async stage => {
    const [ada] = stage.people;
    const refused = await ada.slash(stage.channel, 'munch kick').answered;
    assert.equal(refused.type, CALLBACK.message);
    assert.ok(isEphemeral(refused.message));
    await begin(stage);
    const hand = await ada.slash(stage.channel, 'munch hand').answered;
    assert.ok(isEphemeral(hand.message));
  }));

  test('what the card tells where a command was given is answered by one word, and elsewhere by what it tells', OPTIONS,
    run(async stage => {
      const [ada] = stage.people;
      const opened = await ada.slash(stage.channel, 'munch new', { players: 3, sets: 'classic', thread: 'off' }).answered;
      assert.equal(opened.type, CALLBACK.message);
      assert.ok(isEphemeral(opened.message));
      assert.equal(textOf(opened.message), 'Done.');
      await stage.until('the card tells it', () => cardOf(stage) && /is open/.test(textOf(cardOf(stage))));
      for (const player of stage.players.slice(1, 3)) await player.say('join');
      await stage.players[0].say('start');
      await stage.until('hands are dealt', () => stage.people.slice(0, 3).every(handOf));
      const { person, option } = playable(stage);
      const said = await person.slash(person.dm, 'munch play', { card: option.label.replace(/^play /, '') }).answered;
      assert.ok(isEphemeral(said.message));
      const text = textOf(said.message).split('\n')[0];
      assert.doesNotMatch(text, /Done|nothing/);
      await stage.until('all read it', () => [...stage.channel.messages.values()].some(message => textOf(message).includes(text)));
    }));

  test('a press on the card is answered by the card, which tells it to all', OPTIONS, run(async stage => {
    const [ada] = stage.people;
    await ada.slash(stage.channel, 'munch new', { players: 3 }).answered;
    const card = await stage.until('a card', () => cardOf(stage));
    await stage.works();
    const before = stage.posts.length;
    const pressed = await ada.press(card, 'Add a bot player').answered;
    assert.equal(pressed.type, CALLBACK.update);
    assert.equal(pressed.message, card);
    assert.match(textOf(card), /2 of 3 seats/);
    await stage.works();
    assert.equal(stage.posts.length, before);
  }));

  test('a stale press on the card gets one private sentence with what can be pressed now', OPTIONS, run(async stage => {
    const [ada, bob] = stage.people;
    await ada.slash(stage.channel, 'munch new', { players: 4 }).answered;
    const card = await stage.until('a card', () => cardOf(stage));
    const old = structuredClone(card);
    await bob.press(card, 'Sit down').answered;
    const stale = await stage.people[2].press(old, 'Sit down').answered;
    assert.ok(isEphemeral(stale.message));
    assert.equal(textOf(stale.message).split('\n').length, 1);
    const joined = await stage.people[2].press(stale.message, 'Sit down').answered;
    assert.equal(joined.type, CALLBACK.update); // the private copy becomes the card ...
    await stage.until('the card names Cem', () => textOf(cardOf(stage)).includes('Cem')); // ... and the card is edited too
    assert.ok(!isEphemeral(cardOf(stage)));
  }));

  test('a press on a hand is answered by that hand, accepted, stale or refused', OPTIONS, run(async stage => {
    await begin(stage);
    const { person, hand, option } = playable(stage);
    const old = structuredClone(hand);
    const messages = person.dm.messages.size;
    const accepted = await pick(person, hand, option).answered;
    assert.equal(accepted.type, CALLBACK.update);
    assert.equal(accepted.message, hand);
    const stale = await person.forge(hand, { component_type: 3, custom_id: controlsOf(old)[0].custom_id, values: [option.value] })
      .answered;
    assert.equal(stale.type, CALLBACK.update);
    assert.match(textOf(stale.message), /earlier moment[^]*hand/);
    assert.equal(person.dm.messages.size, messages);
  }));

  test('a press on a panel is answered by that panel, accepted or stale', OPTIONS, run(async stage => {
    await begin(stage);
    const [ada] = stage.people;
    const card = await stage.until('a card to act on', () => controlsOf(cardOf(stage)).some(each => each.label === 'Act') &&
      cardOf(stage));
    const [panel, other] = [(await ada.press(card, 'Act').answered).message, (await ada.press(card, 'Act').answered).message];
    const { custom_id } = controlsOf(panel).find(each => each.label === 'Done');
    const accepted = await ada.press(panel, 'Done').answered;
    assert.equal(accepted.type, CALLBACK.update);
    assert.equal(accepted.message, panel);
    assert.match(textOf(panel), /^You are ready/);
    const stale = await ada.forge(other, { custom_id }).answered;
    assert.equal(stale.type, CALLBACK.update);
    assert.equal(stale.message, other);
    assert.match(textOf(other), /^That button is from an earlier moment/);
    assert.ok(!controlsOf(other).some(each => each.label === 'Done'));
  }));

  // No client sends it; that every client is Discord's own nobody has promised.
  test('what belongs to a hand or a panel never makes a message anew that others read', OPTIONS, run(async stage => {
    await begin(stage);
    const [ada, bob, , eve] = stage.people;
    const card = await stage.until('a card to act on', () => controlsOf(cardOf(stage)).some(each => each.label === 'Act') &&
      cardOf(stage));
    const panel = (await ada.press(card, 'Act').answered).message;
    const offered = [...controlsOf(handOf(ada)), ...controlsOf(panel)];
    for (const person of [ada, bob, eve]) {
      for (const { custom_id, type, options } of offered) {
        const values = options && [options[0].value];
        const answer = await person.forge(card, { custom_id, component_type: type, ...(values ? { values } : {}) }).answered;
        assert.equal(answer.type, CALLBACK.message);
        assert.ok(isEphemeral(answer.message));
      }
    }
    assert.doesNotMatch([...stage.channel.messages.values()].map(textOf).join('\n'), /Your hand:|Hand: /);
  }));

  test('of two presses at once one is answered by the card, and the card shows both', OPTIONS, run(async stage => {
    const [ada, bob, cem] = stage.people;
    await ada.slash(stage.channel, 'munch new', { players: 4 }).answered;
    const card = await stage.until('a card', () => cardOf(stage));
    const presses = [bob.press(card, 'Sit down'), cem.press(card, 'Sit down')];
    await Promise.all(presses.map(press => press.answered));
    await stage.until('Bob sits', () => /Bob|Cem/.test(textOf(cardOf(stage))));
    await stage.works();
    const answers = presses.map(press => press.answers[0].type).sort();
    assert.deepEqual(answers.filter(type => type === CALLBACK.update).length, 1);
  }));

  // It was slow, and was killed then.
  test('what an earlier process has only acknowledged is told to all, not in that private place', OPTIONS, run(async stage => {
    const { interactions } = stage.fake;
    await stage.players[0].slash('munch new', { players: 3 });
    const joins = interactions.make(2, stage.people[1].user, stage.channel, { id: '1', name: 'munch', type: 1,
      options: [{ name: 'join', type: 1, options: [] }] });
    interactions.callback(joins.id, joins.token, { type: CALLBACK.deferMessage, data: { flags: 64 } });
    stage.gateway.dispatch('INTERACTION_CREATE', joins.payload, stage.guild.id);
    await stage.until('all are told', () => [...stage.channel.messages.values()].some(message => /Bob sits down/.test(textOf(message))));
    assert.equal([...stage.channel.messages.values()].filter(message => /Bob sits down/.test(textOf(message))).length, 1);
  }));

  test('what comes late is not carried out', OPTIONS, run(async stage => {
    const [ada] = stage.people;
    await ada.slash(stage.channel, 'munch new', { players: 4 }).answered;
    const card = await stage.until('a card', () => cardOf(stage));
    const late = stage.fake.interactions.make(3, stage.people[1].user, stage.channel,
      { custom_id: controlsOf(card)[0].custom_id, component_type: 2, id: 0 }, { message: card });
    late.payload.id = String(BigInt(late.id) - (5000n << 22n));
    stage.gateway.dispatch('INTERACTION_CREATE', late.payload, stage.guild.id);
    await stage.works();
    assert.doesNotMatch(textOf(cardOf(stage)), /Bob/);
    assert.equal(late.answers.length, 0);
  }));
});

// A lobby card and what is said by reacting to it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 300_000 };
const JOIN = '\u270b';
const START = '\u25b6\ufe0f';
const run = (options, use) => () => Stage.run(options, use);

const react = (stage, person, card, key) => stage.room.send(person.id, 'm.reaction', undefined,
  { 'm.relates_to': { rel_type: 'm.annotation', event_id: card.event_id, key } });
const own = stage => stage.room.events.filter(event => event.type === 'm.reaction' && event.sender === stage.server.bot.id);
const lobby = async stage => {
  await stage.comes();
  return stage.ada.hears(stage.room, 'seats taken', { behind: stage.ada.say(stage.room, '!munch new players=4 answer=5s window=5s') });
};
// How many seats are taken, as the card says.
const taken = (stage, count) => stage.until(`${count} seats`, () => stage.ada.reads(stage.room).some(text => text.includes(`${count} of 4 seats`)));

describe('reactions', { concurrency: 3 }, () => {
  test('signed out softly for longer than a few tries: the two are put under the card all the same', OPTIONS, run({}, async stage => {
    await stage.comes();
    const reaction = request => request.parts[1] === 'm.reaction';
    stage.server.faults.add({ call: 'send', if: reaction, times: 5, status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'out', soft_logout: true } });
    await lobby(stage);
    await stage.until('the bot has put two under it', () => own(stage).length === 2, 60_000);
    assert.equal(stage.server.calls('send').filter(reaction).length, 7);
  }));

  test('sit down, get up and begin by tapping; a restart in between', OPTIONS, run({}, async stage => {
    const [ada, bob, cem] = stage.people;
    const card = await lobby(stage);
    await stage.until('the bot has put two under it', () => own(stage).length === 2);
    assert.deepEqual(own(stage).map(event => event.content['m.relates_to']).map(each => [each.event_id, each.key]),
      [[card.event_id, JOIN], [card.event_id, START]]);
    react(stage, bob, card, JOIN);
    await taken(stage, 2);
    const second = react(stage, cem, card, `${JOIN}\u{1f3fd}`);
    await taken(stage, 3);
    stage.room.redact(cem.id, second.event_id);
    await taken(stage, 2);
    await stage.bot.kill();
    await stage.bot.start();
    react(stage, cem, card, JOIN);
    await taken(stage, 3);
    const begun = react(stage, ada, card, START);
    await ada.hears(stage.room, 'dealt', { behind: begun });
    for (const person of stage.people) await stage.hand(person);
    assert.equal(own(stage).length, 2);
  }));

  test('the message says what the two mean, until it begins; a paused game has none', OPTIONS, run({}, async stage => {
    await lobby(stage);
    const explains = text => text.includes(`tap ${JOIN} below`) && text.includes(`taps ${START}`);
    assert.ok(explains(stage.ada.reads(stage.room).at(-1)));
    for (const person of stage.people.slice(1)) {
      await person.hears(stage.room, `${person.name} sits down`, { behind: person.say(stage.room, '!munch join') });
    }
    await stage.ada.hears(stage.room, 'dealt', { behind: stage.ada.say(stage.room, '!munch start') });
    const open = text => explains(text) || /"!munch join" is open/.test(text);
    await stage.until('the card is closed', () => !stage.ada.reads(stage.room).some(open));
    await stage.ada.hears(stage.room, 'paused', { behind: stage.ada.say(stage.room, '!munch pause') });
    await stage.works();
    assert.equal(own(stage).length, 2);
  }));

  test('a card that a moderator removes comes anew, with its two', OPTIONS, run({}, async stage => {
    const [ada, bob] = stage.people;
    const card = await lobby(stage);
    await stage.until('the bot has put two under it', () => own(stage).length === 2);
    stage.room.redact(ada.id, card.event_id);
    const joined = bob.say(stage.room, '!munch join');
    const again = await ada.hears(stage.room, '2 of 4 seats', { behind: joined });
    assert.notEqual(again.event_id, card.event_id);
    await stage.until('two under the new one', () => own(stage).length === 4);
    react(stage, stage.people[2], again, JOIN);
    await taken(stage, 3);
  }));

  test('in a game nothing is said by it, and nobody else says it for you', OPTIONS, run({}, async stage => {
    const [ada, bob, cem] = stage.people;
    const card = await lobby(stage);
    const first = react(stage, bob, card, JOIN);
    await taken(stage, 2);
    const second = react(stage, cem, card, JOIN);
    await taken(stage, 3);
    stage.room.redact(ada.id, second.event_id); // who may, tidies up
    await stage.works();
    await ada.hears(stage.room, 'dealt', { behind: ada.say(stage.room, '!munch start') });
    for (const person of stage.people) await stage.hand(person);
    stage.room.redact(bob.id, first.event_id);
    await stage.works(bob.handRoom, bob);
    assert.ok(!ada.reads(stage.room).some(text => /Bob (leaves|gets up)|stands? in/.test(text)));
  }));
});

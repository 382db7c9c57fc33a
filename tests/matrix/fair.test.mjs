// What one account, room or table makes the bot say holds up nobody else: at the pace that Synapse has by default, five times as fast.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 300_000 };
const EVENT_MS = 1000;
const run = (options, use) => () => Stage.run(options, use);

const slow = stage => {
  stage.server.limits.rules = { message: { perSecond: 1000 / EVENT_MS, burst: 1 } };
  stage.server.limits.on = true;
};

// What the bot has sent between a line and what answers it, and when that came.
const answered = async (stage, person, room, line, words) => {
  const asked = person.say(room, line);
  const begin = Date.now();
  const answer = await person.hears(room, words, { behind: asked });
  const between = [...stage.server.rooms.values()].flatMap(each => each.events).filter(event =>
    event.sender === stage.server.bot.id && event.position > asked.position && event.position < answer.position && event.state_key === undefined);
  return { before: between.length, ms: Date.now() - begin };
};

// The account has used up what it may send at once.
const tire = async stage => {
  for (const person of stage.people) person.say(person.handRoom, 'hand');
  await stage.until('it was refused', () => stage.server.limits.refused > 0);
};

describe('fair', { concurrency: 3 }, () => {
  test('118 lines in a room of one\'s own do not hold up another room', OPTIONS, run({ people: ['ada', 'bob', 'eve', 'joe'] }, async stage => {
    await stage.comes();
    const eve = stage.people[2];
    const joe = stage.people[3];
    const own = eve.room('Own');
    const other = joe.room('Other');
    await stage.comes(own);
    await stage.comes(other);
    await joe.hears(other, 'deal');
    slow(stage);
    for (let i = 0; i < 59; i++) {
      eve.say(own, '!munch new');
      eve.say(own, '!munch end');
      eve.say(own, '!munch help');
    }
    await stage.until('it was refused', () => stage.server.limits.refused > 0);
    const told = await answered(stage, joe, other, '!munch help', /./);
    assert.ok(told.before <= 4, `${told.before} before it, ${told.ms} ms`);
  }));

  test('welcomes and lobbies elsewhere are no tables that share the account', OPTIONS, run({ people: ['ada', 'bob', 'cem', 'eve'] }, async stage => {
    const [eve] = stage.people.splice(3);
    await stage.game();
    const rooms = ['Own', 'Other', 'Third'].map(name => eve.room(name));
    for (const room of rooms) await stage.comes(room);
    slow(stage);
    await tire(stage);
    for (const room of rooms) eve.say(room, '!munch new');
    for (const room of rooms) await eve.hears(room, /is open/, { ms: 120_000 });
    await answered(stage, stage.ada, stage.ada.handRoom, 'card a', /./);
    assert.equal(stage.bot.count('event=crowded'), 0);
  }));

  test('45 invitations do not hold up a table at which a game goes on', OPTIONS, run({ people: ['ada', 'bob', 'cem', 'u1', 'u2', 'u3', 'u4', 'u5'] }, async stage => {
    const guests = stage.people.splice(3);
    await stage.game();
    slow(stage);
    await tire(stage);
    const undisturbed = [];
    for (let i = 0; i < 3; i++) undisturbed.push((await answered(stage, stage.ada, stage.ada.handRoom, `card ${'abc'[i]}`, /./)).before);
    for (let i = 0; i < 45; i++) guests[i % 5].room(`Room ${i}`);
    const disturbed = [];
    for (let i = 0; i < 5; i++) disturbed.push((await answered(stage, stage.ada, stage.ada.handRoom, `card ${'efghj'[i]}`, /./)).before);
    assert.ok(Math.max(...disturbed) <= Math.max(...undisturbed) + 2, `${undisturbed} undisturbed, ${disturbed}`);
  }));
});

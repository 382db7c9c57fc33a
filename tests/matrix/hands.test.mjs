// Rooms for hands: made once, closed to everybody else, looked at before each secret, and asked for again.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { Refusal } from './fake/refusal.mjs';
import { Stage } from './play/stage.mjs';

const NAMES = ['ada', 'bob', 'cem'];
const OPTIONS = { timeout: 300_000 };
const run = (options, use) => () => Stage.run(options, use);

const hands = (stage, room) => room.events.filter(event => event.sender === stage.server.bot.id && /Your hand/.test(event.content.body ?? ''));

describe('hands', { concurrency: 3 }, () => {
  test('nobody can be let into a hand room by its player', OPTIONS, run({}, async stage => {
    await stage.game();
    const room = stage.ada.handRoom;
    for (const act of [() => room.invite(stage.ada.id, '@bob:hs'), () => room.send(stage.ada.id, 'm.room.join_rules', '', { join_rule: 'public' }),
      () => room.remove(stage.ada.id, stage.server.bot.id), () => room.upgrade(stage.ada.id, '12'),
      () => room.send(stage.ada.id, 'm.room.power_levels', '', {})]) assert.throws(act, Refusal);
  }));

  test('it has a name and a topic', OPTIONS, run({}, async stage => {
    await stage.lobby();
    const room = stage.ada.handRoom;
    assert.equal(room.stateOf('m.room.name').content.name, 'Your hand');
    assert.match(room.stateOf('m.room.topic').content.topic, /Nobody else can read/);
  }));

  test('a number that is too late, while the hand waits: both are one message, with one hand', OPTIONS, run({}, async stage => {
    await stage.game();
    const room = stage.ada.handRoom;
    const at = /^(\d+)\. Pocket Lawyer/m.exec(stage.ada.reads(room).at(-1))[1] - 1; // "done" has no number then
    stage.server.limits.on = true;
    stage.server.limits.rules.message = { perSecond: 0.3, burst: 1 };
    stage.ada.say(room, 'done');
    await stage.ada.hears(stage.room, 'Ada is ready');
    await pause(6000); // what it meant before is forgotten
    stage.ada.say(room, `${at}`);
    await pause(500);
    const asked = stage.ada.say(room, `${at}`);
    await stage.ada.hears(room, 'Too late', { behind: asked });
    assert.ok(stage.ada.reads(room).every(text => text.split('Your hand:').length <= 2));
  }));

  test('"hand" shows what is asked and the numbers to say', OPTIONS, run({}, async stage => {
    await stage.game('players=4 answer=300s window=300s');
    const room = stage.ada.handRoom;
    const { event_id: id } = await stage.ada.hears(room, /You must set up[^]*^1\. done$/m, { behind: stage.ada.say(stage.room, '!munch hand') });
    assert.ok(room.events.find(event => event.event_id === id).content['m.relates_to']?.rel_type !== 'm.replace');
    await stage.ada.hears(stage.room, 'Ada is ready', { behind: stage.ada.say(room, '1') });
    await stage.ada.hears(room, /: (Class|Item|Monster|one-shot|Race|Curse)/, { behind: stage.ada.say(room, 'card') });
  }));

  test('whose turn begins finds the hand below what they have said', OPTIONS, run({}, async stage => {
    await stage.game('players=3 answer=300s window=300s turn=900s');
    for (const person of stage.people) person.say(person.handRoom, 'done');
    const first = await stage.until('a first turn', () => stage.people.find(person =>
      person.reads(stage.room).some(text => text.includes(`${person.name} must kick open a door`))));
    await stage.until('the hand stands last', () => {
      const [last] = first.handRoom.events.filter(event => event.type === 'm.room.message' &&
        event.content['m.relates_to']?.rel_type !== 'm.replace').slice(-1);
      return last.sender === stage.server.bot.id && /You must kick open a door/.test(last.content.body);
    });
  }));

  test('numbers that do not go together say so', OPTIONS, run({}, async stage => {
    await stage.game();
    const room = stage.ada.handRoom;
    await stage.ada.hears(room, "one of your hand's numbers at a time", { behind: stage.ada.say(room, '1, 2') });
  }));

  test('a third whom the server lets in, and whom no sync has told of: no hand is shown there', OPTIONS, run({}, async stage => {
    await stage.game();
    const room = stage.ada.handRoom;
    const eve = stage.server.person('eve');
    const before = hands(stage, room).length;
    room.force('@admin:hs', 'm.room.member', eve.id, { membership: 'join', displayname: 'Eve' }, { hidden: true });
    stage.ada.say(room, 'hand');
    await stage.until('a new room', () => {
      stage.ada.joinAll();
      return stage.ada.handRooms.length === 2 && hands(stage, stage.ada.handRoom).length > 0;
    }, 90_000);
    assert.equal(hands(stage, room).length, before);
  }));

  test('whoever has left finds no numbers to say, and no hand', OPTIONS, run({}, async stage => {
    await stage.game();
    const [, bob] = stage.people;
    const standing = () => bob.reads(bob.handRoom).filter(text => /Your hand|have a seat in this game/.test(text));
    bob.say(bob.handRoom, 'leave');
    await stage.until('the hand says so', () => standing().length === 1 && /no longer have a seat in this game/.test(standing()[0]));
    const asked = bob.say(bob.handRoom, '1');
    await bob.hears(bob.handRoom, '', { behind: asked });
    assert.ok(standing().every(text => !/Your hand/.test(text)));
  }));

  test('a lost answer, and a kill in between: one room a person', OPTIONS, run({}, async stage => {
    await stage.lobby();
    stage.server.faults.add({ call: 'createRoom', when: 'after', cut: true });
    stage.server.faults.add({ call: 'createRoom', when: 'after', hang: true });
    const asked = stage.ada.say(stage.room, '!munch start');
    await stage.ada.hears(stage.room, 'dealt', { behind: asked });
    await pause(500);
    await stage.bot.kill();
    await stage.bot.start();
    for (const person of stage.people) await stage.hand(person);
    for (const person of stage.people) assert.equal(person.handRooms.length, 1, person.name);
  }));

  test('a line that the first sync tells of before the hand rooms: nobody gets a second room', OPTIONS, run({}, async stage => {
    await stage.game();
    await stage.bot.kill();
    const asked = stage.people.map(person => person.say(stage.room, '!munch dm'));
    await stage.bot.start();
    for (const [at, person] of stage.people.entries()) {
      await stage.until(`${person.name} is answered`, () => [stage.room, ...person.handRooms].some(room =>
        room.events.some(event => event.position > asked[at].position && event.sender === stage.server.bot.id && event.type === 'm.room.message')));
    }
    await stage.works();
    for (const person of stage.people) assert.equal(person.handRooms.length, 1, person.name);
  }));

  test('what the server has encrypted, and no sync tells of: no hand is shown there', OPTIONS, run({}, async stage => {
    await stage.comes();
    stage.server.encrypts = 'hidden';
    const opened = stage.ada.say(stage.room, '!munch new players=4 answer=5s window=5s');
    await stage.ada.hears(stage.room, /is open/, { behind: opened });
    for (const [i, person] of stage.people.slice(1).entries()) { // what is said of one who sits down goes with what is said next
      person.say(stage.room, '!munch join');
      await stage.until(`${person.name} sits down`, () => stage.bot.count('verb=join') > i);
    }
    stage.ada.say(stage.room, '!munch start');
    await stage.until('a room of each is given up', () => stage.people.every(person => person.handRooms.length > 0) &&
      stage.bot.log.split('encrypts every room').length > stage.people.length);
    await pause(500);
    for (const person of stage.people) {
      assert.ok(person.handRooms.every(room => hands(stage, room).length === 0));
      assert.ok(person.handRooms.length <= 3, 'at most one each time that they ask');
    }
  }));

  test('whether a room is encrypted is asked until the server says', OPTIONS, run({}, async stage => {
    stage.server.faults.add({ call: 'state', times: 2, status: 502, body: 'bad gateway' });
    stage.server.faults.add({ call: 'state', status: 403, body: { errcode: 'M_FORBIDDEN', error: 'not in room' } });
    await stage.game();
    assert.ok(stage.server.calls('state').filter(call => call.parts[1] === 'm.room.encryption').length >= 6);
  }));

  test('a room that somebody else has marked is none', OPTIONS, run({}, async stage => {
    await stage.comes();
    const cem = stage.people[2];
    const forged = stage.server.createRoom(cem.id, { creation_content: { 'org.munchbot.hand_of': stage.ada.id } });
    forged.invite(cem.id, stage.server.bot.id);
    forged.invite(cem.id, stage.ada.id);
    forged.join(stage.ada.id);
    await stage.comes(forged);
    await stage.game();
    assert.equal(hands(stage, forged).length, 0);
  }));

  test('a stranger in a hand room is not heard', OPTIONS, run({}, async stage => {
    await stage.game();
    const room = stage.ada.handRoom;
    room.force('@admin:hs', 'm.room.member', stage.people[1].id, { membership: 'join', displayname: 'Bob' });
    const said = stage.people[1].say(room, 'status');
    await pause(1500);
    assert.equal(room.events.filter(event => event.position > said.position && event.sender === stage.server.bot.id).length, 0);
  }));

  test('who has declined is named and not dealt in; "dm" makes me try again', OPTIONS, run({ people: [...NAMES, 'dee'] }, async stage => {
    const cem = stage.people[2];
    cem.accepts = false;
    await stage.lobby();
    await stage.until('an invitation', () => cem.handRoom?.membership(cem.id) === 'invite');
    const { handRoom } = cem;
    handRoom.leave(cem.id);
    const asked = stage.ada.say(stage.room, '!munch start');
    await stage.ada.hears(stage.room, /I can't message Cem/, { behind: asked });
    await stage.ada.hears(stage.room, 'dealt', { behind: asked });
    await stage.hand(stage.people[3]);
    assert.equal(hands(stage, handRoom).length, 0);
    assert.equal(handRoom.membership(cem.id), 'leave');
    cem.say(stage.room, '!munch dm');
    await stage.until('he is asked once more', () => handRoom.membership(cem.id) === 'invite', 60_000);
    assert.equal(cem.handRooms.length, 1);
  }));

  test('who has not come into their hand room is named, and waited for', OPTIONS, run({}, async stage => {
    const cem = stage.people[2];
    cem.accepts = false;
    await stage.lobby();
    const asked = stage.ada.say(stage.room, '!munch start');
    await stage.ada.hears(stage.room, /Cem: please accept my invitation/, { behind: asked });
    await pause(1500);
    assert.equal(hands(stage, cem.handRoom).length, 0);
    await stage.hand(cem);
  }));

  test('who is not invited yet when the host says "start" is named, too', OPTIONS, run({}, async stage => {
    const cem = stage.people[2];
    cem.accepts = false;
    stage.server.faults.add({ call: 'createRoom', if: request => JSON.stringify(request.body).includes(cem.id), status: 429,
      body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Later', retry_after_ms: 3000 } });
    await stage.lobby();
    const asked = stage.ada.say(stage.room, '!munch start');
    await stage.ada.hears(stage.room, /Cem: please accept my invitation/, { behind: asked });
    await stage.hand(cem);
  }));

  test('of too few one blocks invitations: nobody is dealt anything until that is over', OPTIONS, run({}, async stage => {
    const cem = stage.people[2];
    cem.accepts = false;
    stage.server.users.get(cem.id).blocks.add(stage.server.bot.id);
    await stage.lobby();
    stage.ada.say(stage.room, '!munch start');
    await stage.until('who is missing is named', () => {
      stage.ada.joinAll();
      return [stage.room, ...stage.ada.handRooms].some(room => stage.ada.reads(room).some(text => /I can't message Cem/.test(text)));
    }, 60_000);
    assert.ok(cem.handRooms.every(room => hands(stage, room).length === 0));
    stage.server.users.get(cem.id).blocks.delete(stage.server.bot.id);
    cem.say(stage.room, '!munch dm');
    await stage.until('a room', () => cem.handRoom?.membership(cem.id) === 'invite', 60_000);
    cem.joinAll();
    const asked = stage.ada.say(stage.room, '!munch start');
    await stage.ada.hears(stage.room, 'dealt', { behind: asked });
    await stage.hand(cem);
  }));

  test('"forget-me": the bot leaves their hand room, and forgets it', OPTIONS, run({}, async stage => {
    await stage.game();
    const cem = stage.people[2];
    const room = cem.handRoom;
    cem.say(room, 'forget-me yes');
    await stage.until('the bot is out of it', () => room.membership(stage.server.bot.id) === 'leave' &&
      stage.server.forgotten.includes(room.id), 60_000);
    for (const person of stage.people.slice(0, 2)) assert.equal(person.handRoom.membership(stage.server.bot.id), 'join');
    await stage.works();
  }));
});

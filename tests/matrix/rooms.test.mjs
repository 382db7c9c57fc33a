// The life of rooms: invitations, what is said on entering, upgrades, encryption, who leaves.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 300_000 };
const run = (options, use) => () => Stage.run(options, use);

const said = (stage, room) => room.events.filter(event => event.sender === stage.server.bot.id && event.type === 'm.room.message');
const bot = (stage, room) => room.membership(stage.server.bot.id);

describe('rooms', { concurrency: 3 }, () => {
  test('a room is told once how to begin', OPTIONS, run({}, async stage => {
    await stage.ada.hears(stage.room, '!munch new');
    await stage.bot.kill();
    await stage.bot.start();
    stage.room.remove(stage.ada.id, stage.server.bot.id);
    await pause(300);
    await stage.works(stage.ada.room('Another', {}));
    assert.equal(stage.ada.reads(stage.room).filter(text => text.includes('!munch new')).length, 1);
  }));

  test('what is asked in a thread is answered there', OPTIONS, run({}, async stage => {
    await stage.works();
    const root = stage.ada.say(stage.room, 'Who plays tonight?');
    const asked = stage.ada.say(stage.room, '!munch loot', { 'm.relates_to': { rel_type: 'm.thread', event_id: root.event_id } });
    const answer = await stage.until('an answer', () => stage.room.events.find(event =>
      event.content['m.relates_to']?.['m.in_reply_to']?.event_id === asked.event_id));
    assert.equal(answer.content['m.relates_to'].rel_type, 'm.thread');
    assert.equal(answer.content['m.relates_to'].event_id, root.event_id);
  }));

  test('an invitation that comes before anybody is let in is tried again', OPTIONS, run({ start: false }, async stage => {
    stage.server.faults.add({ call: 'join', times: 3, status: 403, body: { errcode: 'M_FORBIDDEN', error: 'You are not invited to this room.' } });
    await stage.bot.start();
    await stage.comes();
    await stage.works();
  }));

  test('more invitations than the server lets be taken at once: a trickle of half a minute, for all of them together', OPTIONS,
    run({ start: false, server: {} }, async stage => {
      const { limits } = stage.server;
      limits.rules = { join: { perSecond: 1, burst: 3 } }; // the usual ones, in less time
      limits.on = true;
      const rooms = [stage.room, ...[1, 2, 3, 4].map(i => stage.ada.room(`Room ${i}`))];
      await stage.bot.start();
      for (const room of rooms) await stage.comes(room, 70_000);
      assert.ok(limits.refusals.length >= 1, 'it was refused');
      assert.ok(limits.refusals.length <= rooms.length - 3, `refused ${limits.refusals.length} times`); // those on their way
      await stage.works(rooms.at(-1));
    }));

  test('killed while an invitation waits: the next process takes it', OPTIONS, run({}, async stage => {
    await stage.comes();
    stage.server.faults.add({ call: 'join', times: Infinity, status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 600_000 } });
    const other = stage.ada.room('Another');
    await stage.until('it tries', () => stage.server.calls('join').filter(call => call.status === 429).length === 1);
    const syncs = stage.server.calls('sync').length;
    stage.ada.say(stage.room, 'talk'); // by then the sync that told of it is behind
    await stage.until('its token is kept', () => stage.server.calls('sync').length > syncs);
    await stage.works();
    await stage.bot.kill();
    stage.server.faults.clear();
    await stage.bot.start();
    await stage.comes(other);
    await stage.works(other);
  }));

  test('an invitation that is not wanted is declined, though the server is busy', OPTIONS, run({ bot: { matrix: ['block = @cem:hs'] } }, async stage => {
    await stage.comes();
    stage.server.faults.add({ call: 'leave', status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 50 } });
    const blocked = stage.people[2].room('Blocked');
    await stage.until('it is declined', () => bot(stage, blocked) === 'leave');
  }));

  test('no spaces, nobody who is blocked, not more than so many a day', OPTIONS,
    run({ bot: { matrix: ['block = @cem:hs', 'invites_per_person = 2'] } }, async stage => {
      await stage.comes();
      const space = stage.ada.room('Space', { creation_content: { type: 'm.space' } });
      const blocked = stage.people[2].room('Blocked');
      await stage.until('both are declined', () => bot(stage, space) === 'leave' && bot(stage, blocked) === 'leave');
      const rooms = [stage.ada.room('Second'), stage.ada.room('Third')];
      await stage.until('the second', () => bot(stage, rooms[0]) === 'join');
      await stage.until('the third', () => bot(stage, rooms[1]) === 'leave');
    }));

  test('a room that all have left is left and forgotten', OPTIONS, run({}, async stage => {
    await stage.works();
    for (const person of stage.people) stage.room.leave(person.id);
    await stage.until('the bot leaves', () => bot(stage, stage.room) === 'leave' && stage.server.forgotten.includes(stage.room.id));
  }));

  for (const [from, to] of [['11', '12'], ['12', '12']]) {
    test(`a game goes along from version ${from} to ${to}, when the bot is invited`, OPTIONS, run({ server: { version: from } }, async stage => {
      await stage.game();
      const next = stage.room.upgrade(stage.ada.id, to);
      for (const person of stage.people.slice(1)) {
        next.invite(stage.ada.id, person.id);
        next.join(person.id);
      }
      await pause(1500);
      assert.equal(bot(stage, next), 'leave');
      next.invite(stage.ada.id, stage.server.bot.id);
      await stage.comes(next);
      await stage.until('its card is there', () => said(stage, next).some(event => / must /.test(event.content.body)));
      stage.ada.say(next, '!munch status');
      await stage.works(next);
      assert.ok(!stage.ada.reads(next).some(text => text.includes('opens a table in this room')));
    }));
  }

  test('a room that says it replaces one, but is not said to, takes nothing along', OPTIONS, run({}, async stage => {
    await stage.game();
    const forged = stage.people[2].room('Forged', { creation_content: { predecessor: { room_id: stage.room.id } } });
    await stage.comes(forged);
    await pause(500);
    const asked = stage.ada.say(stage.room, '!munch status');
    await stage.until('the table is where it was', () => [stage.room, stage.ada.handRoom].some(room => said(stage, room)
      .some(event => event.position > asked.position)));
    assert.ok(!stage.people[2].reads(forged).some(text => /Round/.test(text)));
  }));

  test('an encrypted room: one sentence, and in private what to do instead', OPTIONS, run({}, async stage => {
    await stage.comes();
    const sealed = stage.ada.room('Sealed', { initial_state: [{ type: 'm.room.encryption', content: { algorithm: 'm.megolm.v1.aes-sha2' } }] });
    await stage.comes(sealed);
    await stage.ada.hears(sealed, 'encrypted');
    await stage.until('it is offered a room', () => {
      stage.ada.joinAll();
      return stage.ada.handRoom && stage.ada.reads(stage.ada.handRoom).some(text => text.includes('room Game night with'));
    });
    stage.ada.say(sealed, '!munch new');
    await stage.bot.kill();
    await stage.bot.start();
    stage.ada.say(sealed, '!munch new');
    await stage.works();
    assert.equal(said(stage, sealed).length, 1);
  }));

  test('a room that becomes encrypted in a game: nothing is said there any more, whatever its state says later', OPTIONS,
    run({}, async stage => {
      await stage.game();
      stage.room.force(stage.ada.id, 'm.room.encryption', '', { algorithm: 'm.megolm.v1.aes-sha2' });
      await stage.ada.hears(stage.room, 'This room is encrypted');
      const count = said(stage, stage.room).length;
      await stage.bot.kill();
      stage.room.state.delete('m.room.encryption|');
      stage.room.events = stage.room.events.filter(event => event.type !== 'm.room.encryption');
      await stage.bot.start();
      stage.ada.say(stage.room, '!munch status');
      await stage.works(stage.ada.handRoom);
      assert.equal(said(stage, stage.room).length, count);
    }));

  test('a server that encrypts all private rooms: nothing is dealt, and that is said', OPTIONS, run({ server: { encrypts: false } }, async stage => {
    await stage.comes();
    stage.server.encrypts = true;
    await stage.lobby();
    stage.ada.say(stage.room, '!munch start');
    await stage.until('it is said', () => stage.ada.reads(stage.room).some(text => /can't message|no room/i.test(text)), 60_000);
    for (const person of stage.people) {
      for (const room of person.handRooms) {
        assert.ok(!said(stage, room).some(event => /Your hand/.test(event.content.body)));
      }
    }
  }));

  test('thrown out in a game: the table rests, and is there when the bot is asked back', OPTIONS, run({}, async stage => {
    await stage.game();
    stage.room.remove(stage.ada.id, stage.server.bot.id);
    await pause(1000);
    stage.room.invite(stage.ada.id, stage.server.bot.id);
    await stage.comes();
    const asked = stage.ada.say(stage.room, '!munch resume');
    await stage.ada.hears(stage.room, /Round|goes on|turn/, { behind: asked });
  }));

  test('who has left the room is stood in for, and heard again when they are back', OPTIONS, run({}, async stage => {
    await stage.game();
    const bob = stage.people[1];
    stage.room.leave(bob.id);
    await stage.until('that is told', () => stage.ada.reads(stage.room).some(text => /Bob/.test(text) && /stand/.test(text)));
    stage.room.invite(stage.ada.id, bob.id);
    stage.room.join(bob.id);
    await stage.works(bob.handRoom, bob);
  }));

  const inPrivate = async stage => {
    await stage.comes();
    stage.ada.say(stage.room, '!munch dm');
    await stage.until('a room of her own', () => {
      stage.ada.joinAll();
      return stage.ada.handRoom && said(stage, stage.ada.handRoom).length > 0;
    });
    return stage.ada.handRoom;
  };
  const madeFor = (stage, person) => [...stage.server.rooms.values()].filter(room =>
    room.stateOf('m.room.create').content['org.munchbot.room_of'] === person.id);

  test('"room" makes a private room for the asker and their friends, three a day', OPTIONS, run({}, async stage => {
    const hand = await inPrivate(stage);
    const asked = stage.ada.say(hand, 'room Game night with friends with @bob:hs, @cem:hs');
    await stage.ada.hears(hand, 'invited everybody', { behind: asked });
    const [room] = madeFor(stage, stage.ada);
    assert.equal(room.stateOf('m.room.name').content.name, 'Game night with friends');
    assert.deepEqual(room.members('invite', 'join').filter(id => id !== stage.server.bot.id).sort(), stage.people.map(person => person.id).sort());
    assert.equal(room.power(stage.ada.id), 50);
    for (const person of stage.people) person.joinAll();
    await stage.works(room);
    for (const wrong of ['room', 'room Night', 'room with bob', 'room with @bob:hs, bob']) {
      await stage.ada.hears(hand, 'Game night with @friend', { behind: stage.ada.say(hand, wrong) });
    }
    for (let i = 0; i < 2; i++) await stage.ada.hears(hand, 'invited everybody', { behind: stage.ada.say(hand, 'room with @bob:hs') });
    await stage.bot.kill();
    await stage.bot.start();
    await stage.ada.hears(hand, 'three rooms a day', { behind: stage.ada.say(hand, 'room with @bob:hs') });
    assert.equal(madeFor(stage, stage.ada).length, 3);
  }));

  test('one who cannot be invited: the room is there, the others are, and they are named', OPTIONS, run({}, async stage => {
    const hand = await inPrivate(stage);
    stage.server.users.get('@bob:hs').unreachable = true;
    const asked = stage.ada.say(hand, 'room Night with @bob:hs, @cem:hs');
    await stage.ada.hears(hand, "couldn't invite @bob:hs.", { behind: asked, ms: 60_000 });
    assert.equal(madeFor(stage, stage.ada).length, 1);
    assert.match(madeFor(stage, stage.ada)[0].membership('@cem:hs'), /invite|join/);
  }));

  test('an answer that is lost makes no second room', OPTIONS, run({}, async stage => {
    const hand = await inPrivate(stage);
    stage.server.faults.add({ call: 'createRoom', when: 'after', cut: true });
    const asked = stage.ada.say(hand, 'room Night with @bob:hs');
    await stage.ada.hears(hand, 'invited everybody', { behind: asked, ms: 60_000 });
    assert.equal(madeFor(stage, stage.ada).length, 1);
  }));

  test('signed out softly while a room is made: it is made behind that', OPTIONS, run({}, async stage => {
    const hand = await inPrivate(stage);
    const out = { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'out', soft_logout: true } };
    stage.server.faults.add({ call: 'createRoom', ...out }).add({ call: 'state', ...out });
    const asked = stage.ada.say(hand, 'room Night with @bob:hs');
    await stage.ada.hears(hand, 'invited everybody', { behind: asked, ms: 60_000 });
    assert.equal(madeFor(stage, stage.ada).length, 1);
  }));

  test('killed while a room is made: it is found again, who is missing is invited, and that is said', OPTIONS, run({}, async stage => {
    const hand = await inPrivate(stage);
    for (const person of stage.people) person.accepts = false;
    stage.server.users.get('@bob:hs').unreachable = true; // the others of the request are not invited either
    stage.server.faults.add({ call: 'createRoom', when: 'after', hang: true });
    const asked = stage.ada.say(hand, 'room Night with @bob:hs, @cem:hs');
    await stage.until('the room', () => madeFor(stage, stage.ada).length === 1);
    await stage.bot.kill();
    stage.server.users.get('@bob:hs').unreachable = false;
    await stage.bot.start();
    await stage.ada.hears(hand, 'invited everybody', { behind: asked, ms: 60_000 });
    const [room, ...others] = madeFor(stage, stage.ada);
    assert.equal(others.length, 0);
    assert.deepEqual(room.members('invite').sort(), stage.people.map(person => person.id).sort());
    await stage.bot.kill();
    await stage.bot.start();
    await stage.works(hand);
    assert.equal(stage.ada.reads(hand).filter(text => /invited everybody/.test(text)).length, 1);
    assert.equal(madeFor(stage, stage.ada).length, 1);
  }));

  test('a server that encrypts the room that was asked for: that is said', OPTIONS, run({}, async stage => {
    const hand = await inPrivate(stage);
    stage.server.encrypts = true;
    await stage.ada.hears(hand, 'encrypts every room', { behind: stage.ada.say(hand, 'room Night with @bob:hs') });
  }));

  test('a server that does not say whether it has encrypted it: it is not taken as open', OPTIONS, run({}, async stage => {
    const hand = await inPrivate(stage);
    stage.server.faults.add({ call: 'state', times: 3, status: 403, body: { errcode: 'M_FORBIDDEN', error: 'not in room' } });
    const asked = stage.ada.say(hand, 'room Night with @bob:hs');
    await stage.ada.hears(hand, 'refused to make that room', { behind: asked, ms: 60_000 });
    assert.ok(!stage.ada.reads(hand).some(text => /invited everybody/.test(text)));
  }));

  for (const version of ['11', '12']) {
    test(`the owner of a room of version ${version} moderates it`, OPTIONS, run({ server: { version } }, async stage => {
      await stage.comes();
      const opened = stage.people[1].say(stage.room, '!munch new');
      await stage.ada.hears(stage.room, /open/, { behind: opened });
      stage.people[2].say(stage.room, '!munch end');
      await pause(500);
      assert.equal(stage.bot.count('event=table-closed'), 0, 'not by anybody');
      stage.ada.say(stage.room, '!munch end');
      await stage.until('it is closed', () => stage.bot.count('event=table-closed') === 1);
    }));
  }
});

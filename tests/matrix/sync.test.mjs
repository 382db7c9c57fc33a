// What homeservers do to a sync: gaps, refused and revoked tokens, outages, floods, nonsense.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Munchbot } from './play/munchbot.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 300_000 };
const run = (options, use) => () => Stage.run(options, use);

// Who has sat down besides the host.
const seats = stage => stage.people.slice(1).filter(person => stage.ada.reads(stage.room).some(text => text.includes(`${person.name} sits down`)));

// So many lines of talk that nobody answers.
const talk = (stage, count) => {
  for (let i = 0; i < count; i++) stage.people[2].say(stage.room, `talk ${i}`);
};

const opened = async stage => {
  await stage.comes();
  const asked = stage.ada.say(stage.room, '!munch new players=4');
  await stage.ada.hears(stage.room, /is open/, { behind: asked });
};

describe('sync', { concurrency: 3 }, () => {
  test('what was said in a gap is heard, in its order, once', OPTIONS, run({}, async stage => {
    await opened(stage);
    await stage.bot.stop();
    stage.people[1].say(stage.room, '!munch join');
    talk(stage, 250);
    stage.people[2].say(stage.room, '!munch join');
    talk(stage, 60);
    await stage.bot.start();
    await stage.until('both have sat down', () => seats(stage).length === 2);
    assert.ok(stage.server.calls('messages').length >= 3, 'page by page');
    await pause(500);
    for (const person of stage.people.slice(1)) {
      const told = stage.ada.reads(stage.room).filter(text => text.includes(`${person.name} sits down`));
      assert.equal(told.length, 1);
    }
    const first = stage.ada.reads(stage.room).findIndex(text => text.includes('Bob sits down'));
    const second = stage.ada.reads(stage.room).findIndex(text => text.includes('Cem sits down'));
    assert.ok(first <= second);
  }));

  test('of a gap of more than a thousand the room is told', OPTIONS, run({}, async stage => {
    await opened(stage);
    await stage.bot.stop();
    stage.people[1].say(stage.room, '!munch join');
    talk(stage, 1200);
    await stage.bot.start();
    await stage.ada.hears(stage.room, 'lost');
    assert.equal(stage.server.calls('messages').length, 10);
    await stage.works();
    assert.equal(seats(stage).length, 0);
    assert.equal(stage.ada.reads(stage.room).filter(text => text.includes('lost')).length, 1);
  }));

  // What is more than 16 MiB, though each room's share of it is little.
  test('more news than can be read at once: less is asked for, and nothing of it is lost', OPTIONS, run({}, async stage => {
    await opened(stage);
    const rooms = Array.from({ length: 14 }, (_, i) => stage.people[i % 3].room(`Room ${i}`)); // each may invite ten times a day
    for (const room of rooms) await stage.comes(room);
    await stage.bot.stop();
    stage.people[1].say(stage.room, '!munch join');
    for (const room of [stage.room, ...rooms]) {
      for (let i = 0; i < 19; i++) room.force(room.creator, 'm.room.message', undefined, { msgtype: 'm.text', body: `${i}${'x'.repeat(60_000)}` });
    }
    await stage.bot.start();
    await stage.until('he has sat down', () => seats(stage).length === 1);
    assert.equal(stage.bot.count('event=sync-too-long'), 1);
    for (const person of stage.people.slice(2)) person.say(stage.room, '!munch join');
    await stage.until('both have sat down', () => seats(stage).length === 2);
    assert.match(stage.server.calls('sync').at(-1).query.filter, /"limit":20/);
    assert.equal(stage.room.membership(stage.server.bot.id), 'join');
  }));

  test('70 MiB of what nobody reads in a room costs nothing', OPTIONS, run({}, async stage => {
    await opened(stage);
    await stage.bot.stop();
    for (let i = 0; i < 1200; i++) stage.room.force(stage.ada.id, 'org.example.large', `${i}`, { more: 'x'.repeat(60_000) });
    stage.people[1].say(stage.room, '!munch join');
    await stage.bot.start();
    await stage.until('he has sat down', () => seats(stage).length === 1);
    assert.equal(stage.bot.count('event=sync-too-long'), 0);
  }));

  test('a room that is too large is left for good; elsewhere nobody notices', OPTIONS, run({}, async stage => {
    await opened(stage);
    const [eve] = stage.people.slice(2);
    const large = eve.room('Large');
    await stage.comes(large);
    await stage.bot.stop();
    for (let i = 0; i < 1200; i++) large.force(eve.id, 'm.room.name', `${i}`, { name: 'x'.repeat(60_000) });
    stage.people[1].say(stage.room, '!munch join');
    await stage.bot.start();
    await stage.until('he has sat down', () => seats(stage).length === 1);
    await stage.until('the bot has left', () => large.membership(stage.server.bot.id) === 'leave');
    assert.equal(stage.bot.count('event=room-too-large'), 1);
    large.invite(eve.id, stage.server.bot.id);
    await stage.until('it does not come again', () => large.membership(stage.server.bot.id) === 'leave');
    await stage.bot.stop();
    await stage.bot.start();
    large.invite(eve.id, stage.server.bot.id);
    await stage.until('nor does the next process', () => large.membership(stage.server.bot.id) === 'leave');
    await stage.works();
  }));

  // Each of them is small enough, all of them are more than 64 MiB.
  test('a room that is left out because of others is asked for by itself', OPTIONS, run({}, async stage => {
    await opened(stage);
    const [bob, eve] = stage.people.slice(1);
    const large = Array.from({ length: 76 }, (_, i) => eve.room(`Large ${i}`, { bot: false }));
    for (const room of large) room.force(stage.server.bot.id, 'm.room.member', stage.server.bot.id, { membership: 'join' });
    const late = [bob.room('Late'), bob.room('Later')];
    for (const room of late) await stage.comes(room);
    await stage.bot.stop();
    for (const room of [...large, ...late]) {
      for (let i = 0; i < 16; i++) room.force(room.creator, 'm.room.name', `${i}`, { name: 'x'.repeat(62_000) });
    }
    for (const room of late) bob.say(room, '!munch new');
    await stage.bot.start(100_000); // of 76 MiB
    for (const room of late) await bob.hears(room, /is open/);
    assert.equal(stage.bot.count('event=sync-cut'), 1);
    const alone = stage.server.calls('sync').filter(call => call.query.filter.includes('"rooms":['));
    assert.ok(alone.length < 30, `${alone.length} rooms`);
    await stage.works();
  }));

  test('while it runs: a flood of state in one room is the end of that room alone', OPTIONS, run({}, async stage => {
    await opened(stage);
    const eve = stage.people[2];
    const large = eve.room('Large');
    await stage.comes(large);
    await pause(300);
    stage.server.faults.add({ call: 'sync', status: 502, body: 'no JSON' });
    for (let i = 0; i < 1200; i++) large.force(eve.id, 'm.room.name', `${i}`, { name: 'x'.repeat(60_000) });
    stage.people[1].say(stage.room, '!munch join');
    await stage.until('he has sat down', () => seats(stage).length === 1);
    await stage.until('the bot has left', () => large.membership(stage.server.bot.id) === 'leave');
  }));

  test('answers without end: what is too long of them is left out', OPTIONS, run({}, async stage => {
    await opened(stage);
    await stage.bot.stop();
    const junk = 'x'.repeat(70 << 20);
    stage.server.faults.add({ call: 'joinedRooms', status: 200, body: `{"joined_rooms":["${junk}"]}` });
    stage.server.faults.add({ call: 'sync', times: 2, status: 200, body: `{"next_batch":"s1","x":"${junk}"}` });
    stage.people[1].say(stage.room, '!munch join');
    await stage.bot.start();
    await stage.until('he has sat down', () => seats(stage).length === 1);
  }));

  test('a thousand rooms of fifty people are told in less than 8 MiB', OPTIONS, run({ start: false }, async stage => {
    const members = Array.from({ length: 50 }, (_, i) => `@m${i}:hs`);
    for (let i = 0; i < 1000; i++) {
      const room = stage.ada.room(`Room ${i}`, { bot: false });
      for (const id of [...members, stage.server.bot.id]) room.force(id, 'm.room.member', id, { membership: 'join', displayname: `Member ${id}` });
    }
    await stage.bot.start();
    await stage.works();
    const [first] = stage.server.calls('sync');
    await stage.bot.stop();
    console.log(`a first sync of ${(first.size / 2 ** 20).toFixed(1)} MiB: the loop held ${/ held_ms=(\d+)/.exec(stage.bot.log)[1]} ms at most`);
    assert.ok(first.size > 1 << 20 && first.size < 8 << 20, `${first.size} bytes`);
    assert.equal(stage.bot.count('event=sync-too-long'), 0);
  }));

  // Of a hand room that an earlier process has made a real homeserver does not tell whose member its owner is.
  test('members who say nothing are told lazily: hands come all the same', OPTIONS, run({}, async stage => {
    await stage.game();
    await stage.bot.stop();
    await stage.bot.start();
    const before = stage.server.position;
    for (const person of stage.people) {
      stage.server.wake();
      person.say(person.handRoom, 'hand');
      await stage.hand(person, before);
    }
    assert.equal(stage.people.filter(person => person.handRooms.length !== 1).length, 0);
    assert.equal(stage.room.membership(stage.server.bot.id), 'join');
  }));

  test('a page of a gap that fails is asked for again', OPTIONS, run({}, async stage => {
    await opened(stage);
    await stage.bot.stop();
    stage.people[1].say(stage.room, '!munch join');
    talk(stage, 150);
    stage.server.faults.add({ call: 'messages', times: 2, status: 502, body: '<html>bad gateway</html>' });
    await stage.bot.start();
    await stage.until('he has sat down', () => seats(stage).length === 1);
  }));

  test('nothing that was said before the bot came in counts', OPTIONS, run({ start: false }, async stage => {
    stage.ada.say(stage.room, '!munch new');
    talk(stage, 80);
    await stage.bot.start();
    await stage.works();
    assert.ok(!stage.ada.reads(stage.room).some(text => /Lobby/.test(text)));
    assert.equal(stage.server.calls('messages').length, 0);
  }));

  test('of a sync without token no message counts, but invitations and rooms do', OPTIONS, run({}, async stage => {
    await opened(stage);
    const other = stage.ada.room('Another', { people: stage.people.slice(1), bot: false });
    await stage.bot.stop();
    stage.people[1].say(stage.room, '!munch join');
    other.invite(stage.ada.id, stage.server.bot.id);
    stage.server.faults.add({ call: 'sync', if: request => request.query.since !== undefined, status: 400,
      body: { errcode: 'M_UNKNOWN', error: 'Invalid stream token' } });
    await stage.bot.start();
    await stage.comes(other);
    await stage.works(other);
    assert.equal(seats(stage).length, 0);
    stage.people[1].say(stage.room, '!munch join');
    await stage.until('he has sat down', () => seats(stage).length === 1);
  }));

  test('a backup is restored, and the chat has gone on: what was said before counts no more, and no transaction is used twice', OPTIONS, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'munchbot-'));
    const copy = path.join(folder, 'copy.db');
    const store = path.join(folder, 'tables.db');
    await Stage.run({ bot: { store: `sqlite:${store}` } }, async stage => {
      const keep = verb => promisify(execFile)(stage.bot.program, ['store', verb, copy, '--store', stage.bot.store]);
      await opened(stage);
      await keep('backup');
      stage.people[1].say(stage.room, '!munch join');
      await stage.until('he has sat down', () => seats(stage).length === 1);
      await stage.bot.stop();
      const { length } = stage.room.events;
      const { repeats } = stage.server;
      await Promise.all(['', '-wal', '-shm'].map(end => rm(`${store}${end}`, { force: true })));
      await keep('restore');
      await stage.bot.start();
      await stage.ada.hears(stage.room, 'I was offline');
      await pause(1100); // the wall clock counts seconds
      stage.people[2].say(stage.room, '!munch join');
      await stage.until('he has sat down', () => stage.ada.reads(stage.room).some(text => /Cem sits down/.test(text)));
      assert.ok(!stage.room.events.slice(length).some(event => /Bob sits down/.test(event.content.body)), 'not once more');
      assert.equal(stage.server.repeats, repeats);
    });
    await rm(folder, { recursive: true });
  });

  test('errors and outages pass; people do not wait a minute behind them', OPTIONS, run({}, async stage => {
    await opened(stage);
    stage.server.faults.add({ call: 'sync', times: 8, status: 502, body: 'no JSON' });
    stage.server.faults.add({ call: 'sync', times: 2, cut: true });
    stage.server.faults.add({ call: 'sync', times: 2, status: 200, body: '{"next_batch":7}' });
    stage.people[1].say(stage.room, '!munch join');
    await stage.until('the faults are over', () => stage.server.faults.meet({ call: 'sync', none: true }) === undefined, 60_000);
    await stage.until('he has sat down', () => seats(stage).length === 1, 60_000);
  }));

  test('a homeserver that is gone for a while: soon after it is back, people are heard', OPTIONS, run({}, async stage => {
    await opened(stage);
    await stage.server.stop();
    await pause(2000);
    await stage.server.listen();
    const back = Date.now();
    stage.people[1].say(stage.room, '!munch join');
    await stage.until('he has sat down', () => seats(stage).length === 1, 60_000);
    assert.ok(Date.now() - back < 15_000, `it took ${Date.now() - back} ms`);
  }));

  test('a token that is revoked ends the bot with a sentence', OPTIONS, run({}, async stage => {
    await opened(stage);
    stage.server.sessions.delete(stage.server.bot.token);
    stage.server.wake();
    const end = await stage.bot.ended;
    assert.notEqual(end.code, 0);
    assert.match(stage.bot.log, /munchbot matrix login/);
    assert.ok(!stage.bot.log.includes(stage.server.bot.token));
  }));

  test('after a soft logout it waits, and goes on', OPTIONS, run({}, async stage => {
    await opened(stage);
    stage.server.sessions.get(stage.server.bot.token).locked = true;
    stage.server.wake();
    await pause(3000);
    assert.ok(stage.bot.runs);
    stage.server.sessions.get(stage.server.bot.token).locked = false;
    stage.people[1].say(stage.room, '!munch join');
    await stage.until('he has sat down', () => seats(stage).length === 1, 60_000);
  }));

  test('who floods a room is dropped, others are heard', OPTIONS, run({}, async stage => {
    await opened(stage);
    for (let i = 0; i < 2000; i++) stage.people[2].say(stage.room, `!munch table ${i}`);
    stage.people[1].say(stage.room, '!munch join');
    await stage.until('he has sat down', () => seats(stage).some(each => each.name === 'Bob'), 60_000);
  }));

  test('killed behind an answer, before its events are done: they are done once', OPTIONS, run({}, async stage => {
    await opened(stage);
    for (let i = 0; i < 5; i++) {
      stage.people[1].say(stage.room, i % 2 === 0 ? '!munch join' : '!munch leave');
      await pause(30 * i);
      await stage.bot.kill();
      await stage.bot.start();
    }
    await stage.works();
    const done = [...stage.bot.log.matchAll(/command=(\S+) verb=(join|leave)/g)].map(found => found[1]);
    assert.deepEqual([...new Set(done)].sort(), done.sort());
    await stage.until('he sits there at last', () => /Bob/.test(stage.ada.reads(stage.room).filter(text => /seats? taken/.test(text)).at(-1)));
  }));

  test('a long answer, names of all kinds, and events that are nonsense', OPTIONS, run({}, async stage => {
    await opened(stage);
    const twin = 'x'.repeat(249);
    const odd = [`@${twin}a:hs`, `@${twin}b:hs`];
    for (const id of odd) {
      stage.server.users.set(id, { id, displayname: '<b>\u202Eevil</b> @room "\'', blocks: new Set() });
      stage.room.invite(stage.ada.id, id);
      stage.room.join(id);
      stage.room.send(id, 'm.room.message', undefined, { msgtype: 'm.text', body: '!munch join' });
    }
    for (let i = 0; i < 40; i++) {
      stage.room.force(stage.ada.id, 'm.room.message', undefined, { msgtype: ['m.text'], body: { i }, 'm.relates_to': 'none' });
      stage.room.force(stage.ada.id, 'm.room.message', undefined, { msgtype: 'm.text', body: `!munch ${'é'.repeat(28_000)}` });
      stage.room.force(stage.ada.id, 'm.room.member', `@nobody${i}:hs`, { membership: 17, displayname: [] });
      stage.room.force(7, 'm.room.message', undefined, { msgtype: 'm.text', body: '!munch join' });
    }
    stage.room.force(stage.ada.id, 'm.room.power_levels', '', { ...stage.room.levels, users: { [stage.ada.id]: '100' }, invite: 0.5 });
    await stage.works();
    await stage.until('both have sat down', () => stage.ada.reads(stage.room).filter(text => text.includes('sits down')).length >= 2);
    assert.ok(!stage.room.events.some(event => event.sender === stage.server.bot.id && /<b>evil/.test(event.content.formatted_body ?? '')));
  }));

  test('ten thousand join: the bot stays', OPTIONS, run({}, async stage => {
    await opened(stage);
    for (let i = 0; i < 10_000; i++) stage.room.force(`@m${i}:hs`, 'm.room.member', `@m${i}:hs`, { membership: 'join', displayname: 'M' });
    await stage.works();
  }));

  test('two processes with one device: one of them listens', OPTIONS, run({}, async stage => {
    for (const person of stage.people) person.accepts = false; // who comes into a hand room is told by a sync
    await opened(stage);
    const other = await Munchbot.make(stage.server, { store: stage.bot.store });
    try {
      other.spawn();
      await pause(3000);
      const syncs = stage.server.calls('sync').length;
      stage.people[1].say(stage.room, '!munch join');
      await stage.until('he has sat down', () => seats(stage).length === 1);
      await pause(1000);
      // His line, the card, his new room.
      assert.ok(stage.server.calls('sync').length - syncs <= 3, 'one long poll after the other');
      assert.equal(other.count('event=connected'), 0);
      await stage.bot.kill();
      stage.people[2].say(stage.room, '!munch join');
      await stage.until('the other takes over', () => seats(stage).length === 2, 60_000);
    } finally {
      await other.remove();
    }
  }));
});

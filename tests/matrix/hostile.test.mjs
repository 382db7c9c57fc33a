// What nobody means well by, and what no server should answer: events, answers, tokens, rooms and stores that are not
// as they ought to be. What syncs go through besides is sync.test.mjs, hand rooms are hands.test.mjs.
import assert from 'node:assert/strict';
import { copyFile, rm } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { Munchbot } from './play/munchbot.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 300_000 };
const run = (options, use) => () => Stage.run(options, use);

const said = (stage, room) => room.events.filter(event => event.sender === stage.server.bot.id && event.type === 'm.room.message');
const sits = (stage, person) => stage.ada.reads(stage.room).filter(text => text.includes(`${person.name} sits down`)).length;
const table = async stage => {
  await stage.comes();
  await stage.ada.hears(stage.room, /is open/, { behind: stage.ada.say(stage.room, '!munch new players=4 answer=5s window=5s') });
};
const sitsDown = (stage, person = stage.people[1]) => stage.until(`${person.name} has sat down`, () => sits(stage, person) === 1, 60_000);

describe('what comes', { concurrency: 3 }, () => {
  test('events that no JSON library reads: what else came with them is heard', OPTIONS, run({}, async stage => {
    await table(stage);
    let deep = [];
    for (let i = 0; i < 3000; i++) deep = [deep];
    for (const body of ['zero \0 byte', 'half \ud83d of a pair']) stage.ada.say(stage.room, body);
    stage.room.force(stage.ada.id, 'org.example', undefined, { deep, ['\0']: 1 });
    stage.room.force(stage.ada.id, 'm.room.member', stage.ada.id, { membership: 'join', displayname: 'A\0da\udfff' });
    stage.people[1].say(stage.room, '!munch join');
    await sitsDown(stage);
    await stage.works();
  }));

  test('numbers where they do not belong', OPTIONS, run({}, async stage => {
    await table(stage);
    for (const number of [0.5, -1e300, 2 ** 53, -1]) {
      const event = stage.room.force(stage.ada.id, 'm.room.message', undefined, { msgtype: 'm.text', body: number });
      Object.assign(event, { origin_server_ts: number, depth: number });
      stage.room.force(stage.ada.id, 'm.room.create', 'x', { room_version: number });
      stage.room.force(stage.ada.id, 'm.room.power_levels', '', { ...stage.room.levels, events_default: number > 0 ? 0 : number,
        users: { [stage.ada.id]: 100, [stage.people[2].id]: number } });
    }
    const line = stage.people[1].say(stage.room, '!munch join');
    line.origin_server_ts = -1.5;
    await sitsDown(stage);
  }));

  test('two bots in one room: neither answers the other', OPTIONS, run({}, async stage => {
    await table(stage);
    const { id, token } = stage.server.person('otherbot', 'Otherbot');
    const other = await Munchbot.make(Object.create(stage.server, { bot: { value: { id, token } } }));
    try {
      stage.room.invite(stage.ada.id, id);
      await other.start();
      await stage.until('it comes in', () => stage.room.membership(id) === 'join');
      const by = (sender, from) => stage.room.events.filter(event => event.sender === sender && event.position > from &&
        event.type === 'm.room.message').length;
      const asked = stage.ada.say(stage.room, '!munch rules');
      await stage.until('both answer', () => {
        stage.ada.joinAll();
        return [...stage.server.rooms.values()].filter(room => [id, stage.server.bot.id].includes(room.creator) &&
          room.events.some(event => event.position > asked.position && event.type === 'm.room.message')).length +
          by(id, asked.position) + by(stage.server.bot.id, asked.position) >= 2;
      });
      // Words of one that would be for the other, if it were a person.
      const own = stage.room.events.find(event => event.sender === stage.server.bot.id && event.type === 'm.room.message');
      const from = stage.server.position;
      for (const msgtype of ['m.notice', 'm.emote']) {
        stage.room.force(id, 'm.room.message', undefined, { msgtype, body: '!munch join', 'm.mentions': { user_ids: [stage.server.bot.id] },
          'm.relates_to': { 'm.in_reply_to': { event_id: own.event_id } } });
      }
      stage.people[1].say(stage.room, '!munch join');
      await sitsDown(stage);
      assert.ok(!stage.ada.reads(stage.room).some(text => text.includes('Otherbot sits down')));
      assert.ok(by(stage.server.bot.id, from) + by(id, from) < 10, 'no talk among bots');
    } finally {
      await other.remove();
    }
  }));

  test('forged markers: a room that somebody has made is none that the bot has made', OPTIONS, run({}, async stage => {
    await stage.comes();
    const [, bob, cem] = stage.people;
    const forged = stage.server.createRoom(cem.id, { creation_content: { 'org.munchbot.room_of': cem.id, 'org.munchbot.by': '$x',
      'org.munchbot.hand_of': bob.id } });
    forged.force(cem.id, 'm.room.create', 'x', { 'org.munchbot.hand_of': bob.id }); // no second beginning
    forged.invite(cem.id, stage.server.bot.id);
    await stage.comes(forged);
    cem.say(forged, 'new'); // no hand room, where bare words were heard
    const txn = said(stage, stage.room)[0]?.content['org.munchbot.txn'];
    cem.say(stage.room, 'looks as if the bot had said it', { 'org.munchbot.txn': txn });
    await stage.works();
    assert.ok(!cem.reads(forged).some(text => /Lobby/.test(text)));
    await stage.works(forged, cem); // in its own words it is a room like any other
  }));
});

describe('what is answered', { concurrency: 3 }, () => {
  test('answers of other shapes: what was asked is asked again', OPTIONS, run({}, async stage => {
    await table(stage);
    await stage.bot.stop();
    stage.people[1].say(stage.room, '!munch join');
    for (let i = 0; i < 120; i++) stage.people[2].say(stage.room, `talk ${i}`);
    stage.server.faults.add({ call: 'whoami', status: 200, body: { user_id: 7 } });
    stage.server.faults.add({ call: 'profile', status: 200, body: '[]' });
    stage.server.faults.add({ call: 'messages', status: 200, body: { chunk: {}, end: 7 } });
    stage.server.faults.add({ call: 'send', when: 'after', status: 200, body: { event_id: 7 } });
    await stage.bot.start();
    await sitsDown(stage);
    assert.ok(!stage.ada.reads(stage.room).some(text => text.includes('lost')));
    await stage.works();
  }));

  test('signed out for a while, softly: nothing is lost, and no hand room is given up', OPTIONS, run({}, async stage => {
    const [, bob] = stage.people;
    await stage.game();
    const out = { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'Soft logged out', soft_logout: true } };
    for (const call of ['members', 'send', 'messages']) stage.server.faults.add({ call, ...out });
    const asked = bob.say(bob.handRoom, 'hand');
    await stage.until('he is answered', () => said(stage, bob.handRoom).some(event => event.position > asked.position), 60_000);
    assert.equal(bob.handRooms.length, 1);
  }));

  test('signed out softly while a gap is filled: what it hid is heard', OPTIONS, run({}, async stage => {
    await table(stage);
    await stage.bot.stop();
    stage.people[1].say(stage.room, '!munch join');
    for (let i = 0; i < 120; i++) stage.people[2].say(stage.room, `talk ${i}`);
    stage.server.faults.add({ call: 'messages', status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'out', soft_logout: true } });
    await stage.bot.start();
    await sitsDown(stage);
    assert.ok(!stage.ada.reads(stage.room).some(text => text.includes('lost')));
  }));

  test('a token that is revoked while a gap is filled ends the bot; with another it hears what the gap hid', OPTIONS, run({}, async stage => {
    await table(stage);
    await stage.bot.stop();
    stage.people[1].say(stage.room, '!munch join');
    for (let i = 0; i < 120; i++) stage.people[2].say(stage.room, `talk ${i}`);
    stage.server.faults.add({ call: 'messages', status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'revoked', soft_logout: false } });
    stage.bot.spawn();
    assert.notEqual((await stage.bot.ended).code, 0);
    await stage.bot.start();
    await sitsDown(stage);
  }));

  test('a token that is revoked in a game: what was to be said is said with another', OPTIONS, run({}, async stage => {
    await stage.game();
    const { bot, sessions } = stage.server;
    const session = sessions.get(bot.token);
    const revoked = { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', error: 'revoked', soft_logout: false } };
    stage.server.faults.add({ call: 'send', if: () => sessions.delete(bot.token), ...revoked });
    const asked = stage.ada.say(stage.room, '!munch pause');
    await stage.until('it was to be said', () => !sessions.has(bot.token));
    stage.server.wake();
    assert.notEqual((await stage.bot.ended).code, 0);
    assert.match(stage.bot.log, /munchbot matrix login/);
    sessions.set(bot.token, session);
    await stage.bot.start();
    await stage.ada.hears(stage.room, /paus/i, { behind: asked });
    for (const person of stage.people) assert.equal(person.handRooms.length, 1);
  }));

  for (const errcode of ['M_UNKNOWN', 'M_UNKNOWN_POS', 'M_INVALID_PARAM']) {
    test(`a token of syncs that is refused with ${errcode}: anew, and the game goes on`, OPTIONS, run({}, async stage => {
      await table(stage);
      stage.server.faults.add({ call: 'sync', if: request => request.query.since !== undefined, status: 400, body: { errcode, error: 'since' } });
      stage.server.wake();
      stage.ada.say(stage.room, 'talk');
      await stage.until('it begins anew', () => stage.server.calls('sync').some((call, i) => i > 0 && call.query.since === undefined));
      await stage.until('it is there', () => stage.server.calls('sync').at(-1).query.since !== undefined);
      stage.people[1].say(stage.room, '!munch join');
      await sitsDown(stage);
      for (const person of stage.people) assert.ok(person.handRooms.length <= 1, 'none is made twice');
    }));
  }

  test('a 400 that is not the homeserver\'s: the token of syncs is kept, nothing is lost', OPTIONS, run({}, async stage => {
    await table(stage);
    await stage.bot.stop();
    stage.people[1].say(stage.room, '!munch join');
    stage.server.faults.add({ call: 'sync', times: 2, status: 400, body: '<html>400 Bad Request</html>' });
    await stage.bot.start();
    await sitsDown(stage);
    assert.ok(stage.server.calls('sync').slice(1).every(call => call.query.since !== undefined));
  }));
});

describe('what is there no more', { concurrency: 3 }, () => {
  test('a room that the account has left and forgotten elsewhere, while nobody listened: its table rests', OPTIONS, run({}, async stage => {
    await stage.game();
    const other = stage.ada.room('Another', { people: stage.people.slice(1) });
    await stage.comes(other);
    await stage.bot.kill();
    stage.room.leave(stage.server.bot.id);
    stage.room.forgotten.add(stage.server.bot.id);
    await stage.bot.start();
    await stage.works(other);
    const done = stage.ada.say(stage.ada.handRoom, 'pause'); // its card has nowhere to lie now
    await stage.until('she is answered', () => said(stage, stage.ada.handRoom).some(event => event.position > done.position));
    stage.room.invite(stage.ada.id, stage.server.bot.id);
    await stage.comes();
    const asked = stage.ada.say(stage.room, '!munch resume');
    await stage.ada.hears(stage.room, / must /, { behind: asked });
    assert.ok(!stage.ada.reads(other).some(text => / must /.test(text)));
  }));

  test('a room that was left and forgotten when syncs began anew: its table rests, all other rooms are kept', OPTIONS, run({}, async stage => {
    await stage.game();
    const other = stage.ada.room('Another', { people: stage.people.slice(1) });
    await stage.comes(other);
    await stage.works(other);
    stage.room.forgotten.add(stage.server.bot.id); // so that no sync tells of it
    stage.room.leave(stage.server.bot.id);
    stage.server.faults.add({ call: 'sync', if: request => request.query.since !== undefined, status: 400, body: { errcode: 'M_UNKNOWN', error: 'since' } });
    stage.ada.say(other, 'talk');
    await stage.until('it knows that it has gone', () => stage.bot.count('event=room-left') === 1);
    await stage.works(other);
    for (const person of stage.people) assert.equal(person.handRooms.length, 1);
    stage.room.invite(stage.ada.id, stage.server.bot.id);
    await stage.comes();
    await stage.ada.hears(stage.room, / must /, { behind: stage.ada.say(stage.room, '!munch resume') });
  }));

  for (const [what, fault] of [['is empty', { status: 200, body: { joined_rooms: [] } }], ['is nonsense', { status: 200, body: { joined_rooms: 7 } }],
    ['is not to be had', { status: 404, body: { errcode: 'M_UNRECOGNIZED', error: 'no' } }], ['is not to be had at once', { status: 502, body: 'bad' }]]) {
    test(`a list of joined rooms that ${what}: no room is given up`, OPTIONS, run({}, async stage => {
      await stage.game();
      await stage.bot.kill();
      stage.server.faults.add({ call: 'joinedRooms', times: 2, ...fault });
      await stage.bot.start();
      stage.server.faults.add({ call: 'sync', if: request => request.query.since !== undefined, status: 400, body: { errcode: 'M_UNKNOWN', error: 'since' } });
      stage.ada.say(stage.room, 'talk');
      await stage.until('it begins anew', () => stage.bot.count('event=connected') === 3);
      const asked = stage.ada.say(stage.room, '!munch pause');
      await stage.ada.hears(stage.room, /paus/i, { behind: asked });
      assert.equal(stage.bot.count('event=room-left'), 0);
      for (const person of stage.people) assert.equal(person.handRooms.length, 1);
    }));
  }

  test('a store of yesterday: nothing is said under the name of something else, and people go on', OPTIONS, run({}, async stage => {
    await table(stage);
    await stage.bot.stop();
    const store = stage.bot.store.replace('sqlite:', '');
    await copyFile(store, `${store}.yesterday`);
    await stage.bot.start();
    stage.people[1].say(stage.room, '!munch join');
    await sitsDown(stage);
    stage.people[2].say(stage.room, '!munch join');
    await sitsDown(stage, stage.people[2]);
    await stage.bot.stop();
    for (const more of ['-wal', '-shm']) await rm(store + more, { force: true });
    await copyFile(`${store}.yesterday`, store);
    const { repeats } = stage.server;
    await stage.bot.start();
    await stage.works();
    await stage.until('all sit where they sat', () => stage.people.every(person =>
      new RegExp(person.name).test(stage.ada.reads(stage.room).filter(text => /seats? taken/.test(text)).at(-1))), 60_000);
    assert.equal(stage.server.repeats, repeats, 'no message is taken for another');
    const start = stage.ada.say(stage.room, '!munch start');
    await stage.ada.hears(stage.room, 'dealt', { behind: start });
  }));
});

// Encrypted rooms, with a munchbot-crypto that pretends (fake/helper.mjs): who is to read what, what comes late, and a
// helper that would show it to others.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Stage } from './play/stage.mjs';
import { PROGRAM } from './play/munchbot.mjs';
import { Vault, beside } from './play/vault.mjs';

const OPTIONS = { timeout: 120_000 };
let place;
before(async () => { place = await beside(); });
after(() => place.remove());

const unsealed = event => JSON.parse(Buffer.from(event.content.ciphertext, 'base64'));

// Ada and Bob in an encrypted room with the bot, whose device is signed.
const run = (behaviour, use, state = {}, people = ['ada', 'bob']) => async () => {
  const vault = new Vault(place);
  vault.behaves({ signed: true, ...behaviour });
  await Stage.run({ people, start: false, bot: vault.bot }, async stage => {
    for (const person of stage.people) stage.server.keys.devices.set(person.id, { PHONE: {} });
    stage.server.keys.devices.set(stage.server.bot.id, {});
    const room = stage.ada.room('Secrets', { bot: false, initial_state: [
      { type: 'm.room.encryption', state_key: '', content: { algorithm: 'm.megolm.v1.aes-sha2', ...state } }] });
    for (const person of stage.people.slice(1)) {
      room.invite(stage.ada.id, person.id);
      room.join(person.id);
    }
    await stage.bot.start();
    await stage.until('its keys are there', () => vault.kept.uploaded);
    await stage.works();
    room.invite(stage.ada.id, stage.server.bot.id);
    await stage.comes(room);
    await use(stage, room, vault);
  });
};

const key = (stage, person, session) => stage.server.keys.send(person.id, 'm.test.key', { [stage.server.bot.id]: { TABLES: { session } } });

/** Sends an event, sealed; its key is sent before or later. */
const seal = (room, person, session, type, content, state = undefined) => room.send(person.id, 'm.room.encrypted', state, { algorithm: 'm.megolm.v1.aes-sha2',
  session_id: session, ciphertext: Buffer.from(JSON.stringify({ type, content })).toString('base64') });
const say = (stage, room, person, body, session) => seal(room, person, session, 'm.room.message', { msgtype: 'm.text', body });
const asked = (vault, event) => vault.asked('unseal').some(ask => ask.events.some(each => each.event_id === event.event_id));

const ofBot = (stage, room, type) => room.events.filter(event => event.sender === stage.server.bot.id && event.type === type);
// What is alone in an edit is its first line.
const bodyOf = event => (unsealed(event).content['m.new_content'] ?? unsealed(event).content).body;
const answers = (stage, room, words) => ofBot(stage, room, 'm.room.encrypted').some(event => words.test(bodyOf(event)));

/** Nothing in clear, and nothing for anybody who was no reader. */
const isTight = (stage, room) => {
  assert.equal(ofBot(stage, room, 'm.room.message').length, 0);
  const people = room.members('join').filter(user => user !== stage.server.bot.id);
  for (const event of ofBot(stage, room, 'm.room.encrypted')) {
    assert.ok(unsealed(event).readers.every(user => people.includes(user)));
    assert.equal(event.content.body, undefined);
    if (event.content['m.relates_to']?.rel_type === 'm.replace') assert.deepEqual(unsealed(event).content['m.mentions'], {}); // it calls nobody
  }
};

describe('encrypted rooms', { concurrency: 4 }, () => {
  test('a line is heard and answered, sealed for who is there', OPTIONS, run({}, async (stage, room) => {
    key(stage, stage.ada, 'one');
    say(stage, room, stage.ada, '!munch new', 'one');
    await stage.until('a table', () => answers(stage, room, /is open/));
    isTight(stage, room);
    const sent = stage.server.calls('sendToDevice').flatMap(call => Object.keys(call.body.messages));
    assert.deepEqual([...new Set(sent)].sort(), stage.people.map(person => person.id).sort());
  }));

  test('a line whose key comes late is heard then, once', OPTIONS, run({}, async (stage, room, vault) => {
    const said = say(stage, room, stage.ada, '!munch new', 'late');
    await stage.until('it is tried', () => vault.asked('unseal').some(ask => ask.events.some(event => event.event_id === said.event_id)));
    stage.server.keys.send(stage.ada.id, 'm.test.key', { [stage.server.bot.id]: { TABLES: { session: 'other' } } });
    await stage.works();
    assert.ok(!answers(stage, room, /is open/));
    key(stage, stage.ada, 'late');
    await stage.until('a table', () => answers(stage, room, /is open/));
    key(stage, stage.ada, 'late');
    await stage.works();
    assert.equal(ofBot(stage, room, 'm.room.encrypted').filter(event => /is open/.test(bodyOf(event)) &&
      !event.content['m.relates_to']).length, 1);
    isTight(stage, room);
  }));

  test('what is said in clear there is nobody’s word', OPTIONS, run({}, async (stage, room) => {
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    const before = ofBot(stage, room, 'm.room.encrypted').length;
    stage.ada.say(room, '!munch new');
    await stage.works();
    assert.equal(ofBot(stage, room, 'm.room.encrypted').length, before);
    isTight(stage, room);
  }));

  test('whose device is not signed is told in clear that they are not heard, once an hour, and nothing else', OPTIONS,
    run({ unsigned: ['@bob:hs'] }, async (stage, room) => {
      const bob = stage.people[1];
      for (const person of stage.people) key(stage, person, person.id);
      await stage.until('a welcome', () => answers(stage, room, /munch/));
      say(stage, room, bob, '!munch new', bob.id);
      await stage.until('he is told', () => ofBot(stage, room, 'm.room.message').length > 0);
      for (let i = 0; i < 5; i++) say(stage, room, bob, '!munch help', bob.id);
      say(stage, room, stage.ada, '!munch new', stage.ada.id);
      await stage.until('a table', () => answers(stage, room, /is open/));
      await stage.works();
      assert.deepEqual(ofBot(stage, room, 'm.room.message').map(event => event.content.body.split('.')[0]),
        ["Bob, your device isn't verified, so I don't take what you say from it"]);
    }));

  test('whose app keeps a key to itself is told, once an hour; what was said before the bot came is nobody’s line', OPTIONS, run({}, async (stage, room, vault) => {
    const [, bob] = stage.people;
    key(stage, stage.ada, 'one');
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    for (let i = 0; i < 3; i++) say(stage, room, bob, '!munch new', 'withheld');
    await stage.until('he is told', () => answers(stage, room, /Bob, I can't read/));
    say(stage, room, bob, '!munch new', 'withheld');
    say(stage, room, stage.ada, '!munch new', 'one');
    await stage.until('a table', () => answers(stage, room, /is open/));
    await stage.works();
    assert.deepEqual(ofBot(stage, room, 'm.room.encrypted').map(bodyOf).filter(body => /can't read/.test(body)),
      ["Bob, I can't read something you said: your app gave me no key for it. Say it again."]);
    isTight(stage, room);
    const other = stage.ada.room('Other', { bot: false, initial_state: [{ type: 'm.room.encryption', state_key: '', content: { algorithm: 'm.megolm.v1.aes-sha2' } }] });
    const before = say(stage, other, stage.ada, '!munch new', 'one');
    other.invite(stage.ada.id, stage.server.bot.id);
    await stage.comes(other);
    say(stage, other, stage.ada, '!munch help new', 'one');
    await stage.until('an answer', () => [room, other, ...stage.ada.handRooms].some(each => answers(stage, each, /opens a table/)));
    assert.ok(!asked(vault, before) && !answers(stage, other, /is open/));
  }));

  test('who would compare keys is told the fingerprint, and a device is told that it is over', OPTIONS, run({}, async (stage, room, vault) => {
    const [ada, bob] = stage.people;
    key(stage, ada, 'one');
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    const ask = (person, transaction) => stage.server.keys.send(person.id, 'm.key.verification.request', { [stage.server.bot.id]: { TABLES: {
      from_device: 'PHONE', transaction_id: transaction, methods: ['m.sas.v1'], timestamp: Date.now() } } });
    const cancelled = () => stage.server.calls('sendToDevice').filter(call => call.parts[0] === 'm.key.verification.cancel').map(call => call.body.messages);
    ask(bob, 'a/b');
    await stage.until('it is cancelled', () => cancelled().length === 1);
    const fingerprint = vault.kept.keys.match(/.{1,4}/g).join(' ');
    assert.deepEqual(cancelled(), [{ [bob.id]: { PHONE: { transaction_id: 'a/b', code: 'm.user', reason: `I can't compare symbols. Compare my device's fingerprint: ${fingerprint}` } } }]);
    const sealed = () => ofBot(stage, room, 'm.room.encrypted').map(unsealed);
    const said = who => sealed().map(each => each.content.body ?? '').filter(body => body.startsWith(`${who}, I can't compare`) && body.includes(fingerprint));
    await stage.until('he is told', () => said('Bob').length === 1);
    ask(bob, 'c');
    await stage.until('that is cancelled, too', () => cancelled().length === 2);
    const askHere = to => seal(room, ada, 'one', 'm.room.message', { msgtype: 'm.key.verification.request', body: 'verify', to, from_device: 'PHONE', methods: [] });
    const over = () => sealed().filter(each => each.type === 'm.key.verification.cancel');
    askHere(bob.id);
    const asked = askHere(stage.server.bot.id);
    await stage.until('she is told', () => said('Ada').length === 1);
    await stage.until('her device is told in the room, for who is in it', () => over().length === 1);
    const relation = { rel_type: 'm.reference', event_id: asked.event_id };
    assert.deepEqual(over()[0].content, { 'm.relates_to': relation, code: 'm.user', reason: `I can't compare symbols. Compare my device's fingerprint: ${fingerprint}` });
    assert.deepEqual([...over()[0].readers].sort(), [ada.id, bob.id].sort());
    assert.deepEqual(ofBot(stage, room, 'm.room.encrypted').filter(event => unsealed(event).type === 'm.key.verification.cancel').map(event => event.content['m.relates_to']), [relation]);
    // Element's clients ask in clear.
    const plain = room.send(bob.id, 'm.room.message', undefined, { msgtype: 'm.key.verification.request', body: '!munch new', to: stage.server.bot.id, from_device: 'PHONE', methods: [] });
    await stage.until('his device is told in the room, too', () => over().length === 2);
    assert.equal(over()[1].content['m.relates_to'].event_id, plain.event_id);
    assert.ok(!answers(stage, room, /is open/));
    for (let i = 0; i < 50; i++) askHere(stage.server.bot.id);
    stage.server.keys.send(ada.id, 'm.key.verification.request', { [stage.server.bot.id]: { TABLES: { from_device: 7 } } });
    for (let i = 0; i < 1000; i++) ask(ada, `flood ${i}`);
    await stage.works();
    assert.deepEqual([said('Bob').length, said('Ada').length], [1, 1]);
    assert.ok(cancelled().length < 100 && over().length < 10);
    isTight(stage, room);
  }));

  test('who leaves reads nothing more', OPTIONS, run({}, async (stage, room) => {
    key(stage, stage.ada, 'one');
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    room.leave(stage.people[1].id);
    say(stage, room, stage.ada, '!munch new', 'one');
    await stage.until('a table', () => answers(stage, room, /is open/));
    const [first, ...others] = ofBot(stage, room, 'm.room.encrypted').map(event => unsealed(event).readers);
    assert.deepEqual(first.sort(), stage.people.map(person => person.id).sort());
    for (const readers of others) assert.deepEqual(readers, [stage.ada.id]);
  }));

  test('whose homeserver does not answer holds up nobody', OPTIONS, run({}, async (stage, room) => {
    stage.server.keys.away.add(stage.people[1].id);
    key(stage, stage.ada, 'one');
    say(stage, room, stage.ada, '!munch new', 'one');
    await stage.until('a table', () => answers(stage, room, /is open/), 20_000);
    isTight(stage, room);
  }));

  for (const [what, behaviour] of Object.entries({
    'would give the key to somebody else': { leaks: '@eve:hs' },
    'would give the key to the bot’s other devices': { leaks: '@munchbot:hs' },
    'says it in clear beside': { clear: true },
    'wants it sent elsewhere': { strays: '/_matrix/client/v3/sendToDevice/m.test/1' },
    'wants it sent into a room': { strays: '/_matrix/client/v3/sendToDevice/m.room.encrypted/../../rooms' },
  })) {
    test(`a helper that ${what}: nothing goes`, OPTIONS, run(behaviour, async (stage, room, vault) => {
      await stage.until('it is refused', () => /would have shown a message/.test(stage.bot.log));
      await stage.works();
      if (!behaviour.clear) assert.equal(stage.server.calls('sendToDevice').length, 0);
      assert.equal(ofBot(stage, room, 'm.room.encrypted').length + ofBot(stage, room, 'm.room.message').length, 0);
      assert.ok(vault.asked('seal').length > 0);
    }));
  }

  test('a message that was not taken goes again as it was sealed', OPTIONS, run({}, async (stage, room) => {
    stage.server.faults.add({ call: 'send', if: request => request.parts[1] === 'm.room.encrypted', status: 502, body: 'bad gateway', when: 'before' });
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    const [first, second] = stage.server.calls('send').filter(call => call.parts[1] === 'm.room.encrypted');
    assert.deepEqual(second.body, first.body);
    assert.equal(second.path, first.path);
  }));

  test('what an earlier process has sent is found without its key', OPTIONS, run({}, async (stage, room, vault) => {
    key(stage, stage.ada, 'one');
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    await stage.works();
    const tables = () => ofBot(stage, room, 'm.room.encrypted').filter(event => /is open/.test(bodyOf(event)) && !event.content['m.relates_to']);
    stage.server.faults.add({ call: 'send', if: request => request.parts[0] === room.id, hang: true, when: 'after', times: Infinity });
    say(stage, room, stage.ada, '!munch new', 'one');
    await stage.until('it is sent', () => tables().length > 0);
    await stage.bot.kill();
    stage.server.faults.clear();
    stage.server.transactions.clear(); // a homeserver forgets them
    const looks = stage.server.calls('messages').length;
    vault.behaves({ signed: true, refuses: 'unseal' });
    await stage.bot.start();
    await stage.until('it has looked', () => stage.server.calls('messages').length > looks);
    await stage.works();
    assert.equal(tables().length, 1);
    isTight(stage, room);
  }));

  // It looks for what may stand there already; meanwhile the room is gone, and with it that it is encrypted.
  test('a room that the bot was put out of while it looked: nothing goes there', OPTIONS, run({}, async (stage, room) => {
    key(stage, stage.ada, 'one');
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    await stage.works();
    stage.server.faults.add({ call: 'send', if: request => request.parts[0] === room.id, hang: true, times: Infinity });
    const sends = () => stage.server.calls('send').filter(call => call.parts[0] === room.id).length;
    let before = sends();
    say(stage, room, stage.ada, '!munch new', 'one');
    await stage.until('it is tried', () => sends() > before);
    await stage.bot.kill();
    stage.server.faults.clear();
    let left = false;
    stage.server.faults.add({ call: 'messages', if: request => request.parts[0] === room.id, async hold() {
      room.remove(stage.ada.id, stage.server.bot.id);
      await new Promise(resolve => { setTimeout(resolve, 1000); });
      left = true;
    } });
    before = sends();
    stage.bot.spawn();
    await stage.until('it has looked', () => left);
    await stage.works();
    assert.equal(sends(), before);
    isTight(stage, room);
  }));

  test('sealed state is no state', OPTIONS, run({}, async (stage, room) => {
    const bob = stage.people[1];
    key(stage, stage.ada, 'one');
    key(stage, bob, 'one');
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    const { content } = room.stateOf('m.room.power_levels');
    room.send(stage.ada.id, 'm.room.power_levels', '', { ...content, users: { ...content.users, [bob.id]: 50 } });
    say(stage, room, bob, '!munch help', 'one'); // its devices are asked for
    await stage.works();
    seal(room, bob, 'one', 'm.room.encryption', { algorithm: 'm.rot13' }, '');
    await stage.works();
    say(stage, room, stage.ada, '!munch new', 'one');
    await stage.until('a table', () => answers(stage, room, /is open/));
    isTight(stage, room);
  }));

  test('sealed redactions take nothing back', OPTIONS, run({}, async (stage, room, vault) => {
    const bob = stage.people[1];
    key(stage, stage.ada, 'one');
    key(stage, bob, 'one');
    say(stage, room, bob, '!munch help', 'one');
    say(stage, room, stage.ada, '!munch new players=3', 'one');
    const cards = () => ofBot(stage, room, 'm.room.encrypted').filter(event => /is open/.test(bodyOf(event)));
    await stage.until('a table', () => cards().length > 0);
    const forged = seal(room, bob, 'one', 'm.room.redaction', { redacts: cards()[0].event_id });
    await stage.until('it is tried', () => asked(vault, forged));
    await stage.works();
    say(stage, room, bob, '!munch join', 'one');
    await stage.until('he sits down', () => answers(stage, room, /Bob/));
    await stage.works();
    assert.deepEqual(cards().map(event => event.content['m.relates_to']?.event_id), [undefined, ...cards().slice(1).map(() => cards()[0].event_id)]);
    assert.ok(cards().length > 1);
  }));

  test('a line of the type that encrypts rooms encrypts none', OPTIONS, run({}, async stage => {
    await stage.comes();
    await stage.works();
    await stage.bot.kill();
    stage.room.send(stage.ada.id, 'm.room.encryption', undefined, { algorithm: 'm.megolm.v1.aes-sha2' });
    const said = stage.ada.say(stage.room, '!munch new');
    await stage.bot.start();
    await stage.ada.hears(stage.room, /is open/, { behind: said });
  }));

  test('a helper that cannot say once how its keys are: lines are heard all the same', OPTIONS, run({}, async (stage, room, vault) => {
    key(stage, stage.ada, 'one');
    say(stage, room, stage.ada, '!munch help', 'one');
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    await stage.works();
    vault.behaves({ signed: true, refuses: 'status' });
    const before = vault.asked('status').length;
    key(stage, stage.ada, 'two');
    await stage.until('it is asked', () => vault.asked('status').length > before);
    await stage.works();
    say(stage, room, stage.ada, '!munch new', 'one');
    await stage.until('a table', () => answers(stage, room, /is open/));
    isTight(stage, room);
  }));

  for (const [what, spoil] of Object.entries({
    'is nested too deeply': event => { for (let i = 0; i < 130; i++) event.content.deep = [event.content.deep ?? 1]; },
    'the helper refuses': event => { event.content.session_id = 'refused'; },
    'is as long as a frame': event => { event.content.long = 'x'.repeat(1 << 20); },
    'is long, as what comes with it': event => { event.content.long = 'x'.repeat(300_000); },
  })) {
    test(`an event that ${what} takes no other with it`, OPTIONS, run({}, async (stage, room) => {
      const bob = stage.people[1];
      key(stage, stage.ada, 'one');
      say(stage, room, stage.ada, '!munch help', 'one');
      await stage.until('a welcome', () => answers(stage, room, /munch/));
      await stage.works();
      for (let i = 0; i < 4; i++) spoil(say(stage, room, bob, 'x', 'two'));
      say(stage, room, stage.ada, '!munch new', 'one');
      await stage.until('a table', () => answers(stage, room, /is open/));
      isTight(stage, room);
    }));
  }

  test('an algorithm that is not known: it is told that the room cannot be read', OPTIONS, async () => {
    await run({}, async (stage, room) => {
      await stage.until('a notice', () => ofBot(stage, room, 'm.room.message').length === 1);
      assert.equal(ofBot(stage, room, 'm.room.encrypted').length, 0);
    }, { algorithm: 'm.rot13' })();
  });

  /* Rooms for hands. */

  const noDevice = stage => stage.bot.count('no verified device') + stage.bot.count('no keys for that now');

  const handsOf = (stage, person) => person.handRooms.filter(room => ofBot(stage, room, 'm.room.message')
    .some(event => /Your hand/.test(event.content.body)));
  const sealedHand = (stage, person) => person.handRooms.some(room => answers(stage, room, /Your hand/));

  const deals = async (stage, room) => {
    for (const person of stage.people) key(stage, person, person.id);
    say(stage, room, stage.ada, '!munch new players=4 answer=5s window=5s', stage.ada.id);
    await stage.until('a table', () => answers(stage, room, /is open/));
    for (const person of stage.people.slice(1)) {
      say(stage, room, person, '!munch join', person.id);
      await stage.until(`${person.name} sits down`, () => answers(stage, room, new RegExp(person.name)));
    }
    say(stage, room, stage.ada, '!munch start', stage.ada.id);
  };

  test('a table in an encrypted room: hands are made encrypted, sealed for their owners alone, and say so', OPTIONS,
    run({}, async (stage, room) => {
      await deals(stage, room);
      for (const person of stage.people) {
        await stage.until(`${person.name}'s hand`, () => sealedHand(stage, person), 60_000);
        assert.equal(person.handRooms.length, 1);
        assert.equal(person.handRoom.stateOf('m.room.encryption').content.rotation_period_msgs, 1000);
        assert.match(unsealed(ofBot(stage, person.handRoom, 'm.room.encrypted')[0]).content.body, /^This room is encrypted/);
        for (const event of ofBot(stage, person.handRoom, 'm.room.encrypted')) assert.deepEqual(unsealed(event).readers, [person.id]);
        assert.deepEqual(ofBot(stage, person.handRoom, 'm.room.message').map(event => event.content.body), []);
      }
      isTight(stage, room);
    }, {}, ['ada', 'bob', 'cem']));

  test('who has no device that reads is shown no hand of a table in an encrypted room', OPTIONS,
    run({ bare: ['@bob:hs'] }, async (stage, room) => {
      await deals(stage, room);
      await stage.until('it is told', () => /no verified device/.test(stage.bot.log), 60_000);
      await stage.until('he is told why', () => ofBot(stage, room, 'm.room.message').length > 0);
      await new Promise(resolve => { setTimeout(resolve, 3000); });
      assert.deepEqual(ofBot(stage, room, 'm.room.message').map(event => event.content.body.split('.')[0]), ['Bob, I see no verified device of yours']);
      assert.deepEqual(handsOf(stage, stage.people[1]), []);
      assert.ok(!sealedHand(stage, stage.people[1]));
    }, {}, ['ada', 'bob', 'cem']));

  // A room that is not encrypted, with three people; their phones have a device each.
  const inClear = (behaviour, use, { more = [], program } = {}) => async () => {
    const vault = new Vault(place, more);
    vault.behaves({ signed: true, ...behaviour });
    await Stage.run({ start: false, bot: { ...vault.bot, ...program ? { program } : {} } }, async stage => {
      for (const person of stage.people) stage.server.keys.devices.set(person.id, { PHONE: {} });
      stage.server.keys.devices.set(stage.server.bot.id, {});
      await stage.bot.start();
      if (!program && !more.includes('encryption = off')) await stage.until('its keys are there', () => vault.kept.uploaded);
      await stage.comes();
      await use(stage, vault);
    });
  };

  const everybody = ['@ada:hs', '@bob:hs', '@cem:hs'];
  const starts = async stage => {
    const opened = stage.ada.say(stage.room, '!munch new players=4 answer=5s window=5s');
    await stage.ada.hears(stage.room, /is open/, { behind: opened });
    for (const [i, person] of stage.people.slice(1).entries()) {
      person.say(stage.room, '!munch join');
      await stage.until(`${person.name} sits down`, () => stage.bot.count('verb=join') > i);
    }
    stage.ada.say(stage.room, '!munch start');
  };
  const allSealed = async stage => {
    for (const person of stage.people) {
      await stage.until(`${person.name}'s hand`, () => sealedHand(stage, person), 60_000);
      for (const room of person.handRooms) assert.deepEqual(ofBot(stage, room, 'm.room.message').map(event => event.content.body), []);
    }
  };

  test('always: hands are encrypted', OPTIONS, inClear({}, async stage => {
    await starts(stage);
    await allSealed(stage);
  }, { more: ['encryption = always'] }));

  test('always: who has no device that reads gets no hand', OPTIONS, inClear({ bare: everybody }, async stage => {
    await starts(stage);
    await stage.until('each is given up', () => noDevice(stage) >= stage.people.length);
    for (const person of stage.people) assert.equal(person.handRooms.length, 0);
  }, { more: ['encryption = always'] }));

  test('always, without munchbot-crypto: no hand at all, and the operator is told', OPTIONS, inClear({}, async stage => {
    await starts(stage);
    await stage.until('each is given up', () => noDevice(stage) >= stage.people.length);
    assert.match(stage.bot.log, /encryption = always.*needs munchbot-crypto/);
    stage.room.send(stage.ada.id, 'm.room.message', undefined,
      { msgtype: 'm.key.verification.request', body: 'verify', to: stage.server.bot.id, from_device: 'PHONE', methods: [] });
    await stage.works();
    assert.deepEqual(ofBot(stage, stage.room, 'm.key.verification.cancel'), []); // it has no keys to speak of
    for (const person of stage.people) assert.equal(person.handRooms.length, 0);
  }, { more: ['encryption = always'], program: PROGRAM }));

  test('off: nobody is asked for keys, hands are in clear, encrypted rooms are not read', OPTIONS, inClear({}, async (stage, vault) => {
    await stage.game();
    for (const person of stage.people) assert.equal(person.handRoom.stateOf('m.room.encryption'), undefined);
    const sealed = stage.ada.room('Sealed', { initial_state: [{ type: 'm.room.encryption', content: { algorithm: 'm.megolm.v1.aes-sha2' } }] });
    await stage.comes(sealed);
    await stage.ada.hears(sealed, "I can't read it");
    assert.deepEqual(vault.asks, []);
  }, { more: ['encryption = off'] }));

  test('auto: the hands of a table in clear are encrypted for whom they can be', OPTIONS, inClear({ bare: ['@bob:hs'] }, async stage => {
    await starts(stage);
    for (const person of [stage.ada, stage.people[2]]) {
      await stage.until(`${person.name}'s hand`, () => sealedHand(stage, person), 60_000);
      assert.deepEqual(handsOf(stage, person), []);
    }
    await stage.hand(stage.people[1]);
    assert.match(ofBot(stage, stage.people[1].handRoom, 'm.room.message')[0].content.body, /^This room is not encrypted/);
  }));

  test('a homeserver that forces encryption is no obstacle', OPTIONS, inClear({}, async stage => {
    stage.server.encrypts = true;
    await starts(stage);
    await allSealed(stage);
  }));

  test('a homeserver that forces encryption: who could not read gets no hand', OPTIONS, inClear({ bare: everybody }, async stage => {
    stage.server.encrypts = true;
    await starts(stage);
    await stage.until('each is given up', () => stage.bot.count('encrypts every room') >= stage.people.length);
    for (const person of stage.people) {
      assert.deepEqual(handsOf(stage, person), []);
      assert.ok(!sealedHand(stage, person));
    }
  }));

  test('more than 100 members: told once, in clear, until one leaves', OPTIONS, run({}, async (stage, room) => {
    await stage.until('a welcome', () => answers(stage, room, /munch/));
    key(stage, stage.ada, 'one');
    const crowd = [...Array(99).keys()].map(i => `@p${i}:hs`);
    for (const user of crowd) {
      stage.server.keys.devices.set(user, { PHONE: {} });
      room.force(user, 'm.room.member', user, { membership: 'join' });
    }
    const before = ofBot(stage, room, 'm.room.encrypted').length;
    say(stage, room, stage.ada, '!munch new', 'one');
    await stage.until('it is told', () => ofBot(stage, room, 'm.room.message').some(event => /more than 100 members/.test(event.content.body)), 60_000);
    say(stage, room, stage.ada, '!munch help', 'one');
    await stage.works();
    assert.equal(ofBot(stage, room, 'm.room.encrypted').length, before);
    assert.equal(ofBot(stage, room, 'm.room.message').length, 1);
    room.leave(crowd[0]);
    await stage.works();
    key(stage, stage.people[1], 'two');
    say(stage, room, stage.people[1], '!munch new', 'two');
    await stage.until('an answer', () => ofBot(stage, room, 'm.room.encrypted').length > before, 60_000);
    assert.equal(ofBot(stage, room, 'm.room.message').length, 1);
  }));

  for (const [what, bare] of Object.entries({ 'encrypted if all of them read': [], 'not encrypted if one of them does not': ['@bob:hs'] })) {
    test(`a room that is asked for is ${what}, and says so`, OPTIONS, inClear({ bare }, async stage => {
      key(stage, stage.ada, 'one');
      stage.ada.say(stage.room, '!munch dm');
      await stage.until('a hand room', () => stage.ada.handRoom && answers(stage, stage.ada.handRoom, /Here I am/));
      stage.ada.joinAll();
      say(stage, stage.ada.handRoom, stage.ada, 'room Night with @bob:hs', 'one');
      const made = () => [...stage.server.rooms.values()].find(room => room.stateOf('m.room.create').content['org.munchbot.room_of'] === stage.ada.id ||
        room.stateOf('m.room.name')?.content.name === 'Night');
      await stage.until('it is told', () => answers(stage, stage.ada.handRoom, /invited everybody/), 60_000);
      const type = bare.length > 0 ? 'm.room.message' : 'm.room.encrypted';
      await stage.until('a welcome', () => ofBot(stage, made(), type).length > 1);
      const first = ofBot(stage, made(), type)[0];
      assert.match(bare.length > 0 ? first.content.body : unsealed(first).content.body, bare.length > 0 ? /^This room is not encrypted/ : /^This room is encrypted/);
      assert.equal(made().stateOf('m.room.encryption')?.content.rotation_period_msgs, bare.length > 0 ? undefined : 1000);
    }));
  }

  // Nobody has a device that reads at first, so their hands are in clear.
  test('encryption switched on in a game: from then on no hand in clear, whatever the next processes know', OPTIONS,
    inClear({ bare: everybody }, async (stage, vault) => {
      await stage.game('players=4 answer=300s window=300s');
      const [ada] = stage.people;
      const old = ada.handRoom;
      const cleartext = () => ada.handRooms.flatMap(room => ofBot(stage, room, 'm.room.message')).filter(event => /Your hand/.test(event.content.body)).length;
      const asks = async () => {
        const before = noDevice(stage);
        ada.say(old, 'hand');
        await stage.until('it is refused', () => noDevice(stage) > before);
      };
      stage.room.force(ada.id, 'm.room.encryption', '', { algorithm: 'm.megolm.v1.aes-sha2' });
      const shown = cleartext();
      await asks();
      await stage.bot.kill();
      await stage.bot.start();
      await asks();
      await stage.bot.kill();
      vault.behaves({ signed: false, bare: everybody });
      await stage.bot.start();
      await asks();
      await stage.bot.kill();
      stage.bot.program = PROGRAM;
      await stage.bot.start();
      await asks();
      assert.equal(cleartext(), shown);
      await stage.bot.kill();
      stage.bot.program = place.program;
      vault.behaves({ signed: true });
      await stage.bot.start();
      await stage.until('its device is signed', () => vault.asked('status').length > 0);
      ada.say(old, 'hand');
      await stage.until('a sealed hand', () => sealedHand(stage, ada), 60_000);
      assert.equal(cleartext(), shown);
    }));

  test('who leaves the room of a sealed table is shown nothing of it in clear, whatever the next processes know, and told why once', OPTIONS,
    inClear({ bare: everybody }, async (stage, vault) => {
      await stage.game('players=4 answer=300s window=300s');
      const [, bob] = stage.people;
      const elsewhere = stage.ada.room('Elsewhere', { people: [bob] });
      await stage.comes(elsewhere);
      const old = bob.handRoom;
      stage.room.force(stage.ada.id, 'm.room.encryption', '', { algorithm: 'm.megolm.v1.aes-sha2' });
      const clear = room => ofBot(stage, room, 'm.room.message').map(event => event.content.body);
      const asks = async (room, line) => {
        const before = noDevice(stage);
        const from = Math.max(...room.events.map(event => event.position));
        bob.say(room, line);
        await stage.until(`${line} is refused, or answered`, () => noDevice(stage) > before || [room, ...bob.handRooms].some(each =>
          ofBot(stage, each, 'm.room.message').some(event => event.position > from)));
        await stage.works(elsewhere);
      };
      const cards = clear(old).flatMap(body => [...body.matchAll(/(?:^\d+\. |For later: |; )([^:;\n]+):/gm)]).map(([, name]) => name);
      assert.ok(cards.length > 0);
      const told = room => clear(room).filter(body => /no verified device of yours/.test(body)).length;
      await asks(old, 'hand');
      await stage.until('he is told why', () => told(old) === 1);
      stage.room.leave(bob.id);
      old.leave(bob.id);
      old.leave(stage.server.bot.id); // which its operator has seen to
      await stage.works(elsewhere);
      for (const [behaviour, program] of [[{}, place.program], [{ signed: false }, place.program], [{}, PROGRAM]]) {
        await stage.bot.kill();
        vault.behaves({ signed: true, bare: everybody, ...behaviour });
        stage.bot.program = program;
        await stage.bot.start();
        await asks(elsewhere, '!munch dm');
        for (const line of ['hand', 'play all', 'play nothing that he has']) {
          const own = bob.handRooms.find(room => room !== old && room.membership(bob.id) === 'join');
          await (own ? asks(own, line) : asks(elsewhere, `!munch ${line}`));
        }
        const others = bob.handRooms.filter(room => room !== old).flatMap(clear);
        assert.deepEqual(others.filter(body => /Your hand/.test(body) || cards.some(name => body.includes(name))), []);
      }
      assert.equal(told(old), 1);
      assert.equal(told(stage.room), 0);
    }));

  test('after a restart a sealed hand is asked for and shown in the same room', OPTIONS, run({}, async (stage, room) => {
    await deals(stage, room);
    await allSealed(stage);
    await stage.bot.kill();
    await stage.bot.start();
    const hand = stage.ada.handRoom;
    const before = ofBot(stage, hand, 'm.room.encrypted').length;
    say(stage, hand, stage.ada, 'hand', stage.ada.id);
    await stage.until('it is shown', () => ofBot(stage, hand, 'm.room.encrypted').length > before);
    assert.equal(stage.ada.handRooms.length, 1);
    await allSealed(stage);
    isTight(stage, room);
  }, {}, ['ada', 'bob', 'cem']));

  for (const [what, behaviour] of Object.entries({
    'does not say who reads': { refuses: 'readers' },
    'asks for somebody else': { snoops: ['@eve:hs'] },
  })) {
    test(`a helper that ${what}: no hand of a sealed table, and nobody else is asked for`, OPTIONS, run(behaviour, async (stage, room) => {
      await deals(stage, room);
      await stage.until('each is given up', () => noDevice(stage) >= stage.people.length, 60_000);
      for (const person of stage.people) {
        assert.deepEqual(handsOf(stage, person), []);
        assert.ok(!sealedHand(stage, person));
      }
      assert.ok(stage.server.calls('keysQuery').every(call => !('@eve:hs' in call.body.device_keys)));
    }, {}, ['ada', 'bob', 'cem']));
  }

  test('a helper that takes long to say who reads: hands wait for it', OPTIONS, run({ dawdles: 'readers' }, async (stage, room) => {
    await deals(stage, room);
    await allSealed(stage);
    isTight(stage, room);
  }, {}, ['ada', 'bob', 'cem']));
});

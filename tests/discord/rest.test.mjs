// REST as it is on bad days, and what is said there by clocks and people that are wrong.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isCard } from './fake/people.mjs';
import { textOf } from './fake/world.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 300_000 };
const CREATE = { method: 'POST', template: '/channels/{channel_id}/messages' };
const EDIT = { method: 'PATCH', template: '/channels/{channel_id}/messages/{message_id}' };
const CALLBACK = { template: '/interactions/{interaction_id}/{interaction_token}/callback' };
const OPEN = { template: '/users/@me/channels' };
const run = (options, use) => () => Stage.run(options, use);
const limited = (seconds, scope, more = {}) => ({ status: 429, headers: { 'X-RateLimit-Scope': scope, ...more },
  body: { message: 'You are being rate limited.', retry_after: seconds, global: scope === 'global' } });
const posts = (stage, name) => [...stage.channel.messages.values()].filter(message => textOf(message).includes(name));
const inLobby = stage => stage.until('the table card names all three', () =>
  stage.people.every(person => posts(stage, person.user.global_name).length > 0));

const FAULTS = {
  'a 429 of the bot\'s own': limited(0.65, 'user'), 'a shared 429': limited(0.3, 'shared'),
  'a global 429': limited(0.3, 'global', { 'X-RateLimit-Global': 'true' }),
  'a 429 of Cloudflare\'s': { status: 429, headers: { 'Retry-After': '1' }, body: '<html>1015</html>' },
  'a 500': { status: 500 }, 'a 502 in HTML': { status: 502, body: '<html>' }, 'a 520 without a body': { status: 520, body: '' },
  'a cut connection': { cut: true },
};

// Each nonce is one message, whatever its place; nothing was shown twice.
const assertOnce = stage => {
  const shown = [...stage.fake.world.channels.values()].flatMap(channel => [...channel.messages.values()])
    .filter(message => message.nonce !== undefined).map(message => message.nonce);
  assert.equal(new Set(shown).size, shown.length);
};

describe('REST', { concurrency: 3 }, () => {
  // Discord names one limit for posts and edits, and counts them apart.
  test('many press and type at once: no limit is exceeded', OPTIONS, run({ people: ['Ada', 'Bob', 'Cem', 'Dot', 'Eve'] }, async stage => {
    await stage.players[0].slash('munch new', { players: 6, sets: 'classic' }); // a full lobby has no "Sit down"
    const card = await stage.until('a card', () => [...stage.channel.messages.values()].find(isCard));
    for (let round = 0; round < 12; round++) {
      for (const person of stage.people.slice(1)) {
        if (round % 3 === 2) person.slash(stage.channel, round % 2 ? 'munch table leave' : 'munch join');
        else person.press(card, round % 2 ? 'Get up' : 'Sit down');
        await pause(70);
      }
      if (round % 3 === 0) await pause(900);
    }
    await stage.works();
    assert.equal(stage.fake.rest.log.filter(entry => entry.status === 429).length, 0);
  }));

  for (const [what, fault] of Object.entries(FAULTS)) {
    test(`messages meet ${what}: all arrive, once`, OPTIONS, run({}, async stage => {
      stage.fake.faults.add({ ...CREATE, ...fault, times: 2 }).add({ ...EDIT, ...fault }).add({ ...OPEN, ...fault });
      await stage.lobby();
      await inLobby(stage);
      await stage.works();
      assertOnce(stage);
    }));
  }

  for (const [what, fault] of Object.entries({ 'is a 502': { status: 502 }, 'is cut off': { cut: true } })) {
    test(`messages are carried out and the answer ${what}: each is shown once`, OPTIONS, run({}, async stage => {
      stage.fake.faults.add({ ...CREATE, ...fault, when: 'after', times: 3 }).add({ ...EDIT, ...fault, when: 'after', times: 2 });
      await stage.lobby();
      await inLobby(stage);
      await stage.until('a message comes again', () => stage.fake.repeats > 0);
      assertOnce(stage);
    }));
  }

  test('a message is carried out, its answer lost, and it is deleted: it is not shown again', OPTIONS, run({}, async stage => {
    stage.fake.faults.add({ ...CREATE, status: 500, when: 'after' });
    let deleted;
    stage.fake.world.on('message', (message, channel) => {
      if (message.nonce === undefined || deleted) return;
      deleted = message.nonce;
      setTimeout(() => channel.messages.delete(message.id), 100);
    });
    await stage.lobby();
    await stage.until('the nonce comes again', () => stage.posts.some(entry => entry.code === 10008));
    await stage.works();
    assertOnce(stage);
  }));

  test('one request is never answered: the others go on, and it is sent again', OPTIONS, run({ reads: false }, async stage => {
    stage.fake.faults.add({ ...CREATE, hang: true });
    await stage.lobby();
    await stage.works(5000);
    await inLobby(stage);
    assertOnce(stage);
  }));

  test('a 429 once in a burst: what was said comes in order', OPTIONS, run({}, async stage => {
    await stage.lobby();
    stage.fake.faults.add({ ...CREATE, ...limited(1, 'user') }).add({ ...EDIT, ...limited(1, 'user') });
    for (const player of stage.players.slice(1)) await player.say('leave');
    for (const player of stage.players.slice(1)) await player.say('join');
    await stage.until('the last has joined', () => posts(stage, 'Cem').length > 0);
    assertOnce(stage);
  }));

  test('callbacks meet faults: what was committed stays, and is there to be seen', OPTIONS, run({}, async stage => {
    stage.fake.faults.add({ ...CALLBACK, status: 500, when: 'after', times: 2 }).add({ ...CALLBACK, cut: true, times: 2 });
    for (let i = 0; i < 3; i++) stage.people[0].slash(stage.channel, 'munch new', { players: 4 });
    await stage.until('a table is opened', () => posts(stage, 'Ada').length > 0);
    await stage.works();
  }));

  for (const minutes of [5, -5]) {
    test(`the own clock is ${Math.abs(minutes)} minutes ${minutes > 0 ? 'slow' : 'fast'}: nothing is late`, OPTIONS,
      run({ fake: { now: () => Date.now() + minutes * 60_000 } }, async stage => {
        await stage.lobby();
        await inLobby(stage);
        assert.ok(!stage.bot.log.includes('interaction-late'));
      }));

    test(`and late is late by Discord's clock (${minutes})`, OPTIONS,
      run({ fake: { now: () => Date.now() + minutes * 60_000 } }, async stage => {
        const { payload } = stage.fake.interactions.make(2, stage.people[0].user, stage.channel,
          { id: '1', name: 'munch', type: 1, options: [{ name: 'new', type: 1, options: [] }] });
        await pause(6000);
        for (let i = 0; i < 2; i++) stage.fake.world.emit('event', 'INTERACTION_CREATE', payload, stage.guild.id);
        await stage.works();
        assert.match(stage.bot.log, /interaction-late/);
        assert.equal(stage.channel.messages.size, 0);
      }));
  }

  test('an interaction comes five times: it is carried out once', OPTIONS, run({}, async stage => {
    await stage.players[0].slash('munch new', { players: 4 });
    const joined = stage.people[1].slash(stage.channel, 'munch join');
    stage.gateway.again(1);
    await joined.answered;
    for (let i = 0; i < 4; i++) stage.gateway.again(1);
    await stage.works();
    assert.equal(joined.answers.length, 1);
    assertOnce(stage);
  }));

  test('a thousand commands in a second from one person: the others are heard', OPTIONS,
    run({ before: fake => { fake.gateway.interval = 5000; }, bot: { rate: 2 } }, async stage => {
      await stage.lobby();
      const flood = Array.from({ length: 1000 }, () => stage.people[1].slash(stage.channel, 'munch status'));
      await stage.works(10_000);
      const answered = flood.filter(each => each.answers.length > 0);
      const heard = answered.filter(each => /Round|lobby|Lobby/.test(textOf(each.original ?? {})));
      assert.equal(stage.gateway.sessionsBegun, 1);
      assert.ok(heard.length < 50, `${heard.length} of a thousand were carried out`);
      assert.ok(answered.length > heard.length, 'the others are told so');
    }));

  test('names with markup, mentions, bidi, zero width and emoji are only names', OPTIONS, run({ people: [
    '@everyone', '**bold** `code` ||x||', '[a](http://b)', '\u202Eevil\u2066', 'a\u200Bb\u200D', '😀'.repeat(32),
  ] }, async stage => {
    stage.fake.faults.clear();
    await stage.players[0].slash('munch new', { players: 6 });
    for (const player of stage.players.slice(1)) await player.say('join');
    await stage.until('all have joined', () => posts(stage, '😀').length > 0);
    const all = [...stage.fake.world.channels.values()].flatMap(channel => [...channel.messages.values()]);
    for (const message of all) {
      const text = textOf(message);
      assert.doesNotMatch(text, /(?<!\\)\*\*bold|(?<!\\)`code|(?<!\\)\|\|x|(?<!\\)\[a\]\(|[\u202A-\u202E\u2066-\u2069]|@everyone/);
      assert.ok(!message.mention_everyone);
    }
    assert.deepEqual(stage.fake.world.pushes.filter(push => push.text.includes('everyone') && push.channel === stage.channel.id), []);
  }));

  test('presses that were never offered do nothing', OPTIONS, run({}, async stage => {
    await stage.lobby();
    const card = await stage.until('the card', () => [...stage.channel.messages.values()].find(each => each.components.length > 0));
    await inLobby(stage);
    await stage.works();
    await pause(2000); // the last of what joining has said
    const before = stage.posts.length;
    const forged = ['', 'm1', 'm1:a:b:c', `m1:${'9'.repeat(90)}`, '../..', 'm1:k3v9q2mfa7xe:c42:3', '\u0000', '💥'.repeat(25)];
    for (const custom_id of forged) stage.people[0].forge(card, { custom_id });
    for (const values of [['x'], [7], 'x', [], Array.from({ length: 26 }, (_, i) => `${i}`)]) {
      stage.people[0].forge(card, { custom_id: card.components[0].custom_id ?? 'm1', component_type: 3, values });
    }
    await stage.works();
    assert.equal(stage.posts.length, before);
    assert.equal(stage.gateway.sessionsBegun, 1);
  }));
});

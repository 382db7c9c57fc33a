// The gateway as it is on bad days: lessons 1 to 20 of other libraries, over sockets. What needs hours is in
// test_gateway.c, on a clock of its own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 300_000 };
const run = (options, use) => () => Stage.run(options, use);
const back = (stage, before) => stage.until('munchbot is back', () => stage.gateway.sessionsBegun > before && stage.gateway.connected);

describe('the gateway', { concurrency: 3 }, () => {
  for (const code of [1006, 1001, 1011, 1012, 4000, 4001, 4002, 4003, 4005, 4008]) {
    test(`close ${code}: the session is resumed`, OPTIONS, run({}, async stage => {
      stage.gateway.closeAll(code);
      await back(stage, 1);
      assert.equal(stage.gateway.resumes, 1);
      assert.equal(stage.gateway.identifies.length, 1);
      await stage.works();
    }));
  }

  for (const code of [4007, 4009]) {
    test(`close ${code}: a new session is made`, OPTIONS, run({}, async stage => {
      stage.gateway.closeAll(code);
      await back(stage, 1);
      assert.equal(stage.gateway.identifies.length, 2);
      await stage.works();
    }));
  }

  for (const code of [4004, 4010, 4011, 4012, 4013, 4014]) {
    test(`close ${code}: it ends, and says why`, OPTIONS, run({}, async stage => {
      stage.gateway.closeAll(code);
      assert.equal((await stage.bot.ended).code, 1);
      assert.match(stage.bot.log, /network-lost.*(Discord|too many servers)/);
      assert.equal(stage.gateway.sessionsBegun, 1);
    }));
  }

  test('RECONNECT: the session is resumed at once', OPTIONS, run({}, async stage => {
    stage.gateway.reconnect();
    await back(stage, 1);
    assert.equal(stage.gateway.resumes, 1);
    assert.ok(!stage.gateway.closes.some(code => code === 1000 || code === 1001));
  }));

  for (const resumable of [true, false]) {
    test(`INVALID SESSION on a live one, ${resumable ? '' : 'not '}resumable`, OPTIONS, run({}, async stage => {
      stage.gateway.invalidate(resumable);
      await back(stage, 1);
      assert.equal(stage.gateway.resumes, resumable ? 1 : 0);
      await stage.works();
    }));
  }

  test('INVALID SESSION in answer to RESUME: a new session', OPTIONS, run({}, async stage => {
    stage.gateway.script.invalidFirst = false;
    stage.gateway.closeAll(4000);
    await stage.until('it identifies', () => stage.gateway.identifies.length === 2);
    await stage.works();
  }));

  test('the resume address is dead: the main one, and a new session', OPTIONS,
    run({ before: fake => { fake.resumeUrl = 'ws://127.0.0.1:9'; } }, async stage => {
      stage.gateway.closeAll(1006);
      await stage.until('it identifies', () => stage.gateway.identifies.length === 2, 60_000);
      await stage.works();
    }));

  test('a zombie that answers nothing and reads nothing is left, and its session resumed', OPTIONS,
    run({ before: fake => { fake.gateway.interval = 1000; } }, async stage => {
      stage.gateway.script.swallowAll = true;
      for (const { socket } of stage.gateway.connections) socket.pause();
      await stage.until('it opens another connection', () => stage.gateway.connections.size > 1);
      stage.gateway.script.swallowAll = false;
      await stage.until('it resumes', () => stage.gateway.resumes > 0);
      await stage.works();
    }));

  test('one ack is swallowed: one reconnect, no more', OPTIONS,
    run({ before: fake => { fake.gateway.interval = 6000; } }, async stage => {
      stage.gateway.script.swallowAcks = 1;
      await back(stage, 1);
      const [{ beats: first = 0 }] = [...stage.gateway.connections];
      await stage.until('it has beaten three times more', () => [...stage.gateway.connections][0]?.beats > first + 3);
      assert.equal(stage.gateway.sessionsBegun, 2);
    }));

  test('two beats are demanded at once: both come, and nothing else', OPTIONS, run({}, async stage => {
    stage.gateway.demandBeat();
    stage.gateway.demandBeat();
    await stage.until('two beats', () => [...stage.gateway.connections][0].beats >= 2);
    await stage.works();
    assert.equal(stage.gateway.sessionsBegun, 1);
  }));

  test('upgrades are answered with 520: it tries again', OPTIONS,
    run({ before: fake => { fake.gateway.script.refuse = 2; } }, stage => stage.works()));

  test('connections cut within a message, again and again', OPTIONS, run({}, async stage => {
    for (let i = 0; i < 4; i++) {
      await stage.works(); // it has heard READY or RESUMED: without, and three times so, it has to identify anew
      const before = stage.gateway.sessionsBegun;
      stage.people[0].slash(stage.channel, 'munch look help');
      stage.gateway.cutWithinMessage();
      await back(stage, before);
    }
    assert.equal(stage.gateway.identifies.length, 1);
    await stage.works();
  }));

  for (const [what, start] of Object.entries({
    '500 and HTML': { status: 500, body: '<html>', times: 2 }, 'a cut connection': { cut: true, times: 2 },
    'an empty answer': { status: 200, body: '', times: 1 }, 'no address': { status: 200, body: {}, times: 1 },
  })) {
    test(`where the gateway is, is answered at first with ${what}`, OPTIONS,
      run({ before: fake => fake.faults.add({ template: '/gateway/bot', ...start }) }, stage => stage.works()));
  }

  // 8.5 s and 976 MiB, before their list was kept one at a time and no tree was made of them.
  test('10,000 servers with long lists: people are answered meanwhile, and little is kept', OPTIONS, run({}, async stage => {
    const { world } = stage.fake;
    const json = world.guildJson(stage.guild);
    const members = Array.from({ length: 200 }, (_, i) => ({ user: { id: `${10n ** 17n + BigInt(i)}`, username: `member ${i}` }, roles: [] }));
    const before = stage.bot.cost;
    let longest = 0;
    for (let i = 0; i < 10_000; i++) {
      const id = `${(BigInt(i + 1) << 22n) + 10n ** 18n}`;
      world.emit('event', 'GUILD_CREATE', { ...json, id, members, unavailable: false }, id);
      if (i % 1000 === 999) {
        const begin = Date.now();
        await stage.works();
        longest = Math.max(longest, Date.now() - begin);
      }
    }
    const { seconds, mib } = stage.bot.cost;
    await stage.bot.stop();
    console.log(`${(seconds - before.seconds).toFixed(1)} s of a processor, ${mib.toFixed(0)} MiB, the loop held ${/ held_ms=(\d+)/.exec(stage.bot.log)[1]} ms at most, ` +
      `the longest answer ${longest} ms`);
    assert.ok(mib < 150, `${mib} MiB`);
  }));

  for (const bytes of [1, 4096]) {
    test(`a GUILD_CREATE of megabytes in fragments of ${bytes}, with pings between`, OPTIONS, run({}, async stage => {
      stage.gateway.fragment = bytes;
      const name = 'x'.repeat(bytes === 1 ? 30_000 : 3_000_000);
      stage.fake.world.emit('event', 'GUILD_CREATE', { ...stage.fake.world.guildJson(stage.guild), description: name }, stage.guild.id);
      await stage.works();
      assert.equal(stage.gateway.sessionsBegun, 1);
    }));
  }

  for (const bytes of [1, 2, 3, 4, 5]) {
    test(`packed messages whose last ${bytes} bytes come apart`, OPTIONS,
      run({ before: fake => { fake.gateway.tail = bytes; } }, async stage => {
        await stage.works();
        assert.equal(stage.gateway.sessionsBegun, 1);
      }));
  }

  test('bytes that no packed stream goes on with cost the connection, not the session', OPTIONS, run({}, async stage => {
    stage.gateway.garbage();
    await back(stage, 1);
    assert.equal(stage.gateway.resumes, 1);
    await stage.works();
  }));

  test('events twice and out of order, unknown ones, and numbers that nobody knows', OPTIONS, run({}, async stage => {
    const { world } = stage.fake;
    world.emit('event', 'GUILD_CREATE', world.guildJson(stage.guild), stage.guild.id);
    world.emit('event', 'GUILD_SOMETHING_NEW', { id: 7 }, stage.guild.id);
    world.emit('event', 'INTERACTION_CREATE', { ...stage.fake.interactions.make(99, stage.people[0].user, stage.channel, {}).payload });
    world.emit('event', 'MESSAGE_CREATE', { id: world.ids.next(), author: world.userJson(world.bot), flags: 64, content: '/munch new',
      channel_id: stage.channel.id });
    stage.gateway.raw('{"op":200,"d":{},"s":null,"t":null}');
    stage.gateway.again(3);
    await stage.works();
    assert.equal(stage.gateway.sessionsBegun, 1);
    assert.equal(stage.channel.messages.size, 0);
  }));

  for (const [what, text] of Object.entries({
    'no JSON': '<html>502</html>', 'half a frame': '{"op":0,"t":"READY","d":{', 'op as a word': '{"op":"0"}', 'an array': '[1,2]',
    'a depth of thousands': `{"op":0,"d":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  })) {
    test(`a frame that is ${what} costs the connection, not the session`, OPTIONS, run({}, async stage => {
      stage.gateway.raw(text);
      await back(stage, 1);
      assert.equal(stage.gateway.resumes, 1);
      await stage.works();
    }));
  }

  test('data of the wrong types is passed over', OPTIONS, run({}, async stage => {
    for (const d of [null, 7, 'x', [], {}, { id: 5 }, { id: '1', type: 2, token: {}, data: [] }]) {
      stage.fake.world.emit('event', 'INTERACTION_CREATE', d);
    }
    const good = stage.people[0].slash(stage.channel, 'munch look help').payload;
    for (const wrong of [{ id: 17 }, { id: '../1' }, { channel_id: null }, { member: 3 }, { token: '' }, { type: '2' }, { data: null },
      { guild_id: ['1'] }]) {
      stage.fake.world.emit('event', 'INTERACTION_CREATE', { ...good, ...wrong }, stage.guild.id);
    }
    await stage.works();
    assert.equal(stage.gateway.sessionsBegun, 1);
  }));

  test('a server that ends every session at once is not asked again and again', OPTIONS,
    run({ start: false, before: fake => { fake.gateway.script.endAfterReady = 4009; } }, async stage => {
      stage.bot.spawn();
      await stage.until('it connects', () => stage.gateway.identifies.length > 0);
      await new Promise(resolve => { setTimeout(resolve, 20_000); });
      assert.ok(stage.gateway.identifies.length <= 5, `${stage.gateway.identifies.length} identifications in 20 s`);
      const at = stage.gateway.identifies.map(each => each.at);
      assert.ok(at.every((ms, i) => i === 0 || ms - at[i - 1] >= 4900), 'five seconds apart');
      await stage.bot.kill();
    }));

  test('nothing privileged is asked for, and who it is is shown', OPTIONS, run({}, stage => {
    const [identify] = stage.gateway.sent;
    assert.equal(identify.intents, 1);
    assert.equal(identify.presence.status, 'online');
    assert.equal(identify.token, stage.fake.token);
  }));
});

// Several lives and several processes of one bot: sessions are handed on, shards shared, no limit broken, nothing done twice.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Munchbot } from './play/munchbot.mjs';
import { Player, chance } from './play/players.mjs';
import { Stage } from './play/stage.mjs';
import { textOf } from './fake/world.mjs';

const CLUSTER = fileURLToPath(new URL('../store/postgres_cluster', import.meta.url));
const OPTIONS = { timeout: 300_000 };
const run = (options, use) => () => Stage.run(options, use);

// Another process on the same store.
const beside = async (stage, settings, use) => {
  const other = await Munchbot.make(stage.fake, { rate: 100, store: stage.bot.store, ...settings });
  other.spawn();
  try {
    await use(other);
  } catch (error) {
    error.message += `\nthe other:\n${other.log}`;
    throw error;
  } finally {
    await other.remove();
  }
};

const narrations = (stage, words) => [...stage.channel.messages.values()].filter(message => textOf(message).includes(words));

describe('lives and processes', { concurrency: 3 }, () => {
  for (const end of ['stop', 'kill']) {
    test(`after ${end === 'stop' ? 'SIGTERM' : 'SIGKILL'} the next process resumes the session`, OPTIONS, run({}, async stage => {
      await stage.lobby();
      await pause(2000); // kept once a second
      for (let i = 0; i < 2; i++) {
        await stage.bot[end]();
        await stage.bot.start();
        await stage.works();
      }
      assert.equal(stage.gateway.identifies.length, 1);
      assert.equal(stage.gateway.resumes, 2);
    }));
  }

  test('what is done while no process lives is done by the next, once', OPTIONS, run({}, async stage => {
    stage.fake.interactions.firstMs = 60_000;
    await stage.players[0].slash('munch new', { players: 4 });
    await pause(2000);
    await stage.bot.kill();
    const before = stage.bot.log.length;
    const joining = stage.people[1].slash(stage.channel, 'munch join');
    await stage.bot.start();
    await stage.until('it is answered, or too late', () => joining.answers.length > 0 ||
      stage.bot.log.slice(before).includes('interaction-late'));
    assert.ok(joining.answers.length <= 1);
  }));

  test('answers are lost, and ten minutes pass before the next process: nothing is shown twice', OPTIONS, () => {
    let ahead = 0;
    return Stage.run({ fake: { now: () => Date.now() + ahead } }, async stage => {
      stage.fake.faults.add({ method: 'POST', template: '/channels/{channel_id}/messages', hang: true, when: 'after', times: Infinity });
      await stage.players[0].slash('munch new', { players: 4 });
      const nonces = () => [...stage.fake.world.channels.values()].flatMap(each => [...each.messages.values()])
        .map(message => message.nonce).filter(Boolean);
      await stage.until('the card is shown', () => nonces().length > 0);
      await stage.bot.kill();
      stage.fake.faults.clear();
      ahead = 600_000;
      const lost = stage.posts.map(entry => entry.body.nonce);
      await stage.bot.start();
      await stage.players[1].say('join');
      await stage.until('the card tells of it', () => stage.fake.rest.log.some(entry => entry.method === 'PATCH' &&
        JSON.stringify(entry.body).includes('Bob')));
      assert.equal(new Set(nonces()).size, nonces().length, 'no nonce is there twice');
      const again = stage.posts.slice(lost.length).map(entry => entry.body.nonce);
      assert.deepEqual(again.filter(nonce => lost.includes(nonce)), [], 'it was found, and not sent again');
    });
  });

  test('what never arrived is sent by the next process, though the like of it was sent before', OPTIONS, run({ reads: false }, async stage => {
    const sends = { method: 'POST', template: '/channels/{channel_id}/messages' };
    const tried = [];
    stage.fake.faults.add({ ...sends, hang: true, times: Infinity, if: request => tried.push(request) > 0 });
    await stage.players[0].slash('munch new', { players: 4 });
    await stage.until('a card is tried', () => tried.some(request => request.body.components));
    await stage.bot.kill();
    stage.fake.faults.clear();
    const { nonce, enforce_nonce, ...like } = structuredClone(tried.find(request => request.body.components).body);
    like.components[0].id = 1;
    stage.fake.world.post(stage.channel, like);
    await stage.bot.start();
    await stage.until('the card is sent', () => [...stage.channel.messages.values()].some(message => message.nonce === nonce));
  }));

  test('a session that Discord has forgotten meanwhile: a new one', OPTIONS, run({}, async stage => {
    await stage.bot.stop();
    stage.gateway.forgetSessions();
    await stage.bot.start();
    assert.equal(stage.gateway.identifies.length, 2);
    await stage.works();
  }));

  test('the day\'s identifications are nearly spent: it makes no new session, and says so', OPTIONS, run({}, async stage => {
    stage.gateway.remaining = 50;
    await stage.bot.stop();
    stage.gateway.forgetSessions();
    stage.bot.spawn();
    await stage.until('it says so', () => stage.bot.log.includes('gateway-budget'));
    assert.equal(stage.gateway.identifies.length, 1);
    assert.equal(stage.bot.log.split('gateway-budget').length, 2, 'once');
    await stage.bot.stop();
  }));

  test('two processes share four shards, identify one by one, and one takes over from the other', OPTIONS,
    run({ before: fake => { fake.gateway.shards = 4; } }, async stage => {
      await beside(stage, {}, async other => {
        await stage.until('all shards are connected', () => stage.gateway.shardsOf(4).size === 4);
        assert.equal(stage.gateway.tooSoon, 0, JSON.stringify(stage.gateway.identifies));
        assert.equal(stage.gateway.identifies.length, 4, 'each shard once');
        assert.match(other.log, /gateway-connected/, 'the other has some');
        await stage.lobby();
        for (let i = 0; i < 3; i++) for (const player of stage.players.slice(1)) {
          await player.say('leave');
          await player.say('join');
        }
        await other.kill();
        await stage.until('its shards are taken over', () => stage.gateway.shardsOf(4).size === 4 && stage.gateway.resumes > 0);
        assert.equal(stage.gateway.identifies.length, 4);
        await stage.works();
      });
    }));

  test('another number of shards beside the old one: nothing is done twice', OPTIONS, run({}, async stage => {
    await stage.players[0].slash('munch new', { players: 4 });
    await beside(stage, { shards: 2 }, async () => {
      await stage.until('both generations are connected', () => stage.gateway.shardsOf(2).size === 2 && stage.gateway.shardsOf(1).size === 1);
      assert.equal(stage.gateway.tooSoon, 0, JSON.stringify(stage.gateway.identifies));
      for (const player of stage.players.slice(1)) assert.match(await player.say('join'), /join|sit|seat/i);
      const left = await stage.players[2].say('leave');
      assert.doesNotMatch(left, /not|no seat/i);
      await stage.works();
      const told = [...stage.channel.messages.values()].map(textOf).join('\n');
      assert.equal(told.match(/Bob (sits|takes|joins)/g).length, 1);
    });
  }));

  // Each person comes and goes without a pause, each at a table of a server of their own, while first one process and then the
  // other is stopped and started: what is answered has been done, once, and nobody waits in vain.
  test('a rolling restart of two processes on PostgreSQL loses no command', OPTIONS, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'munchbot-'));
    const cluster = verb => promisify(execFile)(CLUSTER, [verb, path.join(folder, 'at')]);
    await cluster('start');
    try {
      const store = `postgresql://postgres@/postgres?host=${(await readFile(path.join(folder, 'at'), 'utf8')).trim()}`;
      await Stage.run({ bot: { store }, before: fake => { fake.gateway.shards = 2; } }, stage => beside(stage, {}, async other => {
        await stage.until('both shards are connected', () => stage.gateway.shardsOf(2).size === 2);
        const guests = [];
        for (let i = 0; i < 6; i++) {
          const guild = stage.fake.guild(`Server ${i}`, []);
          const channel = stage.fake.channel(guild, 'table');
          const [host, guest] = ['Host', 'Guest'].map(name => stage.fake.person(`${name} ${i}`));
          for (const { user } of [host, guest]) stage.fake.world.addMember(guild, user);
          await new Player(host, channel, chance(i)).slash('munch new', { players: 4 });
          guests.push({ guest, channel, sits: false, commands: 0, refused: 0, waited: 0 });
        }
        let rolls = true;
        const coming = guests.map(async each => {
          while (rolls) {
            const since = Date.now();
            const { path: words } = stage.players[0].read(each.sits ? 'leave' : 'join');
            const command = each.guest.slash(each.channel, words);
            const answered = await Promise.race([command.answered, pause(10_000)]);
            assert.ok(answered, `no answer to ${each.guest.user.global_name}`);
            await stage.until('words', () => textOf(command.original ?? answered.message) !== '');
            const text = textOf(command.original ?? answered.message);
            each.waited = Math.max(each.waited, Date.now() - since);
            if (/restarting/.test(text)) each.refused++;
            else {
              assert.doesNotMatch(text, /already|no seat|not sit/, 'done once');
              each.sits = !each.sits;
              each.commands++;
            }
            await pause(200);
          }
        });
        const rolling = async () => {
          for (const bot of [stage.bot, other]) {
            await pause(3000);
            await bot.stop();
            await bot.start();
          }
          await pause(3000);
          rolls = false;
        };
        await Promise.all([...coming, rolling()]);
        for (const each of guests) {
          assert.ok(each.commands > 5 && each.refused <= 2, JSON.stringify([each.commands, each.refused]));
          assert.ok(each.waited < 3000, `${each.waited} ms`);
        }
      }));
    } finally {
      await cluster('stop');
      await rm(folder, { recursive: true });
    }
  });

  test('two processes and much to say: no limit is run into', OPTIONS, run({ before: fake => { fake.gateway.shards = 2; } }, async stage => {
    await beside(stage, {}, async () => {
      await stage.until('both shards are connected', () => stage.gateway.shardsOf(2).size === 2);
      const channels = Array.from({ length: 30 }, (_, i) => stage.fake.channel(stage.guild, `table-${i}`));
      const busy = channels.map(async (channel, i) => {
        const person = stage.join(`P${i}`);
        person.slash(channel, 'munch new', { players: 4 });
        await stage.until('a lobby', () => channel.messages.size > 0);
        for (let bots = 0; bots < 3; bots++) person.slash(channel, 'munch table add-bot');
      });
      await Promise.all(busy);
      await stage.works();
      assert.equal(stage.fake.limits.refused.global, 0);
    });
  }));
});

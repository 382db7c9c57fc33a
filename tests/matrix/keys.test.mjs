// The keys of the bot's device: a munchbot-crypto of the tests beside munchbot (fake/helper.mjs), where it dies, lies
// and dawdles, and a store that has gone back.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { PROGRAM } from './play/munchbot.mjs';
import { Stage } from './play/stage.mjs';
import { Vault, beside } from './play/vault.mjs';

const OPTIONS = { timeout: 120_000 };
let place;
before(async () => { place = await beside(); });
after(() => place.remove());

const run = (behaviour, use, options = {}) => async () => {
  const vault = new Vault(place);
  vault.behaves(behaviour);
  await Stage.run({ ...options, bot: vault.bot }, stage => use(stage, vault));
};

const toBot = (stage, body) => stage.server.keys.send(stage.ada.id, 'm.test', { [stage.server.bot.id]: { TABLES: { body } } });
const toDevice = vault => vault.asked('heard').flatMap(ask => ask.to_device.map(event => event.content.body));

/** It ends by itself, and says why. */
const endsWith = async (stage, words) => {
  assert.equal((await stage.bot.ended).code, 1);
  assert.match(stage.bot.log, words);
};

describe("the keys of the bot's device", { concurrency: 4 }, () => {
  test('it gives them out, and hears what is sent to it once', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    const { user, device } = vault.kept;
    assert.deepEqual([user, device], [stage.server.bot.id, 'TABLES']);
    await stage.until('keys', () => stage.server.keys.devices.get(user)?.TABLES && vault.kept.uploaded);
    assert.deepEqual(stage.server.calls('keysUpload').length, 1);
    toBot(stage, 'one');
    await stage.until('it is heard', () => toDevice(vault).length === 1);
    await stage.works();
    assert.deepEqual(toDevice(vault), ['one']);
  }));

  test('another process goes on from there; what was not committed is told again', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    toBot(stage, 'one');
    await stage.until('it is heard', () => toDevice(vault).length === 1);
    await stage.works();
    await stage.bot.kill();
    toBot(stage, 'two');
    await stage.bot.start();
    await stage.until('it is heard', () => toDevice(vault).includes('two'));
    await stage.works();
    assert.equal(stage.server.calls('keysUpload').length, 1);
  }));

  test('who the account is nobody says but a login', OPTIONS, run({ crowns: true }, async (stage, vault) => {
    await stage.until('it is asked', () => vault.asked('requests').length > 0);
    await stage.until('it is noticed', () => /wants something sent that is not its own/.test(stage.bot.log));
    await stage.works();
    assert.deepEqual(stage.server.calls('keysIdentity'), []);
  }));

  test('ten thousand events to it go in frames', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    const text = 'x'.repeat(200);
    for (let i = 0; i < 10_000; i++) toBot(stage, `${i} ${text}`);
    await stage.until('all are heard', () => vault.kept.events >= 10_000, 60_000);
    assert.ok(vault.asks.every(ask => JSON.stringify(ask).length < 1 << 20));
    assert.deepEqual(toDevice(vault).map(body => Number.parseInt(body, 10)), [...Array(10_000).keys()]);
    await stage.works();
  }));

  test('what is nested too deeply is left out, and nothing beside it', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    await stage.works();
    let deep = 'deep';
    for (let i = 0; i < 130; i++) deep = [deep];
    toBot(stage, 'one');
    toBot(stage, deep);
    toBot(stage, ']["{'.repeat(100));
    await stage.until('it is heard', () => toDevice(vault).length === 2);
    await stage.works();
    assert.deepEqual(toDevice(vault), ['one', ']["{'.repeat(100)]);
    assert.doesNotMatch(stage.bot.log, /was not taken/);
  }));

  test('what the store cannot take now is told until it can', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    await stage.until('keys', () => vault.kept.uploaded);
    await stage.works();
    toBot(stage, 'zero'); // what else is to be told of keys is told by then, or that would be refused first
    await stage.until('all before is told', () => vault.kept.events === 1);
    const before = toDevice(vault).length;
    vault.behaves({ refuses: 'heard' });
    toBot(stage, 'one');
    await stage.until('it is tried', () => toDevice(vault).length > before + 1);
    vault.behaves({});
    await stage.until('it is taken', () => vault.kept.events === 2);
    await stage.works();
    assert.equal(vault.kept.events, 2);
  }));

  test('who has other devices is told in frames, each once', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    await stage.works();
    await stage.bot.kill();
    const people = [...Array(4000).keys()].map(i => `@${i}${'x'.repeat(200)}:elsewhere`);
    for (const person of people) stage.server.keys.change(person);
    for (const body of ['x', 'y']) toBot(stage, body.repeat(200_000));
    await stage.bot.start();
    const told = () => vault.asked('heard').flatMap(ask => ask.lists?.changed ?? []).filter(user => /elsewhere/.test(user));
    await stage.until('all are told', () => told().length >= people.length);
    await stage.works();
    assert.deepEqual(told().sort(), people.sort());
    assert.deepEqual(toDevice(vault).map(body => body[0]), ['x', 'y']);
    assert.ok(vault.asks.every(ask => JSON.stringify(ask).length < 1 << 20));
  }));

  for (const [what, behaviour] of Object.entries({
    'dies of what it hears': { dies: 'heard' },
    'dies of every ask': { dies: 'status' },
    'answers what nobody has asked': { lies: 'heard' },
    'sends a frame without end': { endless: 'requests' },
    'takes its time': { dawdles: 'heard' },
    'is silent about what it hears': { mute: 'heard' },
    'is silent from the beginning': { mute: 'open' },
    'does not get its store': { open: 'locked' },
    'cannot read its store': { open: 'store' },
  })) {
    test(`a helper that ${what}: then it does not`, OPTIONS, run(behaviour, async (stage, vault) => {
      stage.bot.spawn();
      await stage.until('it is asked', () => vault.asked(behaviour.mute ?? 'open').length > 0);
      vault.behaves({});
      await stage.until('keys', () => vault.kept.uploaded, 60_000);
      await stage.comes();
      toBot(stage, 'one');
      await stage.until('it is heard', () => toDevice(vault).includes('one'));
      await stage.works();
      assert.doesNotMatch(stage.bot.log, /keys-of|"one"/);
    }, { start: false }));
  }

  test('a helper that dies of one thing for ever holds up nobody for ever', OPTIONS, run({ dies: 'heard' }, async (stage, vault) => {
    stage.bot.spawn();
    await stage.comes(undefined, 60_000);
    vault.behaves({});
    await stage.works();
  }, { start: false }));

  test('a store that has gone back ends it', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    await stage.works();
    await stage.until('keys', () => vault.kept.uploaded);
    await stage.works(); // and with that its place is kept
    await stage.bot.kill();
    await writeFile(vault.store, JSON.stringify({ ...vault.kept, commits: 1 }));
    stage.bot.spawn();
    await endsWith(stage, /older copy.*munchbot matrix login/);
  }));

  test("a store that is not this device's ends it", OPTIONS, run({ open: 'other-device' }, async stage => {
    stage.bot.spawn();
    await endsWith(stage, /another account's or device's/);
  }, { start: false }));

  test('a path that is no UTF-8 ends it', OPTIONS, run({}, async (stage, vault) => {
    const text = await readFile(stage.bot.configuration, 'latin1');
    await writeFile(stage.bot.configuration, text.replace(vault.path, `${vault.path}\xff`), 'latin1');
    stage.bot.spawn();
    await endsWith(stage, /crypto_path is no UTF-8/);
  }, { start: false }));

  // The sync that waits for its keys to be taken is not walked, nor kept.
  test('what is told while it ends is told again', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    await stage.until('keys', () => vault.kept.uploaded);
    await stage.works();
    await stage.bot.kill();
    const { devices } = stage.server.keys;
    const own = devices.get(stage.server.bot.id);
    devices.set(stage.server.bot.id, { TABLES: { keys: { 'curve25519:TABLES': 'x', 'ed25519:TABLES': 'y' } } });
    let held = 0;
    stage.server.faults.add({ call: 'keysQuery', async hold() {
      vault.behaves({ dawdles: 'heard' });
      held = vault.asked('heard').length;
      toBot(stage, 'one');
      await stage.until('it is heard', () => toDevice(vault).includes('one'));
    } });
    stage.bot.spawn();
    await endsWith(stage, /other keys for this device/);
    assert.ok(held > 0);
    vault.behaves({});
    devices.set(stage.server.bot.id, own);
    const before = vault.asked('heard').length;
    await stage.bot.start();
    await stage.works();
    assert.ok(vault.asked('heard').slice(before).some(ask => ask.to_device.some(event => event.content.body === 'one')));
  }));

  test('other keys at the homeserver end it, before it gives out its own', OPTIONS, run({}, async stage => {
    stage.server.keys.devices.set(stage.server.bot.id, { TABLES: { keys: { 'curve25519:TABLES': 'x', 'ed25519:TABLES': 'y' } } });
    stage.bot.spawn();
    await endsWith(stage, /other keys for this device/);
    assert.equal(stage.server.calls('keysUpload').length, 0);
  }, { start: false }));

  test('keys that the homeserver does not know any more end it', OPTIONS, run({}, async (stage, vault) => {
    await stage.until('keys', () => vault.kept.uploaded);
    await stage.bot.kill();
    stage.server.keys.devices.clear();
    stage.bot.spawn();
    await endsWith(stage, /other keys for this device/);
  }));

  test('another device begins without a place, and with keys of its own', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    await stage.until('keys', () => vault.kept.uploaded);
    await stage.works();
    await stage.bot.kill();
    stage.server.sessions.get(stage.server.bot.token).device = 'TWO/..';
    await stage.bot.start();
    await stage.until('keys', () => stage.server.keys.devices.get(stage.server.bot.id)['TWO/..']);
    const syncs = stage.server.calls('sync').filter(call => call.query.full_state === 'true');
    assert.equal(syncs.at(-1).query.since, undefined);
    assert.ok(existsSync(path.join(vault.path, 'TWO=2f=2e=2e', 'store.json')));
    await stage.works();
  }));

  test('without a helper all is as it was, and the place is kept', OPTIONS, run({}, async (stage, vault) => {
    await stage.comes();
    await stage.works();
    await stage.bot.kill();
    const asks = vault.asks.length;
    stage.bot.program = PROGRAM;
    assert.doesNotMatch(stage.bot.log, /munchbot-crypto is not there/);
    await stage.bot.start();
    await stage.works();
    assert.match(stage.bot.log, /crypto_path is set and munchbot-crypto is not there/);
    assert.notEqual(stage.server.calls('sync').at(-1).query.since, undefined);
    assert.equal(vault.asks.length, asks);
    await stage.bot.kill();
    stage.bot.program = place.program;
    await writeFile(vault.store, JSON.stringify({ ...vault.kept, commits: 0 }));
    stage.bot.spawn();
    await endsWith(stage, /older copy/);
  }));
});

// munchbot with the real munchbot-crypto beside it, at the fake homeserver of tests/matrix: its device's keys.
import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Account, SIGNED } from '../matrix/play/account.mjs';
import { PROGRAM } from '../matrix/play/munchbot.mjs';
import { Stage } from '../matrix/play/stage.mjs';

const OPTIONS = { timeout: 120_000 };
const HELPER = fileURLToPath(new URL('../../build/crypto/release/munchbot-crypto', import.meta.url));
let folder;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'munchbot-crypto-'));
  await copyFile(PROGRAM, path.join(folder, 'munchbot'));
  await copyFile(HELPER, path.join(folder, 'munchbot-crypto'));
});
after(() => rm(folder, { recursive: true }));

const run = use => async () => {
  const keys = path.join(await mkdtemp(path.join(folder, 'keys-')), 'crypto');
  await Stage.run({ bot: { program: path.join(folder, 'munchbot'), matrix: [`crypto_path = ${keys}`] } }, stage => use(stage, keys));
};

const copyStore = async (from, to) => {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) await copyFile(path.join(from, name), path.join(to, name));
};

const device = stage => stage.server.keys.devices.get(stage.server.bot.id)?.TABLES;

describe('the real munchbot-crypto', { concurrency: 2 }, () => {
  test('gives out keys once, keeps them over a kill, and makes files its user’s alone', OPTIONS, run(async (stage, keys) => {
    await stage.until('keys', () => device(stage));
    const first = device(stage);
    assert.equal(Object.keys(first.keys).length, 2);
    assert.ok(stage.server.keys.oneTime.get(`${stage.server.bot.id} TABLES`).size >= 50);
    stage.server.keys.change(stage.ada.id);
    stage.server.keys.send(stage.ada.id, 'm.room.encrypted', { [stage.server.bot.id]: { TABLES: { algorithm: 'm.olm.v1.curve25519-aes-sha2' } } });
    await stage.works();
    for (const name of await readdir(path.join(keys, 'TABLES'))) {
      assert.equal((await stat(path.join(keys, 'TABLES', name))).mode & 0o077, 0, name);
    }
    await stage.bot.kill();
    await stage.bot.start();
    await stage.works();
    assert.equal(stage.server.calls('keysUpload').length, 1);
    assert.deepEqual(device(stage), first);
    assert.doesNotMatch(stage.bot.log, /event=crypto/);
  }));

  test('a store that has gone back ends the bot', OPTIONS, run(async (stage, keys) => {
    await stage.until('keys', () => device(stage));
    await stage.works();
    await stage.bot.stop();
    const store = path.join(keys, 'TABLES');
    const old = await mkdtemp(path.join(folder, 'old-'));
    await copyStore(store, old);
    await stage.bot.start();
    for (let i = 0; i < 3; i++) {
      stage.server.keys.change(stage.ada.id);
      await stage.works();
    }
    await stage.bot.stop();
    await rm(store, { recursive: true });
    await copyStore(old, store);
    stage.bot.spawn();
    assert.equal((await stage.bot.ended).code, 1);
    assert.match(stage.bot.log, /older copy.*munchbot matrix login/);
  }));

  test('a login gives a device keys, signed; from recovery_file the same identity signs the next, and another only if asked', OPTIONS, async () => {
    const keys = path.join(await mkdtemp(path.join(folder, 'keys-')), 'crypto');
    await Stage.run({ start: false, bot: { program: path.join(folder, 'munchbot') } }, async stage => {
      const account = new Account(stage, keys);
      await account.configure();
      assert.match(await account.login(), SIGNED);
      const { master } = account;
      const [first, ...others] = await account.lines();
      assert.deepEqual(others, []);
      assert.match(await account.login(), /the one in recovery_file/);
      assert.equal(account.master, master);
      assert.deepEqual(await account.lines(), [first]);
      const devices = Object.values(stage.server.keys.devices.get(account.id));
      assert.deepEqual(devices.map(each => Object.keys(each.signatures[account.id]).length), [2, 2]);
      stage.server.bot.token = (await readFile(account.token, 'utf8')).trim();
      await stage.bot.start();
      await stage.works();
      assert.doesNotMatch(stage.bot.log, /event=crypto/);
      await stage.bot.stop();
      const checked = await account.run('check');
      assert.match(checked.said, SIGNED);
      await rm(account.recovery);
      await account.refuses(/--replace/);
      await account.refuses(/rejected the password/, { password: 'nonsense', environment: { MUNCHBOT_MATRIX_TOKEN: stage.server.logIn({
        type: 'm.login.password', identifier: { user: account.id }, password: stage.server.password }).access_token }, more: ['--replace'], store: true });
      assert.match(await account.login({ more: ['--replace'] }), SIGNED);
      assert.notEqual(account.master, master);
      stage.server.bot.token = (await readFile(account.token, 'utf8')).trim();
      await stage.bot.start();
      await stage.works();
      assert.doesNotMatch(stage.bot.log, /event=crypto/);
    });
  });
});

// `munchbot matrix login`: a new device, its keys and who signs them, with a munchbot-crypto of the tests (fake/helper.mjs).
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Key } from './fake/signing.mjs';
import { Account, SIGNED } from './play/account.mjs';
import { PROGRAM } from './play/munchbot.mjs';
import { Stage } from './play/stage.mjs';
import { Vault, beside } from './play/vault.mjs';

const OPTIONS = { timeout: 60_000 };
let place;
before(async () => { place = await beside(); });
after(() => place.remove());

const run = use => () => {
  const vault = new Vault(place);
  return Stage.run({ start: false, bot: { program: vault.program } }, async stage => {
    const account = new Account(stage, vault.path);
    await account.configure();
    await use(account, stage, vault);
  });
};

describe('munchbot matrix login', { concurrency: 4 }, () => {
  test('a new device gets keys, signed by a new identity, and the bot reads with it', OPTIONS, run(async (account, stage) => {
    const said = await account.login();
    assert.match(said, SIGNED);
    assert.match(said, /has an identity now, kept in recovery_file/);
    for (const file of [account.token, account.recovery]) assert.equal((await stat(file)).mode & 0o777, 0o600);
    const token = (await readFile(account.token, 'utf8')).trim();
    const { device } = stage.server.sessions.get(token);
    assert.ok(stage.server.keys.devices.get(account.id)[device].keys);
    assert.ok(stage.server.keys.oneTime.get(`${account.id} ${device}`).size > 0);
    const [line, ...others] = await account.lines();
    assert.deepEqual([line.split(' ')[0], new Key(line.split(' ')[1]).text, others], [account.id, account.master, []]);
    const checked = await account.run('check');
    assert.equal(checked.code, 0, checked.said);
    assert.match(checked.said, SIGNED);
    stage.server.bot.token = token;
    await stage.bot.start();
    await stage.works();
    assert.doesNotMatch(stage.bot.log, /event=crypto/);
  }));

  test('a token that could not be written is not asked for', OPTIONS, run(async (account, stage) => {
    await mkdir(`${account.token}.new`);
    const { code, said } = await account.run('login');
    assert.equal(code, 1);
    assert.match(said, /cannot write the token to .*Is a directory/);
    assert.equal(stage.server.calls('login').length, 0);
  }));

  test('with recovery_file the identity stays, and nothing proves it', OPTIONS, run(async account => {
    await account.login();
    const { master } = account;
    const kept = await account.lines();
    const said = await account.login();
    assert.match(said, SIGNED);
    assert.match(said, /the one in recovery_file/);
    assert.equal(account.master, master);
    assert.deepEqual(await account.lines(), kept);
    assert.equal(account.server.calls('keysIdentity').length, 1);
    assert.equal(Object.keys(account.server.keys.devices.get(account.id)).length, 2);
  }));

  test('an identity that is not in there is replaced if that is asked for', OPTIONS, run(async account => {
    const other = account.owned();
    await account.refuses(/has an identity, which recovery_file does not hold: .* --replace/);
    assert.equal(account.master, other);
    assert.ok(!existsSync(account.recovery) && !existsSync(account.token));
    await writeFile(account.recovery, `@somebody:hs ${new Key().seed} ${new Key().seed} ${new Key().seed}\n`, { mode: 0o600 });
    await account.refuses(/--replace/);
    const said = await account.login({ more: ['--replace'] });
    assert.match(said, /has a new identity, kept in recovery_file/);
    assert.match(said, SIGNED);
    const lines = await account.lines();
    assert.deepEqual([lines.length, new Key(lines[1].split(' ')[1]).text], [2, account.master]);
    assert.notEqual(account.master, other);
    await account.login({ more: ['--replace'] });
    assert.equal((await account.lines()).length, 3);
    await account.login();
    assert.equal((await account.lines()).length, 3);
  }));

  test('what a homeserver wants a person to approve is said; the file keeps what there was', OPTIONS, run(async account => {
    await account.login();
    const lines = await account.lines();
    const { master } = account;
    account.server.keys.proof = 'browser';
    await account.refuses(/approved in a browser/, { more: ['--replace'] });
    assert.equal(account.master, master);
    assert.equal((await account.lines())[0], lines[0]);
    assert.match(await account.login(), /the one in recovery_file/);
  }));

  test('a device that has had keys gets no others, and its session goes on', OPTIONS, run(async (account, stage, vault) => {
    await account.configure(['device_id = TABLES']);
    stage.server.keys.devices.set(account.id, { TABLES: { keys: { 'ed25519:TABLES': 'x' } } });
    await account.refuses(/TABLES has had keys/);
    assert.ok(stage.server.sessions.has(stage.server.bot.token));
    assert.equal(stage.server.calls('keysUpload').length, 0);
    assert.ok(!existsSync(account.token) && !existsSync(account.recovery));
    stage.server.keys.devices.delete(account.id); // there it is forgotten; here it is not
    await mkdir(path.join(vault.path, 'TABLES'), { recursive: true });
    await writeFile(vault.store, JSON.stringify({ user: account.id, device: 'TABLES', commits: 3, uploaded: true, keys: 'old', events: 0 }));
    stage.server.sessions.delete(stage.server.bot.token);
    await account.refuses(/TABLES has had keys/);
    await rm(vault.store);
    assert.match(await account.login(), /device TABLES/);
  }));

  test('a password that is wrong, or none', OPTIONS, run(async account => {
    await account.refuses(/rejected user_id or password/, { password: 'nonsense' });
    await account.refuses(/no password/, { password: '' });
    await account.refuses(/MUNCHBOT_MATRIX_PASSWORD is empty/, { environment: { MUNCHBOT_MATRIX_PASSWORD: '' } });
    await account.login({ password: '', environment: { MUNCHBOT_MATRIX_PASSWORD: account.server.password } });
  }));

  test('a recovery_file that cannot be used stops it before anything is asked', OPTIONS, run(async account => {
    const good = `${account.id} ${new Key().seed} ${new Key().seed} ${new Key().seed}`;
    for (const [text, mode, words] of [
      [good, 0o640, /others can read .*: chmod 600/],
      ['nonsense\n', 0o600, /line 1 of recovery_file is damaged/],
      [`${good}\n${good.slice(0, -5)}\n`, 0o600, /line 2 of recovery_file is damaged/],
      [`${good} more\n`, 0o600, /line 1/],
      [`${good}\n\n`, 0o600, /line 2/],
      [`${good}\0${good}\n`, 0o600, /damaged/],
      [`${good}\n`.repeat(1000), 0o600, /damaged/],
    ]) {
      await writeFile(account.recovery, text);
      await chmod(account.recovery, mode);
      await account.refuses(words);
      assert.equal(await readFile(account.recovery, 'utf8'), text);
    }
    await rm(account.recovery);
    await mkdir(account.recovery);
    await account.refuses(/is not a file/);
    account.recovery = path.join(account.stage.bot.configuration, 'recovery');
    await account.configure();
    await account.refuses(/cannot read .*Not a directory/);
    assert.deepEqual(account.server.log, []);
  }));

  test('seeds that cannot be kept are nobody’s', OPTIONS, run(async account => {
    account.recovery = path.join(account.stage.bot.folder, 'nowhere', 'recovery');
    await account.configure();
    await account.refuses(/cannot write the account's identity/);
    assert.equal(account.server.calls('keysIdentity').length, 0);
  }));

  test('settings that lack something', OPTIONS, run(async account => {
    const { configuration } = account.stage.bot;
    const all = await readFile(configuration, 'utf8');
    await writeFile(configuration, all.replace(/recovery_file.*/, ''));
    await account.refuses(/needs "recovery_file" beside "crypto_path"/);
    await writeFile(configuration, all.replace(/token_file.*/, ''));
    await account.refuses(/needs "user_id".*"token_file"/);
    assert.deepEqual(account.server.log, []);
    await writeFile(configuration, all.replace(/recovery_file.*/, 'encryption = off'));
    await account.login();
    assert.equal(account.server.calls('keysQuery').length, 0);
  }));

  test('the token of a device that has no keys yet will do', OPTIONS, run(async account => {
    const environment = { MUNCHBOT_MATRIX_TOKEN: account.server.bot.token };
    account.owned();
    await account.refuses(/rejected the password/, { environment, password: 'nonsense', more: ['--replace'], store: true }); // the device is there still
    assert.match(await account.login({ environment, more: ['--replace'] }), SIGNED);
    assert.ok(!existsSync(account.token));
    await account.refuses(/TABLES has had keys/, { environment });
    account.server.sessions.get(account.server.bot.token).device = undefined;
    await account.refuses(/names no device/, { environment });
  }));

  test('without munchbot-crypto there is a token, and why there are no keys', OPTIONS, run(async account => {
    assert.match(await account.login({ program: PROGRAM }), /munchbot-crypto is not beside munchbot/);
    assert.ok(existsSync(account.token));
    assert.equal(account.server.calls('keysUpload').length, 0);
  }));

  for (const [what, behaviour, words, left] of [
    ['dies', { dies: 'identity' }, /munchbot-crypto has ended/, { store: true }],
    ['does not get its store', { open: 'locked' }, /another process has the store/, { store: true }],
    ['cannot read its store', { open: 'store' }, /cannot be opened/, { store: true }],
    ['makes none', { refuses: 'identity' }, /has made no identity/],
    ['signs for somebody else', { forges: '@ada:hs' }, /wants something sent that is not its own/],
    ['is not signed in the end', { signed: false }, /does not show the keys/],
  ]) {
    test(`a munchbot-crypto that ${what}: one sentence, and no session`, OPTIONS, run(async (account, stage, vault) => {
      vault.behaves(behaviour);
      await account.refuses(words, left);
      assert.ok(!existsSync(account.token));
      vault.behaves({});
      assert.match(await account.login(), SIGNED);
    }));
  }

  test('a homeserver that has nothing to say of keys', OPTIONS, run(async account => {
    account.server.faults.add({ call: 'keysQuery', times: Infinity, status: 400, body: { errcode: 'M_UNKNOWN' } });
    await account.refuses(/did not answer for the keys/);
    account.server.faults.clear();
    account.server.faults.add({ call: 'keysSign', times: Infinity, status: 400, body: { errcode: 'M_UNKNOWN' } });
    await account.refuses(/has not taken the keys/);
    account.server.faults.clear();
    assert.match(await account.login(), /the one in recovery_file/);
  }));
});

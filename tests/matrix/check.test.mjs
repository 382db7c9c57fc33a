// `munchbot matrix check`: what it says of the keys of the bot's device, which a homeserver might make up.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { Key } from './fake/signing.mjs';
import { Stage } from './play/stage.mjs';

const check = (stage, words = ['matrix', 'check']) => new Promise(resolve => {
  execFile(stage.bot.program, [...words, '--config', stage.bot.configuration],
    { env: { ...process.env, MUNCHBOT_MATRIX_TOKEN: stage.server.bot.token } }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
});

const run = (use, matrix = ['crypto_path = /nowhere']) => () => Stage.run({ start: false, bot: { matrix } }, async stage => {
  const { id } = stage.server.bot;
  const [master, signs, device] = [new Key(), new Key(), new Key()];
  const keys = {
    master_keys: { [id]: master.shown(id, 'master') },
    self_signing_keys: { [id]: master.signs(id, master.text, signs.shown(id, 'self_signing')) },
  };
  const own = { user_id: id, device_id: 'TABLES', algorithms: ['m.megolm.v1.aes-sha2'], keys: { 'ed25519:TABLES': device.text, 'curve25519:TABLES': 'grün' } };
  stage.server.keys.identities = keys;
  await use(stage, { id, keys, own, master, signs, device, 
    puts: shown => stage.server.keys.devices.set(id, { TABLES: { ...shown, unsigned: { device_display_name: 'x' } } }) });
});

const OPTIONS = { timeout: 60_000 };
const SIGNED = /has signed the device/;
const NOT_SIGNED = /has not signed the device/;

test('it says fingerprint, signature and how many keys are left, and changes nothing', OPTIONS, run(async (stage, { id, own, signs, device, puts }) => {
  puts(signs.signs(id, signs.text, own));
  stage.server.keys.oneTime.set(`${id} TABLES`, new Map([['a', {}], ['b', {}]]));
  const { code, stdout, stderr } = await check(stage);
  assert.equal(code, 0, stderr);
  assert.ok(stdout.replaceAll(' ', '').includes(`fingerprintis${device.text}`), stdout);
  assert.match(stdout, SIGNED);
  assert.match(stdout, /\n2 one-time keys are left/);
  assert.match(stdout, new RegExp(`administrator can exempt the bot: POST /_synapse/admin/v1/users/${id}/override_ratelimit with {`));
  assert.deepEqual(stage.server.calls('keysUpload').map(call => call.body), [{}]);
}));

test('a device that nobody has signed, or somebody else, or that has changed since', OPTIONS, run(async (stage, { id, own, keys, signs, puts }) => {
  const good = signs.signs(id, signs.text, own);
  for (const shown of [own, new Key().signs(id, signs.text, own), { ...good, keys: { ...good.keys, 'curve25519:TABLES': 'other' } },
    { ...good, signatures: { [id]: { [`ed25519:${signs.text}`]: 'no base64' } } }, { ...good, signatures: 7 }]) {
    puts(shown);
    assert.match((await check(stage)).stdout, NOT_SIGNED);
  }
  puts(good);
  assert.match((await check(stage)).stdout, SIGNED);
  stage.server.keys.identities = { ...keys, self_signing_keys: { [id]: new Key().signs(id, 'x', keys.self_signing_keys[id]) } };
  assert.match((await check(stage)).stdout, NOT_SIGNED, 'the key that signs is not the identity’s');
  stage.server.keys.identities = {};
  assert.match((await check(stage)).stdout, NOT_SIGNED);
}));

test('no keys yet; a token without a device; without crypto_path nobody asks', OPTIONS, async () => {
  await run(async stage => {
    assert.match((await check(stage)).stdout, /has no keys at the homeserver/);
    stage.server.sessions.get(stage.server.bot.token).device = undefined;
    const { code, stderr } = await check(stage);
    assert.equal(code, 1);
    assert.match(stderr, /names no device/);
  })();
  await run(async stage => {
    assert.equal((await check(stage)).code, 0);
    assert.equal(stage.server.calls('keysQuery').length, 0);
  }, [])();
});

test('whom nobody reaches: in encrypted rooms, by the devices that read', OPTIONS, async () => {
  const people = (stage, sealed) => {
    const initial_state = sealed ? [{ type: 'm.room.encryption', state_key: '', content: { algorithm: 'm.megolm.v1.aes-sha2' } }] : [];
    stage.ada.room('A room', { people: stage.people.slice(1), initial_state }).join(stage.server.bot.id);
  };
  /** What somebody's homeserver shows: a device, and who has signed it. */
  const shows = (stage, { id }, { by, dehydrated } = {}) => {
    const [master, signs, device] = [new Key(), new Key(), new Key()];
    const { identities, devices } = stage.server.keys;
    identities.master_keys[id] = master.shown(id, 'master');
    identities.self_signing_keys[id] = master.signs(id, master.text, signs.shown(id, 'self_signing'));
    const shown = { user_id: id, device_id: 'PHONE', keys: { 'ed25519:PHONE': device.text }, ...dehydrated ? { dehydrated } : {} };
    devices.set(id, { PHONE: (by ?? signs).signs(id, signs.text, shown) });
  };
  await run(async (stage, { id, own, signs, puts }) => {
    const [ada, bob, cem] = stage.people;
    puts(signs.signs(id, signs.text, own));
    assert.match((await check(stage)).stdout, /everybody in encrypted rooms with the bot can read it/);
    people(stage, false);
    assert.match((await check(stage)).stdout, /everybody/);
    people(stage, true);
    shows(stage, ada);
    shows(stage, bob, { by: new Key() });
    shows(stage, cem, { dehydrated: true });
    const { code, stdout } = await check(stage);
    assert.equal(code, 0);
    assert.deepEqual(stdout.match(/nobody reaches \S+ in encrypted rooms: .*/g),
      [bob, cem].map(person => `nobody reaches ${person.id} in encrypted rooms: they have no verified device`));
    stage.server.keys.away.add(cem.id);
    const away = (await check(stage)).stdout;
    assert.match(away, /did not tell of everybody/);
    assert.doesNotMatch(away, /reaches @cem/);
  })();
  await run(async (stage, { id, own, signs, puts }) => {
    const [ada, bob] = stage.people;
    puts(signs.signs(id, signs.text, own));
    people(stage, true);
    shows(stage, ada);
    shows(stage, bob, { by: new Key() });
    assert.deepEqual((await check(stage)).stdout.match(/nobody reaches .*/g), ['nobody reaches @cem:hs in encrypted rooms: they have no device with keys']);
  }, ['crypto_path = /nowhere', 'keys = all'])();
  await run(async (stage, { id, own, signs, puts }) => {
    puts(signs.signs(id, signs.text, own));
    people(stage, false);
    assert.equal((await check(stage)).stdout.match(/nobody reaches .*/g)?.length, 3);
  }, ['crypto_path = /nowhere', 'encryption = always'])();
});

test('"check --online" asks the homeserver, too', OPTIONS, run(async stage => {
  const { code, stdout, stderr } = await check(stage, ['check', '--online']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /\nthe bot is @[^]*override_ratelimit[^]*\nNo problem found\.\n$/);
  stage.server.stop();
  assert.equal((await check(stage, ['check', '--online'])).code, 1);
}, []));

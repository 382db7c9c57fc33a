// `munchbot discord check` and `setup`: the application's settings.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { Stage } from './play/stage.mjs';

const GOOD = { interactions_endpoint_url: null, bot_require_code_grant: false };

const run = (stage, words, token = stage.fake.token) => new Promise(resolve => {
  const child = execFile(stage.bot.program, [...words, '--config', stage.bot.configuration],
    { env: { ...process.env, MUNCHBOT_DISCORD_TOKEN: token } }, (error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }));
});

const ask = (stage, what, token) => run(stage, ['discord', what], token);
const check = (stage, options) => run(stage, ['check', ...options]);
const on = use => () => Stage.run({ start: false }, use);

test('settings that are right are said to be', { timeout: 60_000 }, on(async stage => {
  const { code, stdout, stderr } = await ask(stage, 'check');
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /settings are right/);
  assert.match(stdout, /\nIt may connect \d+ more times today \(of 1000\), \d+ shards at once; Discord recommends \d+ shards\.\n/);
}));

test('"check --online" asks besides what "check" looks at', { timeout: 60_000 }, on(async stage => {
  const quiet = await check(stage, []);
  assert.deepEqual([quiet.code, quiet.stderr], [0, '']);
  assert.match(quiet.stdout, /nothing was connected/);
  const online = await check(stage, ['--online']);
  assert.deepEqual([online.code, online.stderr], [0, '']);
  assert.match(online.stdout, /\nstore: [^]*\nThe bot is [^]*settings are right\.\nNo problem found\.\n$/);
  stage.fake.applicationSettings = { ...GOOD, bot_require_code_grant: true };
  assert.equal((await check(stage, [])).code, 0);
  const wrong = await check(stage, ['--online']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /Code Grant/);
  assert.doesNotMatch(wrong.stdout, /No problem/);
}));

for (const [what, wrong, words, mends] of [
  ['an address for interactions', { interactions_endpoint_url: 'https://elsewhere/' }, /Interactions Endpoint URL/, true],
  ['a code that is demanded', { bot_require_code_grant: true }, /Code Grant/, false],
  ['an invitation without permissions', { integration_types_config: { 0: { oauth2_install_params: { scopes: ['bot'], permissions: '0' } } } },
    /Default Install Settings.*309237763072/s, true],
  ['no invitation at all', { integration_types_config: {} }, /Default Install Settings/, true],
  ['another application', { id: '123' }, /application 123, but application_id is/, false],
]) {
  test(`${what} is named, and ${mends ? 'mended' : 'left to its owner'}`, { timeout: 60_000 }, on(async stage => {
    stage.fake.applicationSettings = { ...GOOD, ...wrong };
    const before = await ask(stage, 'check');
    assert.equal(before.code, 1);
    assert.match(before.stderr, words);
    assert.equal(before.stderr.trim().split('\n').length, 1, 'and nothing else');
    const setup = await ask(stage, 'setup');
    assert.equal(setup.code, mends ? 0 : 1, setup.stderr);
    assert.equal((await ask(stage, 'check')).code, mends ? 0 : 1);
  }));
}

test('a wrong token, an unknown word, a Discord that is away', { timeout: 90_000 }, on(async stage => {
  const wrong = await ask(stage, 'check', 'nonsense');
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /token/);
  assert.equal((await ask(stage, 'chekc')).code, 2);
  stage.fake.faults.add({ template: '/applications/@me', cut: true, times: Infinity });
  const away = await ask(stage, 'check');
  assert.equal(away.code, 1);
  assert.match(away.stderr, /does not answer/);
}));

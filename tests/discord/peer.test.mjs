// The fake is as Discord is: discord.js, which nobody here wrote, lives with it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { FakeDiscord } from './fake/discord.mjs';
import { controlsOf } from './fake/world.mjs';

test('a bot made with discord.js works against the fake', { timeout: 60_000 }, async t => {
  const fake = await FakeDiscord.start({ open: true });
  t.after(() => fake.stop());
  const ada = fake.person('Ada');
  const bob = fake.person('Bob', { dms: 'blocked' });
  const channel = fake.channel(fake.guild('Game night', [ada, bob]), 'munchkin');
  const peer = spawn(process.execPath, [new URL('peer/peer.mjs', import.meta.url).pathname], { env: { ...process.env,
    FAKE: fake.origin, TOKEN: fake.token, DM_USER: ada.id, DM_CLOSED: bob.id } });
  t.after(() => peer.kill());
  let said = '';
  peer.stdout.on('data', data => { said += data; });
  peer.stderr.on('data', data => { said += data; });
  const ended = new Promise(resolve => { peer.on('exit', resolve); });

  await fake.until('all calls are done', () => said.includes('calls done') || peer.exitCode !== null, 40_000);
  const offers = await ada.offers(channel, 'peer try', { word: 'ab' }, 'word');
  assert.deepEqual(offers, [{ name: 'ab', value: 'x' }]);
  const command = ada.slash(channel, 'peer try', { word: 'x' });
  await command.answered;
  const answer = await fake.until('the deferred answer', () => ada.latest(channel, message => controlsOf(message).length === 2));
  await ada.press(answer, 'Press').answered;
  const picked = ada.press(answer, 'Pick', ['2']);
  await picked.answered;
  await ada.submit(picked, { t: 'hello' }).answered;
  fake.gateway.closeAll(4000);
  assert.equal(await ended, 0, said);
  fake.assertClean({ limits: false });
  assert.equal(fake.gateway.resumes, 1);
});

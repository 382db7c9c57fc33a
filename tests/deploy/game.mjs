// A game on the fake Discord with a service that somebody else runs: usage: node game.mjs CONTROL
// CONTROL configure and CONTROL token read what they set; start, kill, reinstall, restore and stop do that to the service.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Stage } from '../discord/play/stage.mjs';

const control = (verb, input = '') => execFileSync(process.argv[2], [verb], { input, stdio: ['pipe', 'inherit', 'inherit'], timeout: 120_000 });

await Stage.run({ start: false, limits: false }, async stage => {
  const { fake, players } = stage;
  const hands = async () => {
    const seen = [];
    for (const player of players) seen.push((await player.say('hand')).replace(/\d{15,}/g, ''));
    return seen;
  };
  control('configure', ['[munchbot]', 'commands_per_second = 100', '[discord]', `application_id = ${fake.world.application.id}`,
    `api_url = ${fake.apiUrl}`, `gateway_url = ${fake.gatewayUrl}`, '[http]', 'listen = 127.0.0.1:9464', ''].join('\n'));
  control('token', `${fake.token}\n`);
  control('start');
  await stage.until('it connects', () => fake.world.commands.length > 0);
  await stage.deal();
  const dealt = await hands();
  assert.equal(new Set(dealt).size, players.length, 'each has a hand of their own');
  for (const verb of ['kill', 'reinstall', 'restore']) {
    control(verb);
    await stage.works();
    assert.deepEqual(await hands(), dealt, `after "${verb}" all is as it was`);
    console.log(`${verb}: the game goes on`);
  }
  control('stop');
});

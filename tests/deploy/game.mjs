// A game on the fake Discord and one on the fake homeserver, with a service that somebody else runs.
// usage: node game.mjs CONTROL VERB...
// CONTROL configure, discord and matrix read the configuration and a token; start and stop run and end the service. Each VERB does
// something to it: afterwards both games are as they were. What is played behind "backup" is gone with "restore".
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Stage } from '../discord/play/stage.mjs';
import { Stage as Rooms } from '../matrix/play/stage.mjs';

const [program, ...verbs] = process.argv.slice(2);
const control = (verb, input = '') => execFileSync(program, [verb], { input, stdio: ['pipe', 'inherit', 'inherit'], timeout: 120_000 });

// What each reads of their hand, on both networks.
const hands = async ({ players }, rooms) => {
  const seen = [];
  for (const player of players) seen.push((await player.say('hand')).replace(/\d{15,}/g, ''));
  for (const person of rooms.people) {
    const asked = person.say(person.handRoom, 'hand');
    const answer = () => person.handRoom.events.find(event => event.position > asked.position && /Your hand: /.test(event.content.body));
    await rooms.until(`the hand of ${person.name}`, answer);
    seen.push(answer().content.body.split('\n').filter(line => !/^\* ?$/.test(line)).join('\n'));
  }
  return seen;
};

await Stage.run({ start: false, limits: false }, discord => Rooms.run({ start: false }, async rooms => {
  const { fake, players } = discord;
  const paused = async () => /paused/i.test(await players[1].say('status'));
  control('configure', ['[munchbot]', 'commands_per_second = 100', '[discord]', `application_id = ${fake.world.application.id}`,
    `api_url = ${fake.apiUrl}`, `gateway_url = ${fake.gatewayUrl}`, '[matrix]', `homeserver = ${rooms.server.url}`,
    `user_id = ${rooms.server.bot.id}`, 'crypto_path = /var/lib/munchbot/crypto',
    '[http]', 'listen = 127.0.0.1:9464', ''].join('\n'));
  control('discord', `${fake.token}\n`);
  control('matrix', `${rooms.server.bot.token}\n`);
  control('start');
  await discord.until('it connects', () => fake.world.commands.length > 0);
  await discord.deal();
  await rooms.game('players=4 pace=slow');
  const dealt = await hands(discord, rooms);
  assert.equal(new Set(dealt).size, players.length + rooms.people.length, 'each has a hand of their own');
  for (const verb of verbs) {
    control(verb);
    await discord.works();
    await rooms.works();
    assert.deepEqual(await hands(discord, rooms), dealt, `after "${verb}" all is as it was`);
    assert.equal(await paused(), false);
    if (verb === 'backup') {
      await players[0].say('pause');
      assert.equal(await paused(), true);
    }
    console.log(`${verb}: the games go on`);
  }
  for (const player of players) await player.say('done');
  await discord.until('the first turn begins', async () => !/set-up/i.test(await players[0].say('status')));
  control('stop');
}));

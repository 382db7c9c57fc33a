// Killed at random points, again and again: what was committed is seen by all soon after the next start, and nothing twice.
// tests/slow/discord kills a hundred times, and holds the next process to ten seconds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isVersion2 } from './fake/people.mjs';
import { textOf } from './fake/world.mjs';
import { Stage } from './play/stage.mjs';

const WHOLE = process.env.MUNCHBOT_GAMES === 'whole';
const KILLS = WHOLE ? 100 : 5;
const VISIBLE_MS = WHOLE ? 10_000 : 90_000; // a machine that runs all tests may be slow
const LONGEST_MS = 60;
const POINTS = [0.1, 0.9, 0.4, 0.7, 0.2, 0.5]; // of tests/run, the same each time
const point = kill => ((WHOLE ? Math.random() : POINTS[kill]) ** 2) * LONGEST_MS;
const SAID = { join: /Bob (sits|takes|joins)/, leave: /Bob (leaves|gets up|stands up)/ };

const cardOf = stage => [...stage.channel.messages.values()].filter(isVersion2);
const saidOf = (stage, pattern) => [...stage.channel.messages.values()].filter(message => !isVersion2(message) &&
  pattern.test(textOf(message))).length;
const sits = stage => /Bob/.test(textOf(cardOf(stage).at(-1)));

// How it is, from the store: what a look says.
const isSeated = async stage => /Bob/.test(await stage.players[0].slash('munch status', {}));

test(`killed ${KILLS} times, nothing is lost and nothing said twice`, { timeout: 60_000 + KILLS * 60_000 },
  () => Stage.run({ limits: false, before: fake => { fake.limits.on = false; } }, async stage => {
    const [ada, bob, cem] = stage.players;
    await ada.slash('munch new', { players: 3 });
    await stage.until('a card', () => cardOf(stage).length === 1);
    const told = { join: 0, leave: 0 };
    let slowest = 0;
    let done = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const seated = await isSeated(stage);
      const word = seated ? 'leave' : 'join';
      bob.person.slash(stage.channel, seated ? 'munch table leave' : 'munch join');
      await pause(point(kill));
      await stage.bot.kill();
      const from = Date.now();
      await stage.bot.start();
      const changed = await isSeated(stage) !== seated;
      told[word] += changed ? 1 : 0;
      done += changed ? 1 : 0;
      const left = Math.max(VISIBLE_MS - (Date.now() - from), 1);
      const now = changed ? !seated : seated;
      const shown = () => saidOf(stage, SAID[word]) === told[word] && cardOf(stage).length === 1 && sits(stage) === now;
      await stage.until(`"${word}" is told of, and shown on one card`, shown, left).catch(error => {
        const all = [...stage.channel.messages.values()].map(message => textOf(message).split('\n')[0]);
        error.message += `: kill ${kill}, told ${saidOf(stage, SAID[word])} of ${told[word]} times, ${cardOf(stage).length} cards\n${all.join('\n')}`;
        throw error;
      });
      slowest = Math.max(slowest, Date.now() - from);
    }
    if (!await isSeated(stage)) await bob.say('join');
    await cem.say('join');
    ada.person.slash(stage.channel, 'munch start');
    await pause(point(KILLS));
    await stage.bot.kill();
    await stage.bot.start();
    if (!/Round|before the door|Level/.test(await ada.slash('munch status', {}))) await ada.say('start');
    const hands = person => (person.dm ? [...person.dm.messages.values()].filter(message => /Your hand/.test(textOf(message))) : []);
    await stage.until('hands are dealt', () => stage.people.every(person => hands(person).length > 0), VISIBLE_MS);
    await stage.works();
    for (const person of stage.people) assert.equal(hands(person).length, 1, `one hand of ${person.user.global_name}`);
    assert.equal(saidOf(stage, SAID.leave), told.leave);
    console.log(`# ${KILLS} kills, ${done} of the commands committed, the slowest seen after ${slowest} ms`);
  }));

// What was heard lately is told again after a kill, more at once than one person may say: none of it takes back what was said.
test('what is told again after a kill takes no answer back', () => Stage.run({ limits: false, before: fake => { fake.limits.on = false; } },
  async stage => {
    const [ada, bob] = stage.players;
    await ada.slash('munch new', { players: 3 });
    await stage.until('a card', () => cardOf(stage).length === 1);
    for (let i = 0; i < 10; i++) {
      await bob.slash('munch join', {});
      await bob.slash('munch table leave', {});
    }
    const all = () => ['join', 'leave'].map(word => saidOf(stage, SAID[word]));
    assert.deepEqual(all(), [10, 10]);
    await stage.bot.kill();
    await stage.bot.start();
    assert.equal(await isSeated(stage), false);
    await stage.works();
    assert.deepEqual(all(), [10, 10]);
  }));

// Killed at random points, again and again: what was committed is seen by all soon after the next start, and nothing twice.
// tests/slow/discord kills a hundred times, and holds the next process to ten seconds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isCard, tableOf } from './fake/people.mjs';
import { textOf } from './fake/world.mjs';
import { Stage } from './play/stage.mjs';

const WHOLE = process.env.MUNCHBOT_GAMES === 'whole';
const KILLS = WHOLE ? 100 : 5;
const VISIBLE_MS = WHOLE ? 10_000 : 90_000; // a machine that runs all tests may be slow
const LONGEST_MS = 60;
const POINTS = [0.1, 0.9, 0.4, 0.7, 0.2, 0.5]; // of tests/run, the same each time
const point = kill => ((WHOLE ? Math.random() : POINTS[kill]) ** 2) * LONGEST_MS;
const TOLD_LEAST = 12; // lines that a card has room for
const SAID = { join: /Bob (sits|takes|joins)/, leave: /Bob (leaves|gets up|stands up)/ };

const cardOf = stage => [...stage.channel.messages.values()].filter(isCard);
// What the card still tells of who came and went, the latest last.
const saidOn = stage => textOf(cardOf(stage).at(-1)).split('\n').flatMap(line => Object.keys(SAID).filter(word => SAID[word].test(line)));
const isTold = (stage, told) => {
  const said = saidOn(stage);
  return said.length >= Math.min(told.length, TOLD_LEAST) && said.join() === told.slice(-said.length || told.length).join();
};
const sits = stage => /Bob/.test(tableOf(cardOf(stage).at(-1)));

// How it is, from the store: what a look says.
const isSeated = async stage => /Bob/.test(await stage.players[0].slash('munch status', {}));

test(`killed ${KILLS} times, nothing is lost and nothing said twice`, { timeout: 60_000 + KILLS * 60_000 },
  () => Stage.run({ limits: false, before: fake => { fake.limits.on = false; } }, async stage => {
    const [ada, bob, cem] = stage.players;
    await ada.slash('munch new', { players: 3 });
    await stage.until('a card', () => cardOf(stage).length === 1);
    const told = [];
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
      if (changed) told.push(word);
      done += changed ? 1 : 0;
      const left = Math.max(VISIBLE_MS - (Date.now() - from), 1);
      const now = changed ? !seated : seated;
      const shown = () => cardOf(stage).length === 1 && isTold(stage, told) && sits(stage) === now;
      await stage.until(`"${word}" is told of, and shown on one card`, shown, left).catch(error => {
        const all = [...stage.channel.messages.values()].map(message => textOf(message).split('\n')[0]);
        error.message += `: kill ${kill}, told ${saidOn(stage)} of ${told}, ${cardOf(stage).length} cards\n${all.join('\n')}`;
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
    console.log(`# ${KILLS} kills, ${done} of the commands committed, the slowest seen after ${slowest} ms`);
  }));

// What was heard lately is told again after a kill, more at once than one person may say: none of it takes back what was said.
test('what is told again after a kill takes no answer back',
  () => Stage.run({ quick: true, limits: false, before: fake => { fake.limits.on = false; } }, async stage => {
    const [ada, bob] = stage.players;
    await ada.slash('munch new', { players: 3 });
    await stage.until('a card', () => cardOf(stage).length === 1);
    const told = [];
    for (let i = 0; i < 10; i++) {
      await bob.slash('munch join', {});
      await bob.slash('munch table leave', {});
      told.push('join', 'leave');
    }
    await stage.until('all is told', () => isTold(stage, told));
    await stage.bot.kill();
    await stage.bot.start();
    assert.equal(await isSeated(stage), false);
    await stage.works();
    assert.ok(isTold(stage, told));
  }));

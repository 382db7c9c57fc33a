// Whole games, moved on by whoever they wait for.
import { Eyes } from './eyes.mjs';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { controlsOf, textOf } from '../fake/world.mjs';
import { awaited, cardOf, chance } from './players.mjs';
import { Stage } from './stage.mjs';

const MOMENT_MS = 1000;
const WAIT_MS = 100; // for a moment on a clock that keeps time
const REST_MS = 200; // between two things of one person: the bot asks Discord fifty things a second at most
const MOVES_MAX = 20_000;
const NAMES = ['Ada', 'Bob', 'Cem', 'Dee'];

export const wins = channel => [...channel.messages.values()].some(message => /ha(s|ve) won/.test(textOf(message)));

/** The newest round that the table's card has told of. */
export const roundOf = channel => [...channel.messages.values()].map(message => /Round (\d+)/.exec(textOf(message))?.[1])
  .filter(Boolean).map(Number).at(-1) ?? 0;

/** One turn of all that are awaited; a moment that all wait out goes by. */
export const move = async (stage, players, random) => {
  const { who, likely } = awaited(players, stage.channel);
  let done = 0;
  for (const player of who) {
    const line = player.types && random() < 0.75 ? likely : undefined;
    if (line !== undefined) await player.say(line);
    done += (line ?? await player.act() ?? 'pass') !== 'pass' ? 1 : 0;
  }
  if (done === 0) await (stage.clock?.pass(MOMENT_MS) ?? pause(WAIT_MS));
};

/** A game from lobby to victory: `kinds` of people, and what `use({begin, until, victory, ...})` does with them. Nobody may see
 * what is somebody else's, nothing may be answered twice or too late, and no message be edited twice at once. */
export const game = ({ kinds, names = NAMES, sets = 'classic', deal = 1, seed = 11, before = () => {} }, use) => () =>
  Stage.run({ people: names, limits: false, quick: true, bot: { deal }, before: (fake, stage) => {
    fake.limits.on = false; // people who answer within milliseconds
    fake.rest.editMs = 1;
    before(fake, stage);
  } }, async stage => {
    const { channel, fake } = stage;
    const random = chance(seed);
    stage.players = stage.people.map((person, i) => new kinds[i % kinds.length](person, channel, random));
    const eyes = new Eyes(stage, sets.split(','));
    const [host, ...others] = stage.players;
    const begin = async (settings, before = async () => {}) => {
      await host.slash('munch new', { players: names.length, sets, answer: '5s', window: '5s', ...settings });
      for (const player of others) await player.sit();
      await before();
      await host.start();
    };
    const until = async (what, test, players = stage.players) => {
      for (let moves = 0; !test() && !wins(channel); moves++) {
        assert.ok(moves < MOVES_MAX, `${what} never comes`);
        await move(stage, players, random);
        await eyes.settle();
      }
    };
    const victory = async (players = stage.players) => {
      await until('a victory', () => false, players);
      await stage.until('the result', () => /ha(s|ve) won/.test(textOf(cardOf(channel))) &&
        controlsOf(cardOf(channel)).some(each => each.label === 'Again'));
      await eyes.settle();
      assert.ok(eyes.seen > 0);
      const wrong = fake.rest.log.filter(entry => entry.code === 40060 || entry.code === 10062).map(entry => entry.path);
      if (!stage.killed) assert.deepEqual(wrong, [], 'all is answered once, in time');
    };
    for (const player of stage.players) player.rests = () => stage.clock.pass(REST_MS);
    await use({ stage, channel, players: stage.players, begin, until, victory });
  });

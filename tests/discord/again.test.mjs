// The end of a game: its result calls its people where they were, proof and story are a press away, and Again asks the same people.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isCard } from './fake/people.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { move, wins } from './play/game.mjs';
import { chance } from './play/players.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 240_000 };
const HEX = /[0-9a-f]{64}/;
const REST_MS = 200; // between two things of one person
const labels = message => controlsOf(message).map(each => each.label);
const all = place => [...place.messages.values()];
const cards = place => all(place).filter(isCard);
const pressed = async (person, message, label) => {
  const interaction = person.press(message, label);
  const answer = await interaction.answered;
  await interaction.channel; // its place
  return () => textOf(interaction.original ?? answer.message ?? {});
};

/** Ada, Bob and a bot player until somebody has won; Cem looks on. */
const played = (thread, use) => () => Stage.run({ quick: true, limits: false, bot: { deal: 1 }, before: fake => {
  fake.limits.on = false; // people who answer within milliseconds
  fake.rest.editMs = 1;
} }, async stage => {
  const [ada, bob] = stage.players;
  const hall = stage.channel;
  const random = chance(11);
  for (const player of stage.players) player.rests = () => stage.clock.pass(REST_MS);
  await ada.slash('munch new', { players: 4, sets: 'classic', thread, answer: '5s', window: '5s' });
  await bob.say('join');
  await ada.say('add-bot');
  await ada.say('start');
  const place = thread === 'off' ? hall : await stage.until('a thread', () =>
    [...stage.fake.world.channels.values()].find(channel => channel.type === 11));
  stage.channel = place;
  for (const player of stage.players) player.place = place;
  await stage.until('cards are dealt', () => cards(place).some(card => labels(card).includes('Act')));
  while (!wins(place)) await move(stage, [ada, bob], random);
  const result = await stage.until('a result', () => cards(hall).find(card => labels(card).includes('Proof')));
  await stage.works();
  await use(stage, hall, place, result);
});

const calls = (stage, person, message) => stage.fake.world.pushes.filter(push =>
  push.user === person.id && push.message === message.id).length;

describe('the end', { concurrency: 2 }, () => {
  test('from a thread: the result is new in the channel, calls who played, and Again asks them there', OPTIONS,
    played('on', async (stage, hall, thread, result) => {
      const [ada, bob, cem] = stage.people;
      assert.equal(all(hall).at(-1), result);
      for (const [person, count] of [[ada, 1], [bob, 1], [cem, 0]]) assert.equal(calls(stage, person, result), count);
      assert.deepEqual(labels(result), ['Again', 'Story', 'Proof']);
      const words = textOf(result);
      assert.match(words, /has won[^]*wins the game![^]*After \d+ rounds:\n1\\?\. /);
      assert.ok(words.split('\n').length <= 12, words);
      const way = hall.messages.get(thread.id);
      assert.match(textOf(way), new RegExp(`result is below[^]*<#${thread.id}>`));
      assert.deepEqual(labels(way), []);
      for (const message of [...all(hall), ...all(thread)]) {
        assert.doesNotMatch(textOf(message), HEX);
        assert.doesNotMatch(textOf(message), /\*{3}|\\\*/);
      }
      const last = cards(thread).at(-1);
      for (const message of [last, result]) {
        const proof = await pressed(ada, message, 'Proof');
        await stage.until('the proof', () => HEX.test(proof()));
        assert.match(proof(), /table verify [a-z0-9]+/);
        const story = await pressed(bob, message, 'Story');
        await stage.until('the story', () => /wins the game/.test(story()));
      }
      // Bob in the thread, Ada in the channel: one game.
      const told = await pressed(bob, last, 'Again');
      await stage.until('Bob is told where', () => /about to begin in munchkin/.test(told()));
      const lobby = await stage.until('a lobby', () => cards(hall).find(card => labels(card).includes('I\'m in')));
      assert.match(textOf(lobby), /3 of 4 seats[^]*Bob, the host[^]*Ada, asked to play again[^]*a bot player/);
      assert.equal(calls(stage, ada, lobby), 1);
      assert.equal(calls(stage, bob, lobby), 0);
      await pressed(ada, result, 'Again');
      await stage.until('Ada is in', () => labels(lobby).includes('Sit down') && !/asked to play again/.test(textOf(lobby)));
      // Whose game it was not is told where to go on.
      const other = await pressed(cem, last, 'Again');
      await stage.until('Cem is told', () => /Another table is open in munchkin: sit down there/.test(other()));
      await pressed(bob, lobby, 'Start');
      await stage.until('a second thread', () => [...stage.fake.world.channels.values()].filter(each => each.type === 11).length === 2);
      const proof = await pressed(cem, result, 'Proof'); // it stays
      await stage.until('the proof', () => HEX.test(proof()));
    }));

  test('in the channel itself: Again leaves the result, whose buttons say where to go on', OPTIONS,
    played('off', async (stage, hall, place, result) => {
      const [ada, bob] = stage.people;
      assert.equal(calls(stage, ada, result), 1);
      await pressed(ada, result, 'Again');
      const lobby = await stage.until('a lobby', () => cards(hall).find(card => labels(card).includes('I\'m in')));
      assert.notEqual(lobby.id, result.id);
      assert.match(textOf(result), /wins the game/);
      assert.equal(calls(stage, bob, lobby), 1);
      // The game is put away by now.
      const proof = await pressed(bob, result, 'Proof');
      await stage.until('the proof', () => HEX.test(proof()));
      const story = await pressed(bob, result, 'Story');
      await stage.until('where the story is', () => /scroll up/.test(story()));
      // Closing and asking again calls nobody a second time.
      const bell = () => stage.fake.world.pushes.filter(push => push.user === bob.id).length;
      const rung = bell();
      await stage.players[0].say('end');
      await stage.until('it has no buttons', () => labels(lobby).length === 0);
      assert.match(textOf(lobby), /This table is closed/);
      await pressed(ada, result, 'Again');
      const next = await stage.until('another lobby', () => cards(hall).find(card => labels(card).includes('Start')));
      assert.match(textOf(next), /2 of 4 seats[^]*Ada, the host[^]*a bot player/);
      await stage.players[1].say('join');
      await stage.until('Bob sits there', () => /3 of 4 seats/.test(textOf(next)));
      assert.equal(bell(), rung);
      await pressed(ada, next, 'Start');
      await stage.until('cards are dealt', () => cards(hall).some(card => labels(card).includes('Act')));
    }));
});

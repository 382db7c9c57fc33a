// Hands in private channels: what a lock screen shows, where the table is, and people who cannot be written to.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CALLBACK } from './fake/interactions.mjs';
import { isCard, isEphemeral, isVersion2 } from './fake/people.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { game } from './play/game.mjs';
import { Player, cardOf } from './play/players.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 150_000 };
const run = (use, before) => () => Stage.run({ before }, use);
const begin = async stage => {
  const [ada, ...others] = stage.players;
  await ada.slash('munch new', { players: 3, sets: 'classic' });
  for (const player of others) await player.say('join');
  await ada.say('start');
};
const directs = person => (person.dm ? [...person.dm.messages.values()] : []);
const isHand = message => /Your hand: /.test(textOf(message));

describe('hands', { concurrency: 4 }, () => {
  test('a hand is silent, and its edits say where the table is; the set-up calls everybody once', OPTIONS,
    run(async stage => {
      const [ada] = stage.people;
      await stage.players[0].slash('munch new', { players: 3, sets: 'classic' });
      await stage.until('a first message', () => directs(ada).length > 0);
      assert.match(directs(ada)[0].content, new RegExp(`^You have a seat[^]*<#${stage.channel.id}>`));
      for (const player of stage.players.slice(1)) await player.say('join');
      await stage.players[0].say('start');
      await stage.until('hands are dealt', () => stage.people.every(person => directs(person).some(isHand)));
      const [hand] = directs(ada);
      await stage.until('everybody is called', () => stage.people.every(person => person.pushes.length === 1));
      assert.equal(ada.pushes[0].channel, stage.channel.id);
      assert.match(textOf(hand), /Your hand: \d+ cards/);
      assert.ok(isVersion2(hand));
      await stage.players[0].say('done');
      await stage.until('the hand is edited', () => hand.content === '' && textOf(hand).includes(`The table is in <#${stage.channel.id}>`));
      assert.equal(ada.pushes.length, 1);
      for (const person of stage.people) assert.equal(directs(person).length, 1);
    }));

  test('who allows it later says "dm", and has a hand there', OPTIONS, run(async stage => {
    const [, bob] = stage.people;
    bob.user.dms = 'closed';
    await begin(stage);
    await stage.until('it was tried', () => stage.fake.rest.log.some(entry => entry.status === 403));
    bob.user.dms = 'open';
    await stage.players[1].say('done');
    await stage.works();
    assert.equal(directs(bob).length, 0);
    await stage.players[1].say('dm');
    await stage.until('the hand', () => directs(bob).some(message => /Your hand/.test(textOf(message))));
  }));

  test('who wants no calls gets none; who is called can act and look at the hand from there', OPTIONS, run(async stage => {
    const [ada, bob, cem] = stage.players;
    await ada.slash('munch new', { players: 3, sets: 'classic' });
    for (const player of [bob, cem]) await player.say('join');
    await bob.say('notify none');
    await ada.say('start');
    await stage.until('the others are called', () => [stage.people[0], stage.people[2]].every(person => person.pushes.length > 0));
    const called = [...stage.channel.messages.values()].filter(message => message.mentions.length > 0);
    const [prompt] = called;
    assert.equal(called.length, 1);
    assert.equal((prompt.flags & 4096), 0);
    for (const [label, words] of [['Act', /hand|done/i], ['My hand', /Your hand/]]) {
      const panel = await stage.people[0].press(prompt, label).answered;
      assert.ok(isEphemeral(panel.message));
      assert.match(textOf(panel.message), words);
    }
    for (const player of stage.players) await player.say('done');
    await stage.until('a turn', () => [...stage.channel.messages.values()].some(message => /before the door/.test(textOf(message))));
    assert.deepEqual(stage.people[1].pushes, []);
    for (const person of stage.people) for (const push of person.pushes) assert.doesNotMatch(push.text, /Your hand: /);
  }));

  test('whoever sits down is offered how to play, in private, and gets up there', OPTIONS, run(async stage => {
    const [, bob] = stage.people;
    await stage.players[0].slash('munch new', { players: 3, sets: 'classic' });
    await stage.players[1].say('join');
    const first = await stage.until('a message', () => directs(bob)[0]);
    assert.deepEqual(controlsOf(first).map(each => each.label), ['How to play', 'Type a command', 'Get up']);
    await bob.press(first, 'How to play').answered;
    assert.match(textOf(first), /A turn: /);
    assert.match(textOf(first), new RegExp(`The table is in <#${stage.channel.id}>`));
    await bob.press(first, 'Get up').answered;
    assert.deepEqual(controlsOf(first), []);
    await stage.until('all are told', () => [...stage.channel.messages.values()].some(message => /Bob leaves/.test(textOf(message))));
    assert.equal(directs(bob).length, 1);
  }));

  test('a pass that the others are not told of is confirmed where it was pressed', OPTIONS,
    game({ kinds: [Player], names: ['Ada', 'Bob', 'Cem'] }, async ({ stage, channel, players, begin, until }) => {
      await begin({ window: '3m' });
      const asked = () => /: (\w+) and \w+ may stop it or pass/.exec(textOf(cardOf(channel)))?.[1];
      await until('a fight that two may stop', asked);
      const { person } = players.find(player => player.person.user.global_name === asked());
      const panel = (await person.press(cardOf(channel), 'Act').answered).message;
      assert.doesNotMatch(textOf(panel), /Noted/);
      await person.press(panel, 'Pass').answered;
      assert.match(textOf(panel), /^Noted\. There is nothing/);
      assert.ok(!controlsOf(panel).some(control => control.label === 'Pass'));
      assert.ok(asked());
      await stage.works();
    }));

  test('the way back from a page in the hand is the hand', OPTIONS, run(async stage => {
    await begin(stage);
    const [ada] = stage.people;
    const hand = await stage.until('a hand', () => directs(ada).find(isHand));
    for (const page of ['Read a card', 'More']) {
      const { message } = await ada.press(hand, page).answered;
      assert.doesNotMatch(textOf(message), /Your hand: /, page);
      const back = await ada.press(message, 'Back').answered;
      assert.match(textOf(back.message), /Your hand: /, page);
    }
  }));

  const bare = (stage, person, words) => stage.until(`${person.user.global_name}: ${words}`, () =>
    directs(person).some(message => words.test(textOf(message))) &&
    directs(person).every(message => !isHand(message) && controlsOf(message).length === 0));

  test('a hand says so, and cannot be pressed, once its player has left or was removed; who is back has one', OPTIONS,
    run(async stage => {
      const [, bob, cem] = stage.people;
      await begin(stage);
      await stage.until('hands are dealt', () => stage.people.every(person => directs(person).some(isHand)));
      const prompt = await stage.until('all are called', () => [...stage.channel.messages.values()].find(each => each.mentions.length > 0));
      const panel = (await bob.press(prompt, 'My hand').answered).message;
      await stage.players[1].say('leave');
      await bare(stage, bob, /no longer have a seat in this game/);
      const old = controlsOf(panel)[0];
      const answer = await bob.press(panel, old.custom_id, old.options?.slice(0, 1).map(option => option.value)).answered;
      assert.equal(answer.type, CALLBACK.update);
      assert.match(textOf(panel), /no seat/);
      assert.deepEqual(controlsOf(panel).map(each => each.label), ['Sit down', 'Type a command']);
      await stage.players[0].slash('munch table remove', { player: 'Cem' });
      await bare(stage, cem, /no longer have a seat in this game/);
      await stage.players[1].say('join');
      await stage.until('the hand is back', () => directs(bob).some(message => isHand(message) && controlsOf(message).length > 0));
      assert.equal(directs(cem).length, 1);
    }));

  test('hands say that the game is over; before the deal whoever gets up has no buttons left', OPTIONS, run(async stage => {
    const [ada, bob, cem] = stage.people;
    await stage.players[0].slash('munch new', { players: 3, sets: 'classic' });
    for (const player of stage.players.slice(1)) await player.say('join');
    await stage.until('all have a message', () => stage.people.every(person => directs(person).length === 1));
    await stage.players[1].say('leave');
    await bare(stage, bob, /no longer have a seat at this table/);
    assert.ok(controlsOf(directs(cem)[0]).length > 0);
    await stage.players[1].say('join');
    await stage.players[0].say('start');
    await stage.until('hands are dealt', () => stage.people.every(person => directs(person).some(isHand)));
    for (let twice = 0; twice < 2; twice++) await stage.players[0].say('end');
    for (const person of [ada, bob, cem]) await bare(stage, person, /game is over/);
    for (const person of [ada, cem]) assert.equal(directs(person).length, 1, 'what they were dealt is told once');
  }));

  test('a lobby that closes leaves no buttons', OPTIONS, run(async stage => {
    const [ada] = stage.people;
    await stage.players[0].slash('munch new', { players: 3, sets: 'classic' });
    await stage.until('a first message', () => directs(ada).length > 0);
    await stage.players[0].say('leave');
    await bare(stage, ada, /table is closed/);
  }));

  test('who sits at two tables says at which, in private or not', OPTIONS, run(async stage => {
    const [ada] = stage.people;
    const cellar = stage.fake.channel(stage.guild, 'cellar');
    const cards = channel => [...channel.messages.values()].filter(isCard).map(textOf).join();
    const seats = (channel, n) => stage.until(`${n} sit in ${channel.name}`, () => cards(channel).includes(`${n} of 5 seats`));
    const say = async (channel, options) => textOf((await ada.slash(channel, 'munch my at', options).answered).message);
    for (const channel of [stage.channel, cellar]) {
      await ada.slash(channel, 'munch new', { players: 5, sets: 'classic', thread: 'off' }).answered;
      await seats(channel, 1);
    }
    await stage.until('a first message', () => directs(ada).length > 0);
    for (const channel of [ada.dm, stage.channel]) assert.match(await say(channel), /munchkin[^]*2.*cellar/);
    await say(ada.dm, { number: 2, command: 'add-bot' });
    await seats(cellar, 2);
    const answer = await ada.slash(stage.channel, 'munch my at', { number: 2, command: 'add-bot' }).answered;
    assert.ok(isEphemeral(answer.message));
    await seats(cellar, 3);
    assert.match(cards(stage.channel), /1 of 5 seats/);
    assert.match(await say(ada.dm, { number: 1 }), /munchkin/);
    await ada.slash(ada.dm, 'munch table add-bot').answered;
    await seats(stage.channel, 2);
    assert.match(cards(cellar), /3 of 5 seats/);
    assert.match(await say(ada.dm), /munchkin[^]*2.*cellar/);
  }));

  test('"at" lists the tables that wait for one first; a command that could mean several names it', OPTIONS, run(async stage => {
    const [ada, bob, cem] = stage.players;
    const cellar = stage.fake.channel(stage.guild, 'cellar');
    const square = stage.fake.channel(stage.guild, 'square');
    await ada.person.slash(stage.channel, 'munch new', { players: 5, sets: 'classic', thread: 'off' }).answered;
    await ada.person.slash(cellar, 'munch new', { players: 3, sets: 'classic', thread: 'off' }).answered;
    for (const player of [bob, cem]) await player.person.slash(cellar, 'munch join').answered;
    await ada.person.slash(cellar, 'munch start').answered;
    await stage.until('hands are dealt', () => stage.people.every(person => directs(person).some(isHand)));
    const answer = await ada.person.slash(stage.channel, 'munch my at').answered;
    assert.ok(isEphemeral(answer.message));
    assert.match(textOf(answer.message), /2\W* .*cellar.*: waits for you; set-up[^]*1\W* .*munchkin.*: not started yet/);
    const doubt = await ada.person.slash(square, 'munch hand').answered;
    assert.ok(isEphemeral(doubt.message));
    assert.match(textOf(doubt.message), /my at[^]*cellar/);
  }));

  for (const [dms, advice] of [['blocked', 'unblock me'], ['closed', 'allow direct messages']]) {
    test(`whose messages are ${dms} is told so alone, once, and not tried again`, OPTIONS, run(async stage => {
      const [, bob] = stage.people;
      bob.user.dms = dms;
      await stage.players[0].slash('munch new', { players: 3, sets: 'classic' });
      const hints = () => stage.channel.ephemerals && [...stage.channel.ephemerals.values()]
        .filter(message => message.reader === bob.id && textOf(message).includes("can't send you direct messages"));
      await stage.players[1].say('join');
      await stage.until('a hint', () => hints().length > 0);
      assert.ok(textOf(hints()[0]).includes(advice));
      const tries = () => stage.fake.rest.log.filter(entry => entry.method === 'POST' && entry.status === 403).length;
      assert.equal(tries(), 1);
      await stage.players[2].say('join');
      await stage.players[0].say('start');
      await stage.until('cards are dealt', () => stage.people[0].dm && directs(stage.people[0]).some(isHand));
      await stage.players[1].say('done');
      const hand = await bob.slash(stage.channel, 'munch hand').answered;
      assert.ok(isEphemeral(hand.message) && /Your hand/.test(textOf(hand.message)));
      await stage.works();
      assert.equal(tries(), 1);
      assert.equal(hints().length, 1);
      for (const message of stage.channel.messages.values()) assert.doesNotMatch(textOf(message), /can't send/);
    }));
  }
});

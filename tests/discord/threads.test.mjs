// A thread for each table: made when the game starts, of the lobby's card; and every way in which there is none.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { controlsOf, textOf, PERMISSION, INVITED } from './fake/world.mjs';
import { isCard, isEphemeral } from './fake/people.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 150_000 };
const THREADS = '/channels/{channel_id}/messages/{message_id}/threads';
const run = (use, more = {}) => () => Stage.run({ people: ['Ada', 'Bob', 'Cem', 'Eve'], ...more }, use);

const lobby = async (stage, options = {}) => {
  const [ada, bob, cem] = stage.players;
  await ada.slash('munch new', { players: 4, thread: 'on', sets: 'classic', ...options });
  for (const player of [bob, cem]) await player.say('join');
  await ada.say('add-bot');
};
const begin = async (stage, options) => {
  await lobby(stage, options);
  await stage.players[0].say('start');
};
const threads = stage => [...stage.fake.world.channels.values()].filter(channel => channel.type === 11);
const cards = place => [...place.messages.values()].filter(isCard);
const said = (place, pattern) => [...place.messages.values()].some(message => pattern.test(textOf(message)));
const labels = message => controlsOf(message).map(control => control.label);
const played = (stage, place) => stage.until('cards are dealt', () => cards(place).some(card => labels(card).includes('Act')));
const asked = stage => stage.fake.rest.log.filter(entry => entry.template === THREADS);
// The table goes on where it is, whatever has happened.
const moves = async (stage, place) => {
  for (const player of stage.players.slice(0, 3)) {
    player.place = place;
    await player.say('done');
  }
  await stage.until('a turn', () => said(place, /before the door/));
};

describe('threads', { concurrency: 4 }, () => {
  test('a game has a thread of the lobby\'s card with its players in it, and the channel is free', OPTIONS, run(async stage => {
    await begin(stage);
    const [thread] = await stage.until('a thread', () => threads(stage).length === 1 && threads(stage));
    await played(stage, thread);
    const [ada, bob, cem, eve] = stage.people;
    assert.equal(thread.name.slice(0, 8), 'Game of ');
    assert.equal(thread.thread_metadata.auto_archive_duration, 10080);
    await stage.until('its players are in it', () => [ada, bob, cem].every(person => thread.members.has(person.id)));
    const [way, ...others] = await stage.until('the way', () => labels(cards(stage.channel)[0]).includes('Sit down') &&
      !labels(cards(stage.channel)[0]).includes('Start') && cards(stage.channel));
    assert.equal(others.length, 0);
    assert.equal(way.id, thread.id);
    assert.ok(textOf(way).includes(`<#${thread.id}>`));
    assert.deepEqual(labels(way), ['Sit down']);
    await stage.until('Bob has a hand that names it', () => bob.dm?.messages.size > 0 &&
      [...bob.dm.messages.values()].every(message => textOf(message).includes(`<#${thread.id}>`)));
    await moves(stage, thread);
    // Another table in the channel, and a late joiner at this one.
    await stage.players[3].slash('munch new', { players: 3 });
    await stage.until('a second card', () => cards(stage.channel).length === 2);
    eve.press(way, 'Sit down');
    await stage.until('Eve plays', () => said(thread, /Eve/) && thread.members.has(eve.id));
    await stage.until('no seat is free', () => labels(way).length === 0);
  }));

  test('what its players type in the channel is for their table; who has none is told so', OPTIONS, run(async stage => {
    await begin(stage);
    const [thread] = await stage.until('a thread', () => threads(stage).length === 1 && threads(stage));
    await played(stage, thread);
    const [ada, , , eve] = stage.players;
    assert.match(await ada.say('hand'), /Your hand: \d/);
    await ada.say('done');
    await stage.until('all read it where they play', () => said(thread, /Ada (is|says|has).*(ready|done)/i));
    assert.ok(!said(stage.channel, /Ada (is|says|has).*(ready|done)/i));
    assert.match(await eve.say('hand'), /no table here/);
    ada.place = stage.elsewhere;
    assert.match(await ada.say('hand'), /no table here/);
  }, { before: (fake, stage) => { stage.elsewhere = fake.channel(fake.guild('Elsewhere', stage.people.slice(0, 1)), 'far away'); } }));

  test('a command in the channel can name the thread: who manages the channel ends a game there, nobody else', OPTIONS,
    run(async stage => {
      await begin(stage, { pace: 'slow' });
      const [thread] = await stage.until('a thread', () => threads(stage).length === 1 && threads(stage));
      await played(stage, thread);
      const [, , , eve, mod] = stage.people;
      const end = person => person.slash(stage.channel, 'munch table end', { table: thread.id }).answered;
      assert.match(textOf((await end(eve)).message), /no seat/);
      stage.guild.members.get(mod.id).permissions |= PERMISSION.manageChannels;
      const elsewhere = await mod.slash(stage.channel, 'munch table end', { table: stage.lounge.id }).answered;
      assert.match(textOf(elsewhere.message), /no table/);
      const [asked, done] = [(await end(mod)).message, (await end(mod)).message];
      for (const answer of [asked, done]) assert.ok(isEphemeral(answer));
      assert.match(textOf(asked), /sure|again/i);
      await stage.until('all read it where they play', () => said(thread, /Mod/));
      assert.ok(!said(stage.channel, /Mod/));
      await stage.until('it is over', () => cards(stage.channel).some(card => labels(card).includes('Again')));
      stage.lounge.hidden = true;
      const hidden = await eve.slash(stage.channel, 'munch status', { table: stage.lounge.id }).answered;
      assert.match(textOf(hidden.message), /that you can see/);
    }, { people: ['Ada', 'Bob', 'Cem', 'Eve', 'Mod'], before: (fake, stage) => { stage.lounge = fake.channel(stage.guild, 'lounge'); } }));

  test('who waits for a seat is led into the thread', OPTIONS, run(async stage => {
    await begin(stage);
    const [thread] = await stage.until('a thread', () => threads(stage).length === 1 && threads(stage));
    await played(stage, thread);
    await moves(stage, thread);
    const [, , , eve] = stage.players;
    const kicked = () => !/before the door/.test(textOf(cards(thread).at(-1)));
    for (let turn = 0; !kicked() && turn < 3; turn++) await stage.players[turn].say('kick');
    eve.place = thread;
    assert.match(await eve.say('join'), /keeping a seat/);
    await stage.until('Eve is in it', () => thread.members.has(eve.person.id));
  }));

  test('over, the card in the channel tells who won, and opens the same again', OPTIONS, run(async stage => {
    await begin(stage, { pace: 'slow' });
    const [thread] = await stage.until('a thread', () => threads(stage).length === 1 && threads(stage));
    await played(stage, thread);
    const [ada] = stage.players;
    ada.place = thread;
    for (let i = 0; i < 2; i++) await ada.say('end');
    const way = await stage.until('Again', () => cards(stage.channel).find(card => labels(card).includes('Again')));
    assert.match(textOf(way), /ended/);
    stage.people[1].press(way, 'Again');
    const again = await stage.until('a lobby', () => cards(stage.channel).find(card => labels(card).includes('Start')));
    assert.notEqual(again.id, way.id);
    assert.match(textOf(again), /4 of 4[^]*Bob, the host[^]*asked to play again/);
  }));

  test('a thread that could not be made: one who starts in a thread stays there, and nobody is told', OPTIONS, run(async stage => {
    const thread = stage.fake.world.addThread(stage.channel, 'off topic');
    for (const player of stage.players) player.place = thread;
    await begin(stage);
    await played(stage, thread);
    assert.equal(threads(stage).length, 1);
    assert.ok(!said(thread, /couldn't create a thread/));
  }));

  const refused = [
    ['the permission is missing', stage => { stage.channel.botPermissions = INVITED & ~PERMISSION.createThreads; }],
    ['there are too many', stage => stage.fake.faults.add({ template: THREADS, status: 400, times: Infinity,
      body: { code: 160006, message: 'Maximum number of active threads reached' } })],
    ['Discord never answers', stage => stage.fake.faults.add({ template: THREADS, hang: true, times: Infinity })],
  ];
  for (const [why, fail] of refused) {
    test(`${why}: the game stays in the channel, and says so`, OPTIONS, run(async stage => {
      fail(stage);
      await begin(stage);
      await played(stage, stage.channel);
      assert.ok(said(stage.channel, /couldn't create a thread/));
      assert.equal(threads(stage).length, 0);
      await moves(stage, stage.channel);
    }));
  }

  test('killed while the thread is made: there is one, and the game is in it', OPTIONS, run(async stage => {
    await lobby(stage);
    stage.fake.faults.add({ template: THREADS, when: 'after', hang: true });
    stage.players[0].person.slash(stage.channel, 'munch start');
    await stage.until('it is asked for', () => asked(stage).length === 1);
    await stage.bot.kill();
    await stage.bot.start();
    const [thread] = await stage.until('a thread', () => threads(stage).length === 1 && threads(stage));
    await played(stage, thread);
    assert.equal(asked(stage).at(-1).code, 160004);
    assert.equal(cards(stage.channel).length, 1);
    await moves(stage, thread);
  }));

  test('a thread that is archived is open again, and the game goes on in it', OPTIONS, run(async stage => {
    await begin(stage);
    const [thread] = await stage.until('a thread', () => threads(stage).length === 1 && threads(stage));
    await played(stage, thread);
    stage.fake.world.updateThread(thread, { archived: true });
    await stage.until('it is opened', () => !thread.thread_metadata.archived);
    await moves(stage, thread);
  }));

  for (const [what, remove] of [['thread', (stage, thread) => stage.fake.world.removeChannel(thread)],
    ['channel of the thread', stage => stage.fake.world.removeChannel(stage.channel)]]) {
    test(`the ${what} is deleted: hands say so, and the host goes on elsewhere`, OPTIONS, run(async stage => {
      await begin(stage);
      const [thread] = await stage.until('a thread', () => threads(stage).length === 1 && threads(stage));
      await played(stage, thread);
      const elsewhere = stage.fake.channel(stage.guild, 'elsewhere');
      remove(stage, thread);
      const [ada] = stage.players;
      await stage.until('hands say so', () => stage.people.slice(0, 3).every(person =>
        [...person.dm.messages.values()].some(message => /is gone/.test(textOf(message)))));
      if (what === 'thread') await stage.until('so does the card', () => said(stage.channel, /game's channel is gone/));
      ada.place = elsewhere;
      await ada.say('resume');
      await played(stage, elsewhere);
      await moves(stage, elsewhere);
    }));
  }
});

// Life in a server: what the bot may not do there, what others delete, who moderates.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isCard, isEphemeral, tableOf } from './fake/people.mjs';
import { INVITED, PERMISSION, controlsOf, textOf } from './fake/world.mjs';
import { walk } from './fake/rules.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 150_000 };
const cards = stage => [...stage.channel.messages.values()].filter(isCard);
const played = stage => cards(stage).filter(card => controlsOf(card).some(control => control.label === 'Act'));

// A game of Ada, Bob and Cem, dealt.
const begin = stage => stage.deal();

describe('a server', { concurrency: 2 }, () => {
  test('each permission that is missing is named, in one private sentence, before anything is lost', OPTIONS,
    () => Stage.run({}, async stage => {
      const [ada] = stage.people;
      for (const [name, words] of [['viewChannel', 'View Channel'], ['sendMessages', 'Send Messages'], ['embedLinks', 'Embed Links'],
        ['readHistory', 'Read Message History']]) {
        stage.channel.botPermissions = INVITED & ~PERMISSION[name];
        const { message } = await ada.slash(stage.channel, 'munch new', { players: 3 }).answered;
        assert.ok(isEphemeral(message));
        assert.match(textOf(message), new RegExp(`"${words}"`));
        assert.equal(textOf(message).trim().split('\n').length, 1);
      }
      const thread = stage.fake.world.addThread(stage.channel, 'aside');
      stage.channel.botPermissions = INVITED & ~PERMISSION.sendInThreads;
      const inThread = await ada.slash(thread, 'munch new', { players: 3 }).answered;
      assert.match(textOf(inThread.message), /"Send Messages in Threads"/);
      assert.equal(stage.posts.length, 0);
      stage.channel.botPermissions = INVITED;
      const { message } = await ada.slash(stage.channel, 'munch new', { players: 3 }).answered;
      assert.equal(textOf(message), 'Done.');
      await stage.until('a card', () => cards(stage).length === 1 && /is open/.test(textOf(cards(stage)[0])));
    }));

  test('a server that has the commands and not the bot: one sentence and the way to invite it', OPTIONS,
    () => Stage.run({}, async stage => {
      const elsewhere = stage.fake.world.addGuild('Elsewhere', [stage.people[0].user], { installed: false });
      const channel = stage.fake.channel(elsewhere, 'lounge');
      const { message } = await stage.people[0].slash(channel, 'munch new', { players: 3 }).answered;
      assert.ok(isEphemeral(message));
      assert.match(textOf(message), /This server has my commands/);
      const [link] = [...walk(message.components)].map(([component]) => component).filter(component => component.url);
      assert.match(link.url, new RegExp(`client_id=${stage.fake.world.application.id}&permissions=309237763072&scope=bot`));
      assert.equal(stage.posts.length, 0);
      await stage.works();
    }));

  test('whom the operator blocks while it runs is not heard, and told so; a broken file changes nothing', OPTIONS,
    () => Stage.run({}, async stage => {
      const [ada, bob, cem] = stage.people;
      const says = async (person, channel = stage.channel) => textOf((await person.slash(channel, 'munch look help').answered).message);
      await stage.bot.reread([`block = ${bob.user.id}`]);
      assert.match(await says(bob), /operator of this bot has blocked you/);
      await bob.slash(stage.channel, 'munch new', { players: 3 }).answered;
      assert.equal(stage.posts.length, 0);
      assert.doesNotMatch(await says(ada), /operator/);
      await stage.bot.reread(['block = Bob']); // names nobody: what was there stays
      assert.match(await says(bob), /operator of this bot has blocked you/);
      await stage.bot.reread(['allow = 123456789012345678']);
      assert.match(await says(cem), /I do not play here/);
      await stage.bot.reread([`allow = 123456789012345678, ${stage.guild.id}`]);
      for (const person of [ada, bob, cem]) assert.doesNotMatch(await says(person), /operator/);
      const thread = stage.fake.world.addThread(stage.channel, 'aside');
      await stage.bot.reread([`allow = ${stage.channel.id}`]);
      assert.doesNotMatch(await says(ada, thread), /operator/, 'a channel is its threads, too');
      await stage.bot.reread([`block = ${stage.channel.id}`]);
      assert.match(await says(ada, thread), /I do not play here/);
      await stage.bot.reread(['[munchbot]', 'tables_per_person = 1']);
      const asked = async channel => textOf((await cem.slash(channel, 'munch new', { players: 3 }).answered).message);
      assert.equal(await asked(stage.channel), 'Done.');
      assert.match(await asked(thread), /opened enough tables today; you can open the next one in 2[34] hours/);
    }));

  test('a card that somebody deletes comes again, once', OPTIONS, () => Stage.run({}, async stage => {
    await begin(stage);
    const [card] = played(stage);
    stage.fake.world.remove(stage.channel, card.id);
    for (const player of stage.players) await player.say('done');
    await stage.until('a card', () => played(stage).length === 1);
    await stage.works();
    await stage.until('one card still', () => played(stage).length === 1);
  }));

  test('who manages the channel ends a game they are not in, who does not cannot', OPTIONS,
    () => Stage.run({ people: ['Ada', 'Bob', 'Cem', 'Mod', 'Eve'] }, async stage => {
      await begin(stage);
      const [, , , mod, eve] = stage.players;
      stage.guild.members.get(mod.person.id).permissions |= PERMISSION.manageChannels;
      await eve.say('end');
      await eve.say('end');
      assert.ok(!cards(stage).some(card => /over|ended/i.test(textOf(card).split('\n')[0])));
      const sure = await mod.say('end');
      assert.notEqual(sure, '');
      await mod.say('end');
      await stage.until('the game is over', () => [...stage.channel.messages.values()].some(message => /Mod/.test(textOf(message))));
      const status = await stage.players[0].say('kick');
      assert.match(status, /over|no game|no table/i);
    }));

  test('a card says that the table is paused, and its host goes on by a press', OPTIONS, () => Stage.run({}, async stage => {
    await begin(stage);
    const [ada, bob] = stage.people;
    await stage.players[0].say('pause');
    const card = await stage.until('the card says so', () => cards(stage).find(each => /is paused; the host/.test(textOf(each))));
    assert.deepEqual(controlsOf(card).map(each => each.label), ['Go on']);
    assert.match(textOf((await bob.press(card, 'Go on').answered).message), /Only the table's host/);
    await ada.press(card, 'Go on').answered;
    await stage.until('the game goes on', () => cards(stage).some(each => controlsOf(each).some(control => control.label === 'Act')));
    assert.ok(!cards(stage).some(each => /is paused/.test(tableOf(each))));
  }));

  test('put out of a server: hands say so, and taken in again its host goes on', OPTIONS, () => Stage.run({}, async stage => {
    await begin(stage);
    const [, bob] = stage.people;
    stage.fake.world.removeGuild(stage.guild);
    const hands = person => [...person.dm.messages.values()].map(textOf).join('\n');
    await stage.until('hands say so', () => stage.people.every(person => /is gone/.test(hands(person))));
    assert.match(textOf((await bob.slash(bob.dm, 'munch done').answered).message), /paused/);
    stage.fake.world.guildBack(stage.guild);
    await stage.players[0].say('resume');
    for (const player of stage.players) await player.say('done');
    await stage.until('a turn', () => cards(stage).some(card => /before the door/.test(textOf(card))));
  }));
});

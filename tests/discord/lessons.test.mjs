// What broke other bots: lines of LESSONS.md that no other file here holds.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isCard, isEphemeral, tableOf } from './fake/people.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { move } from './play/game.mjs';
import { Player, chance } from './play/players.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 240_000 };
const OPEN = '/users/@me/channels';
const CALLBACK = '/interactions/{interaction_id}/{interaction_token}/callback';
const ORIGINAL = { method: 'PATCH', template: '/webhooks/{webhook_id}/{webhook_token}/messages/@original' };
const NOT_KNOWN = { status: 404, body: { code: 10015, message: 'Unknown Webhook' } };
const MEMBER = '/guilds/{guild_id}/members/{user_id}';
const cardOf = channel => [...channel.messages.values()].filter(isCard).at(-1);
const handsOf = person => (person.dm ? [...person.dm.messages.values()].filter(message => /Your hand/.test(textOf(message))) : []);

const begin = (stage, players) => stage.deal(players, { thread: 'off' });

const told = (stage, pattern) => [...stage.channel.messages.values()].some(message => pattern.test(textOf(message)));
const tableIdOf = message => controlsOf(message)[0].custom_id.split(':')[1];

describe('lessons', { concurrency: 2 }, () => {
  let ahead = 0;
  test('27: a table two hours old is edited in place, though moves come faster than edits may, ends up as it is', OPTIONS,
    () => Stage.run({ fake: { now: () => Date.now() + ahead }, limits: false, reads: false }, async stage => {
      const [ada, bob, cem] = stage.players;
      await ada.slash('munch new', { players: 4 });
      const card = await stage.until('a card', () => cardOf(stage.channel));
      ahead = 2 * 3_600_000;
      for (const [player, word] of [[bob, 'join'], [cem, 'join'], [bob, 'leave'], [cem, 'leave'], [cem, 'join'], [bob, 'join'],
        [cem, 'leave']]) await player.say(word); // of ten the card would be posted anew below them
      await stage.until('the card names Bob, and not Cem', () => /Bob/.test(tableOf(cardOf(stage.channel))) &&
        !/Cem/.test(tableOf(cardOf(stage.channel))));
      assert.equal(cardOf(stage.channel).id, card.id);
      assert.equal([...stage.channel.messages.values()].filter(isCard).length, 1);
    }));

  test('28: who may open no private channels goes on with those that there are', OPTIONS, () => Stage.run(
    { people: ['Ada', 'Bob', 'Cem', 'Dee', 'Eve', 'Fay'] }, async stage => {
      await begin(stage, stage.players.slice(0, 3));
      stage.fake.world.quarantined = true;
      const other = stage.fake.channel(stage.guild, 'second');
      const late = stage.people.slice(3).map(person => new Player(person, other, chance(3)));
      await late[0].slash('munch new', { players: 3, sets: 'classic', thread: 'off' });
      for (const player of late.slice(1)) await player.say('join');
      await late[0].say('start');
      const refused = () => stage.fake.rest.log.filter(entry => entry.template === OPEN && entry.status === 403).length;
      await stage.until('it is told so', () => refused() > 0);
      const hand = await late[1].person.slash(other, 'munch hand').answered;
      assert.ok(isEphemeral(hand.message) && /Your hand/.test(textOf(hand.message)));
      const [old] = handsOf(stage.people[0]);
      const edits = old.edits;
      for (const player of stage.players.slice(0, 3)) await player.say('done');
      await stage.until('hands that are there change', () => old.edits > edits);
      assert.ok(refused() <= 3, 'each is tried once');
      assert.match(stage.bot.log, /level=error event=dm-refused/);
    }));

  // The first answer is carried out and that is not told: what comes then is an edit of it, by the token.
  test('32: a young token is not known: it is tried again, and then told in private', OPTIONS, () => Stage.run({}, async stage => {
    await begin(stage);
    const [, bob, cem] = stage.people;
    const asked = [];
    for (const [person, times] of [[bob, 2], [cem, Infinity]]) {
      stage.fake.faults.add({ method: 'POST', template: CALLBACK, when: 'after', status: 500 });
      const each = person.slash(stage.channel, 'munch hand');
      stage.fake.faults.add({ ...ORIGINAL, ...NOT_KNOWN, times, if: entry => entry.parameters.webhook_token === each.token });
      await each.answered;
      asked.push(each);
    }
    const tries = each => stage.fake.rest.log.filter(entry => entry.method === ORIGINAL.method &&
      entry.template === ORIGINAL.template && entry.parameters.webhook_token === each.token).map(entry => entry.code ?? entry.status);
    await stage.until('Bob is answered', () => tries(asked[0]).at(-1) === 200);
    assert.deepEqual(tries(asked[0]), [404, 404, 200]);
    await stage.until('Cem is told in private, below the hand', () => handsOf(cem).length === 2);
    assert.deepEqual(tries(asked[1]), [404, 404, 404, 404]);
    assert.deepEqual(cem.pushes.filter(push => push.channel === cem.dm.id), []);
    assert.equal(handsOf(bob).length, 1);
  }));

  test('38: of two presses in 50 ms the first is answered late: the card ends up newest', OPTIONS, () => Stage.run({}, async stage => {
    const [ada, bob, cem] = stage.people;
    await ada.slash(stage.channel, 'munch new', { players: 4 }).answered;
    const card = await stage.until('a card', () => cardOf(stage.channel));
    stage.fake.faults.add({ method: 'POST', template: CALLBACK, delay: 2000 });
    bob.press(card, 'Sit down');
    await pause(50);
    cem.press(card, 'Sit down');
    await stage.until('both sit', () => /Bob/.test(textOf(cardOf(stage.channel))) || /Cem/.test(textOf(cardOf(stage.channel))));
    await pause(4000);
    await stage.works();
    const sits = name => new RegExp(name).test(textOf(cardOf(stage.channel)));
    const said = [...stage.channel.messages.values()].map(textOf).join('\n');
    for (const name of ['Bob', 'Cem']) assert.equal(sits(name), new RegExp(`${name} (sits|takes|joins)`).test(said), `${name}: ${said}`);
  }));

  test('41: hands of two tables in one private channel, pressed crosswise: each acts at its own table', OPTIONS,
    () => Stage.run({}, async stage => {
      const other = stage.fake.channel(stage.guild, 'second');
      await begin(stage);
      await begin(stage, stage.people.map(person => new Player(person, other, chance(3))));
      const [ada] = stage.people;
      const hands = handsOf(ada);
      assert.equal(new Set(hands.map(tableIdOf)).size, 2);
      const [first, second] = hands;
      const card = () => textOf(cardOf(other));
      const [before, said] = [card(), other.messages.size];
      // A control of the first table's hand, come from the message of the second's.
      for (const control of controlsOf(first)) {
        const values = control.options ? [control.options[0].value] : undefined;
        await ada.forge(second, { custom_id: control.custom_id, component_type: control.type, ...(values ? { values } : {}) }).answered;
      }
      await stage.works();
      assert.equal(card(), before);
      assert.equal(other.messages.size, said);
    }));

  test('40: the host leaves the server when it is their turn: the others play on', OPTIONS,
    () => Stage.run({ limits: false, before: fake => { fake.limits.on = false; } }, async stage => {
      const [ada, bob, cem] = stage.players;
      await ada.slash('munch new', { players: 3, sets: 'classic', turn: '5s', decision: '5s', answer: '5s', window: '5s' });
      for (const player of [bob, cem]) await player.say('join');
      await ada.say('start');
      const turn = () => /Ada must /.test(textOf(cardOf(stage.channel)));
      const on = async who => { await move(stage, who, chance(5)); };
      for (let i = 0; i < 500 && !turn(); i++) await on(stage.players);
      assert.ok(turn());
      stage.guild.members.delete(ada.person.id);
      ada.person.user.dms = 'closed';
      await stage.until('somebody stands in', () => !turn());
      await stage.until('it was asked where Ada is', () => told(stage, /Ada is no longer here/));
      const whose = () => textOf(cardOf(stage.channel)).split('\n')[0];
      const before = whose();
      for (let i = 0; i < 500 && whose() === before; i++) await on([bob, cem]);
      assert.notEqual(whose(), before, 'they play on');
      const refused = stage.fake.rest.log.filter(entry => entry.code === 50278).length;
      assert.ok(refused <= 1, `what is for Ada is tried once: ${refused}`);
    }));

  test('40: who has left the server is not heard in private either, until back', OPTIONS, () => Stage.run({}, async stage => {
    await begin(stage);
    const [, bob] = stage.people;
    const member = stage.guild.members.get(bob.id);
    const asked = () => stage.fake.rest.log.filter(entry => entry.template === MEMBER).map(entry => entry.code ?? entry.status);
    const hand = async place => textOf((await bob.slash(place, 'munch hand').answered).message);
    assert.match(await hand(bob.dm), /Your hand/);
    await stage.until('he is there', () => asked().length === 1);
    await stage.bot.kill();
    stage.guild.members.delete(bob.id);
    await stage.bot.start();
    await hand(bob.dm);
    await stage.until('all are told', () => told(stage, /Bob is no longer here/));
    assert.match(await hand(bob.dm), /You have left that table's channel/);
    stage.guild.members.set(bob.id, member);
    assert.match(await hand(bob.dm), /You have left that table's channel/); // that is asked every ten minutes
    assert.match(await hand(stage.channel), /Your hand/);
    assert.match(await hand(bob.dm), /Your hand/);
    assert.deepEqual(asked(), [200, 10007]);
  }));
});

// What nobody's client sends, and what Discord never answers: everything from outside is hostile. LESSONS.md says what is
// tried where.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { KIND } from './fake/interactions.mjs';
import { isCard, isEphemeral } from './fake/people.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { chance } from './play/players.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 150_000 };
const FLOOD = process.env.MUNCHBOT_GAMES === 'whole' ? 10_000 : 3000;
const MOST_A_SECOND = 50;
const A_FEW_MS = 600; // between twenty and twenty of one person
const CREATE = { method: 'POST', template: '/channels/{channel_id}/messages' };
const WILD = ['@everyone', '<@1>', '**b**', '`c`', '||d||', '[a](http://b)', '<#1>', '# e', '\u202Ef', 'g\u200Bh'];
const MARKUP = /(?<!\\)\*\*b\*\*|(?<!\\)`c`|(?<!\\)\|\|d|(?<!\\)\[a\]\(|[\u202A-\u202E\u2066-\u2069]|<@1>|<#1>|^# e/m;

const cardOf = stage => [...stage.channel.messages.values()].filter(isCard).at(-1);
const handOf = person => person.dm && person.latest(person.dm, message => /Your hand/.test(textOf(message)));
const begin = stage => stage.deal();
// What the table has shown to all, without the moments at which it did.
const shown = stage => [...stage.channel.messages.values()].map(message => textOf(message).replace(/<t:\d+:R>/g, '')).join('\n');

describe('hostile', { concurrency: 2 }, () => {
  test('what is typed is only words, of whatever length', OPTIONS, () => Stage.run({ limits: false }, async stage => {
    const [ada] = stage.people;
    await stage.players[0].slash('munch new', { players: 3 });
    const before = stage.fake.world.pushes.length;
    const lines = [...WILD, WILD.join(' '), 'x'.repeat(6000), '\n\n\n', '💥'.repeat(600), 'e\u0301'.repeat(400), '%s%n%d'];
    for (const words of lines) {
      const { message } = await ada.slash(stage.channel, 'munch look card', { name: words }).answered;
      assert.ok(isEphemeral(message), words.slice(0, 40));
      assert.doesNotMatch(textOf(message), MARKUP);
    }
    assert.equal(stage.fake.world.pushes.length, before);
    ada.slash(stage.channel, 'munch look card', { name: '\u0000' }); // no client sends that: it is no interaction
    await stage.works();
  }));

  test('a hundred forged presses and forms: nobody reads more, and nothing is done for another', OPTIONS,
    () => Stage.run({ limits: false, bot: { deal: 29 } }, async stage => {
      await begin(stage);
      const [ada, bob] = stage.people;
      const random = chance(29);
      const below = most => Math.floor(random() * most);
      const hers = textOf(handOf(ada));
      const offered = [...controlsOf(handOf(ada)), ...controlsOf(cardOf(stage))].map(control => control.custom_id);
      const [before, messages] = [shown(stage), stage.channel.messages.size];
      // A byte of something real is another, or is left out, or there is one more.
      const damaged = id => {
        const at = 3 + below(id.length - 3);
        return id.slice(0, at) + ['', String.fromCharCode(33 + below(90)), ':', '0', '\u00FF'][below(5)] + id.slice(at + below(2));
      };
      // Of the table too, so that none of them can be something that Bob was offered himself.
      const forged = Array.from({ length: 100 }, () => damaged(offered[below(offered.length)].replace(/^(m1:.)/, '$1q')));
      while (forged.length > 0) { // not so many at once that they are not looked at
        await Promise.all(forged.splice(0, 20).map(custom_id =>
          bob.forge(cardOf(stage), { custom_id, component_type: 3, values: [`${below(30)}`] }).answered));
        await pause(A_FEW_MS);
      }
      for (const custom_id of offered) {
        for (const values of [[''], ['0'], ['-1'], ['26'], [7], [null], {}, Array(26).fill('1')]) {
          bob.forge(cardOf(stage), { custom_id: `${custom_id}!`, component_type: 3, values });
        }
        await pause(A_FEW_MS);
      }
      for (const components of [undefined, null, 7, [], [{}], [{ component: { value: 7 } }], [[[[]]]]]) {
        const { payload } = stage.fake.interactions.make(KIND.modal, bob.user, stage.channel,
          { custom_id: offered[below(offered.length)], components }, { message: cardOf(stage) });
        stage.gateway.dispatch('INTERACTION_CREATE', payload, stage.guild.id);
      }
      await stage.works();
      assert.equal(stage.gateway.sessionsBegun, 1);
      assert.equal(shown(stage), before);
      assert.equal(stage.channel.messages.size, messages);
      assert.equal(textOf(handOf(ada)), hers);
      const cards = hers.split('\n').filter(line => /^ *\d+\. /.test(line));
      for (const line of cards) assert.ok(!bob.reads().includes(line), line);
    }));

  test(`${FLOOD} things of one person at once: few of them are answered, all of others at a table are`, OPTIONS,
    () => Stage.run({ limits: false, before: fake => { fake.limits.on = false; } }, async stage => {
      await begin(stage);
      const eve = stage.join('Eve');
      const alley = stage.fake.channel(stage.guild, 'alley');
      // How long three people at the table wait for answers, in ms: in the middle and at most.
      const waits = async () => {
        const all = [];
        for (let i = 0; i < 10; i++) {
          all.push(...stage.people.slice(0, 3).map(async person => {
            const at = Date.now();
            await person.slash(stage.channel, 'munch status').answered;
            return Date.now() - at;
          }));
          await pause(100);
        }
        const sorted = (await Promise.all(all)).sort((a, b) => a - b);
        return `${sorted[sorted.length >> 1]} and ${sorted.at(-1)} ms`;
      };
      const undisturbed = await waits();
      let goesOn = true;
      const typing = (async () => { // as fast as anybody's client does
        while (goesOn) {
          eve.slash(alley, 'munch look help');
          await pause(1000 / MOST_A_SECOND);
        }
      })();
      const typed = await waits();
      goesOn = false;
      await typing;
      const from = Date.now();
      const flood = Array.from({ length: FLOOD }, () => eve.slash(alley, 'munch look help'));
      const flooded = await waits();
      await stage.works();
      const answered = flood.filter(each => each.answers.length > 0).length;
      assert.ok(answered <= MOST_A_SECOND * (1 + Math.ceil((Date.now() - from) / 1000)), `${answered} are answered`);
      console.log(`# ${answered} of ${FLOOD} answered; the others waited for ${flooded}; undisturbed ${undisturbed}, for ${MOST_A_SECOND} a second ${typed}`);
    }));

  test('controls of somebody else\'s hand are one\'s own controls, or none', OPTIONS, () => Stage.run({}, async stage => {
    await begin(stage);
    const [ada, bob] = stage.people;
    const hers = textOf(handOf(ada));
    for (const { custom_id, type, options } of controlsOf(handOf(ada))) {
      const values = options && [options.at(-1).value];
      const { message } = await bob.forge(handOf(bob), { custom_id, component_type: type, ...(values ? { values } : {}) }).answered;
      assert.ok(message.channel_id === bob.dm.id);
    }
    await stage.works();
    assert.equal(textOf(handOf(ada)), hers);
  }));

  // The message is there, and what tells so is worth nothing: it is asked for again, and its nonce finds it.
  for (const [what, body] of Object.entries({
    'no JSON': '<html>', 'a path for an id': { id: '../../@me' }, 'a great depth': `${'['.repeat(100_000)}`, 'megabytes': { id: '1'.repeat(3_000_000) },
  })) {
    test(`messages are answered with ${what}: the table goes on, on one card`, OPTIONS, () => Stage.run({}, async stage => {
      stage.fake.faults.add({ ...CREATE, status: 200, body, when: 'after' });
      await stage.lobby();
      await stage.until('the card names all', () => cardOf(stage) && ['Ada', 'Bob', 'Cem'].every(name => textOf(cardOf(stage)).includes(name)));
      await stage.works();
      assert.equal([...stage.channel.messages.values()].filter(isCard).length, 1);
    }));
  }
});

// After a game: the same people are asked for another one, by words, where they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stage } from './play/stage.mjs';

test('"new" asks who played, by an event of its own that mentions them; "join" says yes', { timeout: 120_000 }, () =>
  Stage.run({}, async stage => {
    const [ada, bob, cem] = stage.people;
    await stage.game('players=4 sets=classic, super turn=10m');
    ada.say(stage.room, '!munch end');
    await stage.until('a question', () => [stage.room, ada.handRoom].some(room =>
      ada.reads(room).some(text => /once more/.test(text))));
    ada.say(stage.room, '!munch end');
    await stage.until('what can be said', () => /!munch new" asks the same people[^]*!munch log[^]*!munch rules fair/
      .test(bob.reads(stage.room).join('\n')));
    const said = bob.say(stage.room, '!munch new');
    const asked = await ada.hears(stage.room, 'Are you in?', { behind: said });
    assert.equal(asked.content['m.relates_to']?.rel_type, undefined);
    assert.deepEqual(asked.content['m.mentions'].user_ids.sort(), [ada.id, cem.id].sort());
    for (const each of [ada, cem]) assert.ok(asked.content.formatted_body.includes(`<a href="https://matrix.to/#/${each.id}">${each.name}</a>`));
    assert.match(asked.content.body, /Classic and Super: 3 of 4[^]*10 minutes[^]*Ada, asked to play again[^]*Cem, asked/i);
    const yes = cem.say(stage.room, '!munch join');
    await cem.hears(stage.room, 'Cem is in.', { behind: yes });
    const start = bob.say(stage.room, '!munch start');
    await stage.until('Bob is told', () => [stage.room, bob.handRoom].some(room =>
      bob.reads(room).some(text => /Ada has not said/.test(text))));
    const too = ada.say(stage.room, '!munch join');
    await ada.hears(stage.room, 'Ada is in.', { behind: too });
    bob.say(stage.room, '!munch start');
    await bob.hears(stage.room, 'dealt', { behind: start });
  }));

// Keys that do not come, on a clock that runs ahead.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuickClock } from '../../support/quick_clock.mjs';
import { Stage } from '../play/stage.mjs';
import { Vault, beside } from '../play/vault.mjs';

const MINUTE_MS = 60_000;

test('a line whose key does not come within five minutes is answered once an hour', { timeout: 300_000 }, async () => {
  const place = await beside();
  const vault = new Vault(place);
  vault.behaves({ signed: true });
  await Stage.run({ people: ['ada', 'bob'], start: false, bot: vault.bot }, async stage => {
    const clock = new QuickClock(stage.bot.folder);
    stage.server.now = clock.now;
    stage.bot.environment = clock.within({});
    for (const person of [...stage.people, stage.server.bot]) stage.server.keys.devices.set(person.id, {});
    const room = stage.ada.room('Secrets', { bot: false, people: stage.people.slice(1), initial_state: [
      { type: 'm.room.encryption', state_key: '', content: { algorithm: 'm.megolm.v1.aes-sha2' } }] });
    const say = person => room.send(person.id, 'm.room.encrypted', undefined, { algorithm: 'm.megolm.v1.aes-sha2', session_id: 'none', ciphertext: 'x' });
    const told = () => room.events.filter(event => event.sender === stage.server.bot.id && event.type === 'm.room.encrypted')
      .map(event => JSON.parse(Buffer.from(event.content.ciphertext, 'base64')).content.body).filter(body => /can't read/.test(body)).map(body => body.split(',')[0]);
    const asked = event => vault.asked('unseal').some(ask => ask.events.some(each => each.event_id === event.event_id));
    await stage.bot.start();
    await stage.until('its keys are there', () => vault.kept.uploaded);
    await stage.works();
    say(stage.people[1]); // before the bot comes
    room.invite(stage.ada.id, stage.server.bot.id);
    await stage.comes(room);
    for (const [minutes, wanted] of [[4, 0], [2, 1], [30, 1]]) {
      const event = say(stage.ada);
      await stage.until('it is tried', () => asked(event));
      for (let i = 0; i < minutes; i++) await clock.pass(MINUTE_MS);
      await stage.works();
      assert.deepEqual(told(), Array(wanted).fill('Ada'));
    }
    for (let i = 0; i < 40; i++) await clock.pass(MINUTE_MS);
    const event = say(stage.ada);
    await stage.until('it is tried', () => asked(event));
    for (let i = 0; i < 6; i++) await clock.pass(MINUTE_MS);
    await stage.until('once more', () => told().length === 2);
    clock.close();
  });
  await place.remove();
});

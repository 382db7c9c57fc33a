// The thin line: a room, hand rooms, a game, and nobody who reads what is not theirs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertQuiet, metricsPage } from '../support/quiet_log.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 300_000 };
const run = (options, use) => () => Stage.run(options, use);

describe('games', { concurrency: 2 }, () => {
  for (const version of ['11', '12']) {
    test(`three people are dealt in, in rooms of version ${version}`, OPTIONS, run({ server: { version } }, async stage => {
      await stage.game();
      for (const person of stage.people) {
        assert.equal(person.handRooms.length, 1);
        assert.deepEqual(person.handRoom.members('join', 'invite').sort(), [person.id, stage.server.bot.id].sort());
        assert.ok(!person.reads(stage.room).some(text => text.includes('Your hand')));
      }
      await stage.bot.kill();
      await stage.bot.start();
      await stage.works(stage.ada.handRoom);
      assert.equal(stage.server.calls('createRoom').length, 3);
    }));
  }

  test('what people type and hold stands in no log and no metric', OPTIONS, async () => {
    const metrics = await metricsPage();
    await Stage.run({ bot: { more: metrics.lines } }, async stage => {
      await stage.game();
      const asked = stage.ada.say(stage.room, '!munch play xyzzy on Bob');
      await stage.until('an answer', () => stage.ada.handRoom.events.some(event => event.position > asked.position && /xyzzy/.test(event.content.body)));
      assert.match(stage.bot.log, /level=debug event=table-changed table=\S+ version=\d+ network=matrix command=\S+ verb=join/);
      const page = await metrics.read();
      assert.match(page, /munchbot_commands_total\{verb="join"\} 2/);
      assertQuiet(`${page}\n${stage.bot.log}`, ['xyzzy']);
    });
  });
});

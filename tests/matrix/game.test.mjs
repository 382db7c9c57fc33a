// The thin line: a room, hand rooms, a game, and nobody who reads what is not theirs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
});

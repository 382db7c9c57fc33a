// What takes as long as the usual limits make it: not in tests/matrix/run, but in tests/slow/matrix_limits.
import { describe, test } from 'node:test';
import { Stage } from '../play/stage.mjs';

const OPTIONS = { timeout: 300_000 };
const run = (options, use) => () => Stage.run(options, use);

describe('limits', () => {
  test('three tables on an account that may send little: that is said once, with the remedy', OPTIONS, run({}, async stage => {
    await stage.comes();
    const rooms = [stage.room, stage.ada.room('Second'), stage.ada.room('Third')];
    for (const room of rooms) await stage.comes(room);
    const told = () => rooms.flatMap(room => stage.ada.reads(room).filter(text => /rate limit/.test(text)));
    stage.server.faults.add({ call: 'send', status: 429, body: { errcode: 'M_LIMIT_EXCEEDED', error: 'Too Many Requests', retry_after_ms: 100 } });
    const opened = rooms.map(room => ({ room, behind: stage.ada.say(room, '!munch new') }));
    for (const { room, behind } of opened) await stage.ada.hears(room, /is open/, { behind, ms: 90_000 });
    await stage.until('it is said', () => told().length === 1, 90_000);
  }));
});

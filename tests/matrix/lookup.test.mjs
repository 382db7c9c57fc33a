// What may stand in a room already, because a homeserver took it and its answer was lost: it is looked for there, page
// by page, before another process says it once more. Half a day later the same process does it, too: slow/.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Stage } from './play/stage.mjs';
import { goOn, lobbies, pages, stands, taken, talk } from './play/taken.mjs';

const OPTIONS = { timeout: 300_000 };
const run = (options, use) => () => Stage.run(options, use);

describe('what may stand there already', { concurrency: 3 }, () => {
  test('found on the third page, and not said again', OPTIONS, run({}, async stage => {
    await taken(stage);
    await stage.bot.kill();
    talk(stage, 250);
    goOn(stage);
    stage.server.faults.add({ call: 'messages', if: request => request.query.to === undefined && request.query.from !== undefined,
      status: 502, body: 'bad gateway' }); // then it begins anew
    await stage.bot.start();
    await stage.until('three pages', () => pages(stage).length >= 5);
    await stands(stage);
    assert.equal(lobbies(stage).length, 1);
    const [first, ...others] = pages(stage).map(call => call.query.from);
    assert.equal(first, undefined, 'from the latest on');
    assert.equal(others.filter(from => from === undefined).length, 1, 'begun anew once');
    assert.equal(new Set(others.slice(-2)).size, 2, 'page by page');
  }));

  test('not among a thousand messages: it is said again', OPTIONS, run({}, async stage => {
    await taken(stage);
    await stage.bot.kill();
    talk(stage, 1100);
    goOn(stage);
    await stage.bot.start();
    await stage.until('it is said', () => lobbies(stage).length === 2);
    assert.equal(pages(stage).length, 10);
    await stands(stage);
  }));
});

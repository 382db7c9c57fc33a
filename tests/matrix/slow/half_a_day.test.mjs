// What takes hours, on a clock that runs ahead.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { QuickClock } from '../../support/quick_clock.mjs';
import { Stage } from '../play/stage.mjs';
import { goOn, lobbies, pages, stands, taken, talk } from '../play/taken.mjs';

const OPTIONS = { timeout: 300_000 };
const HOUR_MS = 3_600_000;

// One whose program can be made to live through hours.
const late = use => () => Stage.run({ start: false }, async stage => {
  const clock = new QuickClock(stage.bot.folder);
  try {
    stage.server.now = clock.now;
    stage.bot.environment = clock.within({});
    await stage.bot.start();
    await use(stage, clock);
  } finally {
    clock.close();
  }
});

describe('half a day later', () => {
  test('what the server took then is found on the second page, and not said again', OPTIONS, late(async (stage, clock) => {
    await taken(stage);
    talk(stage, 150);
    for (let hours = 0; hours < 11; hours++) await clock.pass(HOUR_MS);
    assert.equal(pages(stage).length, 0, 'until then the transaction makes it one');
    for (let hours = 0; hours < 2; hours++) await clock.pass(HOUR_MS);
    goOn(stage);
    await stage.until('two pages', () => pages(stage).length >= 2);
    await stands(stage);
    assert.equal(lobbies(stage).length, 1);
  }));
});

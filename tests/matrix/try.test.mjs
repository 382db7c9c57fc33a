// deploy/try matrix: three people at a terminal come to their hands; its end leaves nothing. And the fake homeserver by itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Tried } from '../support/tried.mjs';

const OPTIONS = { timeout: 120_000 };
const tried = use => async () => {
  const it = new Tried('matrix');
  try {
    await use(it);
  } finally {
    it.clear();
  }
};

describe('deploy/try matrix', { concurrency: 4 }, () => {
  test('three people come to their hands, and Ctrl-C leaves nothing', OPTIONS, tried(async it => {
    await it.until('the lobby', () => /1 of 4 seats/.test(it.said));
    it.type('bob !munch join');
    it.type('cem + ✋');
    await it.until('Cem sits', () => /3 of 4 seats/.test(it.said));
    it.type('ada !munch start');
    for (const who of ['Ada', 'Bob', 'Cem']) {
      await it.until('a hand', () => it.said.split('\n  [').some(part => part.startsWith(`${who}'s hand room]`) && /Your hand: \d+ cards/.test(part)));
    }
    assert.equal(it.programs.length, 1);
    assert.deepEqual(await it.leaves('SIGINT'), { code: 0, signal: null });
  }));

  test('a program that ends is told in one sentence', OPTIONS, tried(async it => {
    await it.until('the lobby', () => /1 of 4 seats/.test(it.said));
    process.kill(it.programs[0], 'SIGKILL');
    assert.equal((await it.leaves()).code, 1);
    assert.match(it.said, /\ndeploy\/try: munchbot has ended: .+\n$/);
  }));

  test('the fake homeserver alone tells what is said, and says what is typed', OPTIONS, async () => {
    const fake = spawn(process.execPath, [fileURLToPath(new URL('fake/main.mjs', import.meta.url))]);
    try {
      let said = '';
      fake.stdout.on('data', data => { said += data; });
      fake.stdin.write('bob hello\n');
      for (const end = Date.now() + 10_000; !/^Game night, @bob:hs: hello$/m.test(said) && Date.now() < end;) await new Promise(resolve => { setTimeout(resolve, 20); });
      assert.match(said, /^Game night, @bob:hs: hello$/m);
      assert.match(said, /^homeserver = http:\/\/127\.0\.0\.1:\d+$/m);
    } finally {
      fake.kill();
    }
  });
});

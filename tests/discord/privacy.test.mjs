// What is kept of people, and how they are rid of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { assertQuiet, metricsPage } from '../support/quiet_log.mjs';
import { isEphemeral } from './fake/people.mjs';
import { textOf } from './fake/world.mjs';
import { Stage } from './play/stage.mjs';

const OPTIONS = { timeout: 150_000 };
const run = promisify(execFile);

const begin = stage => stage.deal();

const own = (stage, person) => [...person.dm.messages.values()].filter(message => message.author.id === stage.fake.world.bot.id);

describe('privacy', { concurrency: 2 }, () => {
  test('what is kept is told to who asks alone', OPTIONS, () => Stage.run({}, async stage => {
    const { message } = await stage.people[0].slash(stage.channel, 'munch my privacy').answered;
    assert.ok(isEphemeral(message));
    assert.match(textOf(message), /forget-me/);
  }));

  test('who is forgotten is asked once more; then a bot player has the seat, and their DMs are deleted', OPTIONS,
    () => Stage.run({ bot: { deal: null } }, async stage => {
      await begin(stage);
      const [, bob] = stage.people;
      bob.write(bob.dm, 'this is mine');
      for (let i = 0; i < 120; i++) stage.fake.world.post(bob.dm, { content: `from long ago, ${i}`, flags: 4096 });
      const question = await bob.slash(stage.channel, 'munch my forget-me').answered;
      assert.ok(isEphemeral(question.message));
      assert.ok(own(stage, bob).length > 120);
      const done = await bob.slash(stage.channel, 'munch my forget-me', { sure: true }).answered;
      assert.ok(isEphemeral(done.message));
      await stage.until('their private messages are gone', () => own(stage, bob).length === 0);
      assert.equal(bob.dm.messages.size, 1); // their own
      await stage.until('a bot player has the seat', () => [...stage.channel.messages.values()]
        .some(message => textOf(message).includes('former player')));
      const status = await stage.players[0].say('status');
      assert.doesNotMatch(status, /Bob/);
      const log = await stage.players[0].slash('munch look log', { lines: 20 });
      assert.doesNotMatch(log, /Bob/);
      assert.ok(!stage.bot.log.includes('Bob'));
      const { stdout } = await run(stage.bot.program, ['table', 'verify', '--store', stage.bot.store]);
      assert.match(stdout, /1 verified, 0 failed/);
      const kept = await run(stage.bot.program, ['user', 'export', `discord:${bob.id}`, '--store', stage.bot.store]);
      assert.doesNotMatch(kept.stdout, /"plays": true/);
    }));

  test('what people type, hold and are called stands in no log and no metric', OPTIONS, async () => {
    const metrics = await metricsPage();
    await Stage.run({ bot: { more: metrics.lines } }, async stage => {
      await begin(stage);
      await stage.players[0].slash('munch play', { card: 'xyzzy' });
      assert.match(stage.bot.log, /level=debug event=table-changed table=\S+ version=\d+ network=discord command=\d+ verb=join/);
      const page = await metrics.read();
      assert.match(page, /munchbot_commands_total\{verb="join"\} 2/);
      assertQuiet(`${page}\n${stage.bot.log}`, ['xyzzy', ...stage.people.map(person => person.user.global_name)]);
    });
  });
});

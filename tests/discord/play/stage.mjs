// A fake, a bot and people at one channel: what the tests of faults begin with, and how they end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { assertQuiet } from '../../support/quiet_log.mjs';
import { QuickClock } from '../../support/quick_clock.mjs';
import { FakeDiscord } from '../fake/discord.mjs';
import { Munchbot } from './munchbot.mjs';
import { textOf } from '../fake/world.mjs';
import { Player, cardOf, chance } from './players.mjs';

const ANSWER_MS = 4000;
const NAMES = ['Ada', 'Bob', 'Cem'];

export class Stage {
  /** `before(fake)`: what is wrong from the start. `fake`, `bot`: options of both. `quick`: on a clock that can run ahead. `reads`: of players. */
  static async make({ before = () => {}, fake: options, bot: settings, people = NAMES, quick = false, reads = true } = {}) {
    const stage = new Stage();
    stage.folder = await mkdtemp(path.join(tmpdir(), 'munchbot-stage-'));
    if (quick) stage.clock = new QuickClock(stage.folder);
    stage.fake = await FakeDiscord.start({ ...options, ...(quick ? { now: stage.clock.now } : {}) });
    stage.guild = stage.fake.guild('Game night', []);
    stage.people = people.map(name => stage.join(name));
    stage.channel = stage.fake.channel(stage.guild, 'munchkin');
    stage.players = stage.people.map(person => new Player(person, stage.channel, chance(7)));
    for (const player of stage.players) player.reads = reads;
    if (quick) for (const player of stage.players) player.waits = stage.clock.pass.bind(stage.clock);
    stage.bot = await Munchbot.make(stage.fake, { rate: 100, clock: stage.clock, ...settings });
    await before(stage.fake, stage);
    return stage;
  }

  /** Runs `use` with a bot that is connected, unless `start` is false; all must be clean then. */
  static async run({ start = true, limits = true, ...options }, use) {
    const stage = await Stage.make(options);
    try {
      if (start) await stage.bot.start();
      await use(stage);
      stage.fake.assertClean({ limits });
      assertQuiet(stage.bot.log, [stage.fake.token, ...stage.people.map(person => person.user.global_name)]);
      if (stage.fake.world.noises.length > 0) throw new Error(`not silent, and calls nobody: ${stage.fake.world.noises[0]}`);
      if (stage.bot.runs) {
        const end = await stage.bot.stop();
        if (end.code !== 0) throw new Error(`munchbot ended with ${JSON.stringify(end)}:\n${stage.bot.log}`);
      }
    } catch (error) {
      error.message += `\n${stage.bot.log}`;
      throw error;
    } finally {
      await stage.bot.remove();
      await stage.fake.stop();
      stage.clock?.close();
      await rm(stage.folder, { recursive: true });
    }
  }

  join(name, more) {
    const person = this.fake.person(name, more);
    this.fake.world.addMember(this.guild, person.user);
    return person;
  }

  get gateway() {
    return this.fake.gateway;
  }

  /** Somebody asks something until it is answered: the bot is there, whatever has happened. */
  async works(ms = 90_000) {
    const end = Date.now() + ms;
    for (;;) {
      const { answered } = this.people[0].slash(this.channel, 'munch look help');
      const answer = await Promise.race([answered, pause(ANSWER_MS)]);
      if (answer) return;
      if (Date.now() > end) throw new Error(`not a word for ${ms} ms`);
    }
  }

  /** A game of the first three, or of others: hands are dealt, and the card shows it. */
  async deal(players = this.players.slice(0, 3), options = {}) {
    const [first, ...others] = players;
    const hands = player => (player.person.dm ? [...player.person.dm.messages.values()].filter(each => /Your hand/.test(textOf(each))).length : 0);
    const before = new Map(players.map(player => [player, hands(player)]));
    await first.slash('munch new', { players: players.length, sets: 'classic', ...options });
    for (const player of others) await player.say('join');
    await first.say('start');
    await this.until('hands are dealt', () => players.every(player => hands(player) > before.get(player)));
    // The lobby's own message loses its table when the card comes.
    const shows = pattern => [...first.place.messages.values()].some(message => pattern.test(textOf(message)));
    await this.until('the card shows it', () => /Set-up/.test(textOf(cardOf(first.place))) && !shows(/seats taken/));
  }

  /** A lobby with all of them in it. */
  async lobby() {
    const [first, ...others] = this.players;
    await first.slash('munch new', { players: 4 });
    for (const player of others) await player.say('join');
  }

  until(what, test, ms = 90_000) {
    return this.fake.until(what, test, ms);
  }

  /** Posts into a channel that the bot has sent, and that Discord has carried out. */
  get posts() {
    return this.fake.rest.log.filter(entry => entry.template === '/channels/{channel_id}/messages' && entry.method === 'POST');
  }
}

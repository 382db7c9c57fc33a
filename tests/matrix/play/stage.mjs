// A homeserver, a bot and people in one room: what the tests of Matrix begin with, and how they end.
import { Homeserver } from '../fake/homeserver.mjs';
import { assertQuiet } from '../../support/quiet_log.mjs';
import { Munchbot } from './munchbot.mjs';

const NAMES = ['ada', 'bob', 'cem'];

export class Stage {
  /** `server`, `bot`: options of both. */
  static async make({ server: options, bot: settings, people = NAMES } = {}) {
    const stage = new Stage();
    stage.server = await Homeserver.start(options);
    stage.people = people.map(name => stage.server.person(name));
    stage.ada = stage.people[0];
    stage.room = stage.ada.room('Game night', { people: stage.people.slice(1) });
    stage.bot = await Munchbot.make(stage.server, settings);
    stage.joining = setInterval(() => stage.people.filter(person => person.accepts).forEach(person => person.joinAll()), 50);
    return stage;
  }

  /** Runs `use` with a bot that is connected, unless `start` is false; all must be clean then. */
  static async run({ start = true, ...options }, use) {
    const stage = await Stage.make(options);
    try {
      if (start) await stage.bot.start();
      await use(stage);
      stage.server.assertClean();
      assertQuiet(stage.bot.log, [stage.server.bot.token]);
      if (stage.bot.runs) {
        const end = await stage.bot.stop();
        if (end.code !== 0) throw new Error(`munchbot ended with ${JSON.stringify(end)}`);
      }
    } catch (error) {
      error.message += `\n${stage.bot.log.split('\n').slice(-60).join('\n')}`;
      throw error;
    } finally {
      clearInterval(stage.joining);
      await stage.bot.remove();
      await stage.server.stop();
    }
  }

  until(what, test, ms) {
    return this.server.until(what, test, ms);
  }

  /** The bot is in a room. */
  async comes(room = this.room, ms = undefined) {
    await this.until('the bot comes in', () => room.membership(this.server.bot.id) === 'join', ms);
  }

  /** Whoever asks gets an answer: the bot is there, whatever has happened. */
  async works(room = this.room, person = this.ada) {
    const asked = person.say(room, '!munch help');
    person.joinAll();
    await this.until('an answer', () => {
      person.joinAll();
      return [room, ...person.handRooms].some(each => each.events.some(event => event.position > asked.position &&
        event.sender === this.server.bot.id && ['m.room.message', 'm.room.encrypted'].includes(event.type)));
    }, 90_000);
  }

  /** A lobby with all of them in it. */
  async lobby(options = 'players=4 answer=5s window=5s') {
    await this.comes();
    const opened = this.ada.say(this.room, `!munch new ${options}`);
    await this.ada.hears(this.room, /is open/, { behind: opened });
    for (const person of this.people.slice(1)) {
      const asked = person.say(this.room, '!munch join');
      await person.hears(this.room, `${person.name} sits down`, { behind: asked });
    }
  }

  /** A game of theirs. */
  async game(options) {
    await this.lobby(options);
    const asked = this.ada.say(this.room, '!munch start');
    await this.ada.hears(this.room, 'dealt', { behind: asked });
    for (const person of this.people) await this.hand(person);
  }

  /** Somebody takes the invitation to their hand room, and reads a hand there. */
  async hand(person, behind = 0) {
    await this.until(`${person.name}'s hand`, () => {
      person.joinAll();
      return person.handRoom?.events.some(event => event.position > behind && /Your hand/.test(event.content.body));
    });
  }
}

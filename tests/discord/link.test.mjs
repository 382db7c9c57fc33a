// One table on two networks: a fake Discord and a fake homeserver, one process between them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeDiscord } from './fake/discord.mjs';
import { PERMISSION, textOf } from './fake/world.mjs';
import { Player, chance } from './play/players.mjs';
import { Homeserver } from '../matrix/fake/homeserver.mjs';
import { Munchbot } from '../matrix/play/munchbot.mjs';

const OPTIONS = { timeout: 300_000 };

class Stage {
  static async run(use) {
    const stage = new Stage();
    stage.fake = await FakeDiscord.start();
    stage.server = await Homeserver.start();
    stage.guild = stage.fake.guild('Game night', []);
    stage.channel = stage.fake.channel(stage.guild, 'munchkin');
    stage.ada = stage.server.person('ada');
    stage.bob = stage.server.person('bob');
    stage.room = stage.ada.room('Living room', { people: [stage.bob] });
    stage.bot = await Munchbot.make(stage.server, { more: ['[discord]', `application_id = ${stage.fake.world.application.id}`,
      `api_url = ${stage.fake.apiUrl}`, `gateway_url = ${stage.fake.gatewayUrl}`], environment: { MUNCHBOT_DISCORD_TOKEN: stage.fake.token } });
    try {
      await stage.start();
      await use(stage);
      stage.fake.assertClean({ limits: true });
      stage.server.assertClean();
    } catch (error) {
      error.message += `\n${stage.bot.log.split('\n').slice(-60).join('\n')}`;
      throw error;
    } finally {
      await stage.bot.remove();
      await stage.server.stop();
      await stage.fake.stop();
    }
  }

  async start() {
    const connected = this.bot.count('gateway-connected');
    await this.bot.start();
    await this.fake.until('Discord', () => this.bot.count('gateway-connected') > connected && this.fake.world.commands.length > 0);
  }

  player(name, permissions = 0n) {
    const person = this.fake.person(name);
    this.fake.world.addMember(this.guild, person.user);
    this.guild.members.get(person.id).permissions |= permissions;
    return new Player(person, this.channel, chance(7));
  }

  /** What stands in the channel. */
  get channelTexts() {
    return [...this.channel.messages.values()].map(textOf);
  }

  async hand(person) {
    await this.server.until(`${person.name}'s room`, () => {
      person.joinAll();
      return person.handRoom?.membership(person.id) === 'join';
    });
    return person.handRoom;
  }

  async code() {
    this.ada.say(this.room, '!munch link');
    const room = await this.hand(this.ada);
    const event = await this.ada.hears(room, /link [a-z2-9]{26}/);
    assert.ok(!this.ada.reads(this.room).some(text => /link [a-z2-9]{26}/.test(text)), 'nobody else reads it');
    return /link ([a-z2-9]{26})/.exec(event.content.body)[1];
  }
}

describe('one table on Discord and Matrix', { concurrency: 2 }, () => {
  test('linked by a code, played from both, over a restart, and parted', OPTIONS, () => Stage.run(async stage => {
    const { server, ada, bob, room } = stage;
    await server.until('the bot comes in', () => room.membership(server.bot.id) === 'join');
    await ada.hears(room, /is open/, { behind: ada.say(room, '!munch new thread=off answer=5s window=5s') });
    await bob.hears(room, 'Bob sits down', { behind: bob.say(room, '!munch join') });
    const code = await stage.code();
    const [eve, mod, cem] = [stage.player('Eve'), stage.player('Mod', PERMISSION.manageChannels), stage.player('Cem')];
    assert.match(await eve.say(`link ${code}`), /takes a moderator/);
    await mod.say(`link ${code}`);
    await ada.hears(room, /This table is now in/);
    await stage.fake.until('it is told in both', () => stage.channelTexts.some(text => /This table is now in/.test(text)));
    await cem.say('join');
    await ada.hears(room, 'Cem sits down');
    await stage.hand(bob);
    await ada.hears(room, 'dealt', { behind: ada.say(room, '!munch start') });
    for (const person of [ada, bob]) {
      const hand = await stage.hand(person);
      await person.hears(hand, /Your hand/);
    }
    assert.match(await cem.say('hand'), /hand/i);
    await stage.bot.stop();
    await stage.start();
    for (const person of [ada, bob]) person.say(person.handRoom, 'done');
    await cem.say('done');
    await ada.hears(room, / must /);
    await mod.say('unlink');
    // The stand-in has played on in the same step, and a phone has room for the latest of a story: the log has all of it.
    await ada.hears(ada.handRoom, /is no longer linked to/, { behind: ada.say(ada.handRoom, 'log') });
    await ada.hears(room, /Cem/);
    await stage.fake.until('it is told there', () => stage.channelTexts.some(text => /is no longer linked here/.test(text)));
    assert.match(await cem.say('status'), /no table|no game|not at/i);
  }));
});

// A game on the fake Discord for somebody at a keyboard: what is typed is done by one of the people, and what changes on their screens
// by that is shown as a phone shows it, controls in brackets. usage: node by_hand.mjs [--deal N | --live]
// With --live (deploy/try discord --terminal) time passes as it does, cards are dealt as they come, and Ctrl-C ends it.
//   ada /munch new players:4 sets:classic   Ada's slash command      ada: kick            what stands for one ("munch kick")
//   ada [Act]                               the newest such button   ada [Play] = Sword   a menu, and what is picked (" + " between several)
//   ada "players=3"                         fills in the form that Ada was shown
//   wait 30                                 thirty seconds pass      all                  everything that everybody sees now
import readline from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { inOneSentence, lasts, live } from '../support/live.mjs';
import { CALLBACK } from './fake/interactions.mjs';
import { isEphemeral } from './fake/people.mjs';
import { TYPE, walk } from './fake/rules.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { plain } from './play/players.mjs';
import { Stage } from './play/stage.mjs';

const STEP_MS = 250;
const isLive = process.argv.includes('--live');
const SETTLE_MS = isLive ? 500 : 1500; // of the program's time without a change
const SETTLE_MAX_MS = isLive ? 2000 : 6000;
const INDENT = '\n    ';
const at = process.argv.indexOf('--deal');
const deal = at < 0 ? 1 : Number(process.argv[at + 1]);

const controlText = each => (each.type === TYPE.button ? `[${each.label}]${each.disabled ? ' (off)' : ''}`
  : `{${each.placeholder}: ${(each.options ?? []).map(option => option.label + (option.description ? ` (${option.description})` : '')).join(' | ')}}`);
const shownOf = message => {
  const parts = [plain(textOf({ content: message.content, embeds: message.embeds }))];
  for (const [component] of walk(message.components)) {
    if (component.type === TYPE.text) parts.push(plain(component.content));
    else if (component.type === TYPE.row) parts.push(component.components.map(controlText).join(' '));
    else if (component.type === TYPE.button && component.label && !parts.some(part => part.includes(controlText(component)))) parts.push(controlText(component));
  }
  return parts.filter(Boolean).join('\n').replace(/\n/g, INDENT);
};

const play = async stage => {
  const { world } = stage.fake;
  const named = text => text.replace(/<[@#](\d+)>/g, (all, id) => world.nameOf(id));
  const changed = [];
  const placeOf = (message, channel) => {
    if (message.reader) return `only ${world.users.get(message.reader).global_name} sees`;
    return channel.type === 1 ? `DM of ${channel.recipient.global_name}` : `#${channel.name}`;
  };
  const pushed = () => world.pushes.splice(0).map(push => `  RINGS ${world.users.get(push.user).global_name}\n`).join('');
  const note = what => (message, channel) => {
    const known = changed.find(each => each.message === message);
    if (!known) changed.push({ what, message, channel });
  };
  world.on('message', note('new'));
  world.on('edit', (message, channel) => {
    const later = [...channel.messages.values()].filter(each => BigInt(each.id) > BigInt(message.id)).length;
    note(isEphemeral(message) ? 'edited' : `edited, ${later} up`)(message, channel);
  });
  world.on('callback', (interaction, body, message) => {
    if (message) note(body.type === CALLBACK.update ? 'edited' : 'answer')(message, interaction.channel);
  });
  const show = () => {
    for (const { what, message, channel } of changed.splice(0)) {
      process.stdout.write(`  [${placeOf(message, channel)}] ${what}${INDENT}${named(shownOf(message))}\n`);
    }
    process.stdout.write(pushed());
  };
  const settle = async ms => {
    let still = 0;
    for (let passed = 0; !live.over && passed < (ms ?? SETTLE_MAX_MS) && (ms !== undefined || still < SETTLE_MS); passed += STEP_MS) {
      const before = changed.length;
      await (isLive ? pause(STEP_MS) : stage.clock.pass(STEP_MS));
      await pause(30);
      still = changed.length === before ? still + STEP_MS : 0;
    }
    show();
  };
  const seen = person => [...world.channels.values()].flatMap(channel => [...channel.messages.values(), ...channel.ephemerals.values()])
    .filter(message => world.allSeenBy(person.user).includes(message)).sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  const done = {
    slash(player, words) {
      const { path, options } = player.read(words);
      return player.person.slash(stage.channel, path, options);
    },
    press(player, label, values) {
      const named = message => controlsOf(message).find(each => [each.label, each.placeholder].includes(label));
      const message = seen(player.person).find(named);
      if (!message) throw new Error(`no "${label}" is on any message that ${player.person.user.global_name} sees`);
      const control = named(message);
      const picked = values?.map(value => control.options.find(option => option.label.startsWith(value)).value);
      return player.person.press(message, control.custom_id, picked);
    },
  };
  const forms = new Map(); // player -> the interaction that was answered with it
  world.on('callback', (interaction, body) => {
    if (body.type !== CALLBACK.modal) return;
    forms.set(interaction.user.id, interaction);
    process.stdout.write(`  [only ${interaction.user.global_name} sees] a form: ${body.data.title}\n`);
  });
  const showing = isLive ? setInterval(show, STEP_MS) : undefined;
  if (isLive) {
    await stage.players[0].slash('munch new', { players: 4, sets: 'classic' });
    process.stdout.write('Three people play: "bob [Sit down]", "cem: join", "ada: start". Ctrl-C ends it.\n');
  }
  await settle();
  const lines = readline.createInterface({ input: process.stdin });
  live.told.then(() => lines.close());
  for await (const line of lines) {
    if (!isLive) process.stdout.write(`\n=== ${line}\n`);
    const [, who, rest] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    const player = stage.players.find(each => each.person.user.global_name.toLowerCase() === who);
    if (who === 'quit') break;
    try {
      if (who === 'wait') await settle(Number(rest) * 1000);
      else if (who === 'all') for (const each of stage.people) process.stdout.write(seen(each).map(shownOf).map(named).reverse().join('\n---\n'));
      else if (!player) process.stdout.write('nobody is called so\n');
      else if (rest.startsWith('/')) done.slash(player, rest);
      else if (rest.startsWith('"')) {
        const form = forms.get(player.person.id);
        if (!form) throw new Error('nobody was shown a form');
        const [{ component, components }] = form.answers[0].data.components;
        player.person.submit(form, { [(component ?? components[0]).custom_id]: rest.replace(/^"|"$/g, '') });
      } else if (rest.startsWith('[')) {
        const [, label, value] = /^\[(.*?)\](?: = (.*))?$/.exec(rest);
        done.press(player, label, value?.split(' + '));
      } else player.say(rest).catch(error => process.stdout.write(`${error.message}\n`));
    } catch (error) {
      process.stdout.write(`${error.message}\n`);
    }
    if (who !== 'wait' && who !== 'all') await settle();
    if (!isLive) process.stdout.write('--- done\n');
  }
  clearInterval(showing);
};

if (isLive) {
  await inOneSentence(() => Stage.run({ limits: false, bot: { deal: null, apart: true } }, stage => lasts(stage.bot, play(stage))));
} else await Stage.run({ quick: true, limits: false, bot: { deal } }, play);

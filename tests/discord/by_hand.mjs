// A game on the fake Discord for somebody at a keyboard: what is typed is done by one of the people, and what changes on their screens
// by that is shown as a phone shows it, controls in brackets. usage: node by_hand.mjs [--deal N]
//   ada /munch new players:4 sets:classic   Ada's slash command      ada: kick            what stands for one ("munch kick")
//   ada [Act]                               the newest such button   ada [Play] = Sword   a menu, and what is picked (" + " between several)
//   wait 30                                 thirty seconds pass      all                  everything that everybody sees now
import readline from 'node:readline';
import { CALLBACK } from './fake/interactions.mjs';
import { isEphemeral } from './fake/people.mjs';
import { TYPE, walk } from './fake/rules.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { plain } from './play/players.mjs';
import { Stage } from './play/stage.mjs';

const STEP_MS = 250;
const SETTLE_MS = 1500; // of the program's time without a change
const SETTLE_MAX_MS = 6000;
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

await Stage.run({ quick: true, limits: false, bot: { deal } }, async stage => {
  const { world } = stage.fake;
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
  const settle = async ms => {
    let still = 0;
    for (let passed = 0; passed < (ms ?? SETTLE_MAX_MS) && (ms !== undefined || still < SETTLE_MS); passed += STEP_MS) {
      const before = changed.length;
      await stage.clock.pass(STEP_MS);
      await new Promise(resolve => { setTimeout(resolve, 30); });
      still = changed.length === before ? still + STEP_MS : 0;
    }
    for (const { what, message, channel } of changed.splice(0)) {
      process.stdout.write(`  [${placeOf(message, channel)}] ${what}${INDENT}${shownOf(message)}\n`);
    }
    process.stdout.write(pushed());
  };
  const seen = person => [...world.channels.values()].flatMap(channel => [...channel.messages.values(), ...channel.ephemerals.values()])
    .filter(message => world.allSeenBy(person.user).includes(message)).sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  const done = {
    slash(player, words) {
      const path = words.match(/^[^:]*?(?= \w+:|$)/)[0];
      const options = Object.fromEntries([...words.slice(path.length).matchAll(/(\w+):(.*?)(?= \w+:|$)/g)].map(([, name, value]) =>
        [name, /^\d+$/.test(value) ? Number(value) : value]));
      player.person.slash(stage.channel, path, options);
    },
    press(player, label, values) {
      const named = message => controlsOf(message).find(each => [each.label, each.placeholder].includes(label));
      const message = seen(player.person).find(named);
      if (!message) throw new Error(`no "${label}" is on any message that ${player.person.user.global_name} sees`);
      const control = named(message);
      const picked = values?.map(value => control.options.find(option => option.label.startsWith(value)).value);
      player.person.press(message, control.custom_id, picked);
    },
  };
  await settle();
  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(`\n=== ${line}\n`);
    const [, who, rest] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    const player = stage.players.find(each => each.person.user.global_name.toLowerCase() === who);
    if (who === 'quit') break;
    try {
      if (who === 'wait') await settle(Number(rest) * 1000);
      else if (who === 'all') for (const each of stage.people) process.stdout.write(seen(each).map(shownOf).reverse().join('\n---\n'));
      else if (!player) process.stdout.write('nobody is called so\n');
      else if (rest.startsWith('/')) done.slash(player, rest.slice(1));
      else if (rest.startsWith('[')) {
        const [, label, value] = /^\[(.*?)\](?: = (.*))?$/.exec(rest);
        done.press(player, label, value?.split(' + '));
      } else player.say(rest).catch(error => process.stdout.write(`${error.message}\n`));
    } catch (error) {
      process.stdout.write(`${error.message}\n`);
    }
    if (who !== 'wait' && who !== 'all') await settle();
    process.stdout.write('--- done\n');
  }
});

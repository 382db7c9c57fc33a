// A game on the fake homeserver for somebody at a keyboard: what is typed is said by one of the people in the room, and what changes
// on their screens by that is shown as a phone shows it. usage: node by_hand.mjs [--deal N | --live]
// With --live (deploy/try matrix) time passes as it does, cards are dealt as they come, and Ctrl-C ends it.
//   ada !munch new        Ada says it in the room         ada > 3         ... in her hand room
//   ada + ✋              reacts to the table's message    bob - room      Bob deletes the newest message there ("hand": of his hand room)
//   wait 30               thirty seconds pass             all             everything that everybody sees now
//   auto 20               twenty times who is asked says the first that stands there
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { inOneSentence, lasts, live } from '../support/live.mjs';
import { fixedDeal } from '../support/fixed_deal.mjs';
import { QuickClock } from '../support/quick_clock.mjs';
import { Stage } from './play/stage.mjs';
import { linesOf, Screen } from './play/screen.mjs';

const isLive = process.argv.includes('--live');
const SETTLE_MS = isLive ? 500 : 2500; // of the program's time without a change
const STEP_MS = isLive ? 250 : 500;
const SETTLE_MAX_MS = isLive ? 2000 : 8000;
const AUTO_MS = 6000;
const at = process.argv.indexOf('--deal');

const play = async (stage, clock) => {
  stage.server.limits.on = !isLive;
  const bot = stage.server.bot.id;
  const screens = [new Screen('room', stage.ada, () => stage.room), ...stage.people.map(person =>
    new Screen(`${person.name}'s hand room`, person, () => person.handRoom))];
  const show = changed => {
    for (const screen of screens) {
      for (const each of changed ? screen.changes() : screen.messages()) {
        const text = each.text.split('\n').map(line => `    ${line}`).join('\n');
        process.stdout.write(`  [${screen.name}] ${each.what}${each.rings ? ` RINGS ${each.rings}` : ''}${isLive ? '' : ` (${linesOf(each.text)} lines)`}\n${text}\n`);
      }
    }
  };
  const settle = async ms => {
    for (let passed = 0, still = 0, before = stage.server.position; !live.over && passed < (ms ?? SETTLE_MAX_MS) && (ms !== undefined || still < SETTLE_MS);
      passed += STEP_MS) {
      await (isLive ? pause(STEP_MS) : clock.pass(STEP_MS));
      await pause(60);
      still = stage.server.position === before ? still + STEP_MS : 0;
      before = stage.server.position;
    }
    show(true);
  };
  await stage.comes();
  const showing = isLive ? setInterval(show, STEP_MS, true) : undefined;
  if (isLive) {
    stage.ada.say(stage.room, '!munch new players=4');
    process.stdout.write('Three people play: "bob !munch join", "cem + ✋", "ada !munch start", then "ada > 3" in her hand room. Ctrl-C ends it.\n');
  }
  await settle();
  const lines = readline.createInterface({ input: process.stdin });
  live.told.then(() => lines.close());
  for await (const line of lines) {
    if (!isLive) process.stdout.write(`\n=== ${line}\n`);
    const [, who, sign, said] = /^(\S+) ?([>+-] )?(.*)$/.exec(line) ?? [];
    const person = stage.people.find(each => each.name.toLowerCase() === who);
    const newest = room => room.events.filter(event => event.sender === bot && event.type === 'm.room.message' &&
      event.content['m.relates_to']?.rel_type !== 'm.replace' && event.content.body).at(-1).event_id;
    if (who === 'quit') break;
    if (who === 'wait') await settle(Number(said) * 1000);
    else if (who === 'all') show(false);
    else if (who === 'auto') {
      for (let i = 0; i < Number(said); i++) {
        const asked = person => {
          const newest = each => each.reads(each.handRoom).at(-1) ?? '';
          const [first] = (person.reads(stage.room).filter(text => /^.*\n/.test(text)).at(-1) ?? '').split('\n');
          return new RegExp(`\\b${person.name}\\b.*(must|loses|may)|(wants|would help) ${person.name}`).test(first) && newest(person);
        };
        for (const each of stage.people.filter(person => person.handRoom && asked(person))) {
          const hand = asked(each) || '';
          const [, rest] = /^On whom or what\? Add "([^"]+)"/.exec(hand) ?? [];
          const [, gives] = /and to whom: "([^"]+)"/.exec(hand) ?? [];
          const line = gives ?? (rest ? `1 ${rest}` : '1');
          process.stdout.write(`  >>> ${each.name} says ${line}\n`);
          each.say(each.handRoom, line);
          await settle(AUTO_MS);
        }
        await settle(AUTO_MS);
      }
    } else if (!person) process.stdout.write('nobody is called so\n');
    else if (!person.handRoom && (sign === '> ' || said === 'hand')) process.stdout.write('no hand room yet\n');
    else {
      if (sign === '+ ') {
        stage.room.send(person.id, 'm.reaction', undefined,
          { 'm.relates_to': { rel_type: 'm.annotation', event_id: newest(stage.room), key: said } });
      } else if (sign === '- ') {
        const room = said === 'hand' ? person.handRoom : stage.room;
        try {
          room.redact(person.id, newest(room));
        } catch (refused) {
          process.stdout.write(`refused: ${refused.message}\n`);
        }
      } else person.say(sign ? person.handRoom : stage.room, said);
      await settle();
    }
    if (!isLive) process.stdout.write('--- done\n');
  }
  clearInterval(showing);
};

if (isLive) {
  await inOneSentence(() => Stage.run({ bot: { deal: null, apart: true } }, stage => lasts(stage.bot, play(stage))));
} else {
  const folder = await mkdtemp(path.join(tmpdir(), 'munchbot-by-hand-'));
  const clock = new QuickClock(folder);
  const deal = at < 0 ? 1 : Number(process.argv[at + 1]);
  const environment = clock.within(fixedDeal(deal));
  await Stage.run({ server: { now: clock.now }, bot: { environment } }, stage => play(stage, clock));
  await rm(folder, { recursive: true });
}

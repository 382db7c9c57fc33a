// A picture of what two phones show of a fight: the room, and the hand room of who fights; as the fake homeserver was told it, drawn by
// Chromium. usage: node pictures.mjs FILE.png (deploy/install pictures installs what it needs)
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fixedDeal } from '../support/fixed_deal.mjs';
import { Stage } from './play/stage.mjs';

const [WIDTH, HEIGHT] = [360, 760];
const TURNS = 40;
const run = promisify(execFile);
const escape = text => text.replace(/[&<>]/g, each => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each]);

// The newest messages of a room as they stand, with the HTML that was sent.
const shown = (stage, person, room) => {
  const messages = new Map();
  for (const event of room.visible(person.id)) {
    const { content, sender } = event;
    const edited = content['m.relates_to']?.rel_type === 'm.replace' ? content['m.relates_to'].event_id : undefined;
    if (event.type !== 'm.room.message') continue;
    const { formatted_body: html, body } = edited ? content['m.new_content'] : content;
    messages.set(edited ?? event.event_id, { sender, html: html ?? escape(body).replace(/\n/g, '<br>') });
  }
  return [...messages.values()].map(({ sender, html }) =>
    `<div class=${sender === person.id ? 'own' : 'message'}><b>${sender === stage.server.bot.id ? 'munchbot' : person.name}</b><br>${html}</div>`);
};

const phone = (name, messages) => `<div class=phone><div class=name>${name}</div><div class=room><div>${messages.join('')}</div></div></div>`;
const page = phones => `<!doctype html><meta charset=utf-8><style>
body{margin:0;display:flex;gap:16px;background:#e3e8f0;font:14px/1.35 "DejaVu Sans",sans-serif;color:#17191c}
.phone{width:${WIDTH}px;height:${HEIGHT}px;background:#fff;display:flex;flex-direction:column}
.name{font-weight:bold;padding:10px 12px;border-bottom:1px solid #d0d5dd}.room{flex:1;overflow:hidden;display:flex;flex-direction:column;justify-content:flex-end}
.message,.own{margin:8px;padding:8px 10px;border-radius:8px;background:#f0f2f5;overflow-wrap:anywhere}.own{background:#d6f0e3;margin-left:120px}
a{color:#0b5cad;text-decoration:none}p{margin:0}</style>${phones.join('')}`;

const folder = await mkdtemp(path.join(tmpdir(), 'munchbot-pictures-'));
await Stage.run({ bot: { environment: fixedDeal(2) } }, async stage => {
  const says = async (person, line) => {
    const asked = person.say(person.handRoom, line);
    await new Promise(resolve => { setTimeout(resolve, 700); });
    return asked;
  };
  await stage.game('players=4 turn=10m');
  for (const person of stage.people) await says(person, 'done');
  const hand = person => person.reads(person.handRoom).filter(text => text.includes('Your hand')).at(-1) ?? '';
  const fights = person => hand(person).startsWith('You lose');
  for (let i = 0; i < TURNS && !stage.people.some(fights); i++) {
    for (const person of stage.people) {
      const first = hand(person);
      if (/^You must kick/.test(first)) await says(person, 'kick');
      else if (/^You must give/.test(first)) {
        await says(person, /(?:to whom|such as)[^"]*"([^"]+)"/.exec(first)?.[1] ?? /Too many[^]*?(\d+)\. /.exec(first)?.[1] ?? 'help');
      }
      else if (/^You (must|may)/.test(first)) await says(person, '1');
    }
  }
  const person = stage.people.find(fights);
  if (!person) throw new Error(`nobody fights; ${stage.people.map(hand).join('\n\n')}`);
  const file = path.join(folder, 'page.html');
  await writeFile(file, page([phone('Game night', shown(stage, person, stage.room)),
    phone(person.handRoom.stateOf('m.room.name').content.name, shown(stage, person, person.handRoom))]));
  await run('chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', `--window-size=${2 * WIDTH + 16},${HEIGHT}`,
    `--screenshot=${path.resolve(process.argv[2] ?? 'matrix.png')}`, `file://${file}`]);
});
await rm(folder, { recursive: true });

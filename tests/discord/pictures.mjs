// Pictures of what people are shown: a lobby, a game, a hand, as the fake received them, drawn by Chromium at the width of a
// phone and of a desktop. usage: node pictures.mjs FOLDER (deploy/install pictures installs what it needs)
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isVersion2 } from './fake/people.mjs';
import { textOf } from './fake/world.mjs';
import { Stage } from './play/stage.mjs';

const WIDTHS = { phone: 360, desktop: 900 };
const STYLES = { 1: '#5865f2', 2: '#4e5058', 3: '#248046', 4: '#da373c', 5: '#4e5058' };
const run = promisify(execFile);
const folder = process.argv[2] ?? 'pictures';

const escape = text => text.replace(/[&<>]/g, each => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[each]);
const markdown = text => escape(text)
  .replace(/&lt;@(\d+)&gt;/g, '<b class=call>@somebody</b>').replace(/&lt;#(\d+)&gt;/g, '<b class=call>#munchkin</b>')
  .replace(/&lt;t:\d+:R&gt;/g, 'in 20 seconds').replace(/\*\*(.+?)\*\*/gs, '<b>$1</b>').replace(/^-# (.*)$/gm, '<small>$1</small>')
  .replace(/\\(.)/g, '$1').replace(/\n/g, '<br>');

const control = component => {
  if (component.type === 3) return `<div class=menu>${escape(component.placeholder ?? 'Choose')} ▾</div>`;
  return `<span class=button style="background:${STYLES[component.style]};opacity:${component.disabled ? 0.5 : 1}">${
    escape(component.label ?? '')}</span>`;
};

const draw = component => {
  if (component.type === 1) return `<div class=row>${component.components.map(control).join('')}</div>`;
  if (component.type === 10) return `<div>${markdown(component.content)}</div>`;
  if (component.type === 14) return '<hr>';
  if (component.type === 17) return `<div class=box>${component.components.map(draw).join('')}</div>`;
  return (component.components ?? []).map(draw).join('');
};

const page = messages => `<!doctype html><meta charset=utf-8><style>
body{background:#313338;color:#dbdee1;font:15px/1.35 "DejaVu Sans",sans-serif;margin:12px}
.message{margin-bottom:16px;max-width:600px}.box,.embed{background:#2b2d31;border-left:4px solid #4e5058;border-radius:4px;padding:10px 12px}
.who{color:#fff;font-weight:bold}.row{display:flex;flex-wrap:wrap;gap:6px;margin-top:8px}
.button{color:#fff;padding:6px 12px;border-radius:4px;font-size:14px}.menu{background:#1e1f22;padding:8px;border-radius:4px;flex:1}
small{color:#949ba4}.call{color:#c9cdfb}</style>${messages.map(message => `<div class=message><div class=who>munchbot</div>${
    markdown(message.content ?? '')}${message.embeds.map(embed => `<div class=embed>${markdown(embed.description ?? '')}</div>`).join('')}${
    message.components.map(draw).join('')}</div>`).join('')}`;

const shoot = async (name, messages) => {
  const file = path.join(folder, `${name}.html`);
  await writeFile(file, page(messages));
  for (const [width, pixels] of Object.entries(WIDTHS)) {
    await run('chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-device-scale-factor=1',
      `--window-size=${pixels},560`, `--screenshot=${path.resolve(folder, `${name}-${width}.png`)}`, `file://${path.resolve(file)}`]);
  }
};

await mkdir(folder, { recursive: true });
await Stage.run({}, async stage => {
  const [ada, bob, cem] = stage.players;
  const shown = () => [...stage.channel.messages.values()].slice(-4);
  await ada.slash('munch new', { players: 4, sets: 'classic' });
  await bob.say('join');
  await shoot('lobby', shown());
  await cem.say('join');
  await ada.say('start');
  await stage.until('hands are dealt', () => stage.people.every(person => person.dm &&
    person.latest(person.dm, message => textOf(message).includes('Your hand'))));
  for (const player of stage.players) await player.say('done');
  await stage.until('a turn', () => [...stage.channel.messages.values()].some(message => /before the door/.test(textOf(message))));
  await stage.works();
  const all = [...stage.channel.messages.values()];
  await shoot('game', [all.filter(isVersion2).at(-1), all.at(-1)]);
  await shoot('hand', [...ada.person.dm.messages.values()]);
  const card = [...stage.channel.messages.values()].filter(isVersion2).at(-1);
  const act = await ada.person.press(card, 'Act').answered;
  await shoot('panel', [act.message]);
});

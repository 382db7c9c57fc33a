// Pictures of what people are shown: a whole game from lobby to lobby, as the fake received them, drawn by Chromium at the width of a
// phone and of a desktop. usage: node pictures.mjs FOLDER (deploy/install pictures installs what it needs)
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isCard } from './fake/people.mjs';
import { controlsOf, textOf } from './fake/world.mjs';
import { move, wins } from './play/game.mjs';
import { Drawn, STYLE } from './play/drawn.mjs';
import { chance } from './play/players.mjs';
import { Stage } from './play/stage.mjs';

const WIDTHS = { phone: 360, desktop: 900 };
const MOMENTS = { fight: /find help/, window: /stop it or pass/, curse: /about to strike/, help: /\(offer \d/, death: /dies|is dead/ };
const HEIGHT = 1200;
const GAME_MS = 240_000;
const run = promisify(execFile);
const folder = process.argv[2] ?? 'pictures';

let drawn; // when there is a world to name people by
const page = messages => `<!doctype html><meta charset=utf-8><style>${STYLE}</style>${
  messages.map(message => `<div class=message>${drawn.message(message)}</div>`).join('')}`;

const shoot = async (name, messages) => {
  const file = path.join(folder, `${name}.html`);
  await writeFile(file, page(messages));
  for (const [width, pixels] of Object.entries(WIDTHS)) {
    await run('chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-device-scale-factor=1',
      `--window-size=${pixels},${HEIGHT}`, `--screenshot=${path.resolve(folder, `${name}-${width}.png`)}`, `file://${path.resolve(file)}`]);
  }
};

await mkdir(folder, { recursive: true });
await Stage.run({ quick: true }, async stage => {
  drawn = new Drawn(stage.fake.world.nameOf, { open: true });
  const [ada, bob, cem] = stage.players;
  const newest = () => [...stage.channel.messages.values()].filter(isCard).at(-1);
  const shown = () => [...stage.channel.messages.values()].slice(-4);
  await ada.slash('munch new', { players: 4, sets: 'classic' });
  await bob.say('join');
  await stage.until('a seat', () => bob.person.dm && bob.person.dm.messages.size > 0);
  await shoot('lobby', shown());
  await shoot('seat', [...bob.person.dm.messages.values()]);
  const options = (await ada.person.press(newest(), 'Options').answered).message;
  await shoot('options', [options]);
  const [topics] = controlsOf(options);
  await ada.person.press(options, topics.custom_id, [topics.options[1].value]).answered;
  await shoot('sets', [options]);
  await cem.say('join');
  await ada.say('start');
  await stage.until('hands are dealt', () => stage.people.every(person => person.dm &&
    person.latest(person.dm, message => textOf(message).includes('Your hand'))));
  for (const player of stage.players) await player.say('done');
  await stage.until('a turn', () => [...stage.channel.messages.values()].some(message => /before the door/.test(textOf(message))));
  await stage.works();
  const all = [...stage.channel.messages.values()];
  await shoot('game', [all.filter(isCard).at(-1), all.at(-1)]);
  await shoot('hand', [...ada.person.dm.messages.values()]);
  const act = await ada.person.press(newest(), 'Act').answered;
  await shoot('panel', [act.message]);
  const read = await ada.person.press(act.message, 'Read a card').answered;
  await shoot('cards', [read.message]);
  const [menu] = controlsOf(read.message);
  const card = await ada.person.press(read.message, menu.custom_id, [menu.options[0].value]).answered;
  await shoot('card', [card.message]);
  // Then whatever comes up, each once, as it stands in the channel.
  const left = new Map(Object.entries(MOMENTS));
  const random = chance(7);
  const ends = Date.now() + GAME_MS;
  while (!wins(stage.channel) && Date.now() < ends) {
    await move(stage, stage.players, random);
    await stage.clock.pass(1000);
    const news = shown().map(textOf).join('\n');
    for (const [name, words] of [...left].filter(each => each[1].test(news))) {
      left.delete(name);
      await shoot(name, shown());
      if (name !== 'fight') continue;
      const page = await bob.person.press(newest(), 'Act').answered;
      await shoot('fight-panel', [page.message]);
      await shoot('fight-hand', [...cem.person.dm.messages.values()].slice(-1));
    }
  }
  await stage.until('a winner', () => wins(stage.channel));
  await stage.works();
  await shoot('victory', shown());
  await ada.person.press(newest(), 'Again').answered;
  await stage.until('a lobby', () => /seats taken/.test(textOf(newest())));
  await shoot('again', shown().slice(-2));
});

// What each person is shown, looked at by somebody who knows all hands: no card of one hand comes to another's eyes.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { textOf } from '../fake/world.mjs';

const CARDS = new URL('../../../cards/', import.meta.url);
const PRIVATE = 1;
const SHOWN = / shows everybody: (.+)$/gm; // as the rules want it, of a whole hand
const LISTED = /^\d+\. (?:Curse! |Trap! )?([^:\n]+)/gm;
const LATER = /^For later: (.+)\.$/m; // "Net Troll: Monster, Level 10; Mate: Door card (x2)"

export class Eyes {
  #names; // of which there is one card alone, and which no card speaks of
  #open = new Set(); // cards that have been seen by more than one person
  #hands = new Map(); // person's id -> names
  #once = new Set(); // "id name": who held it once, and knows where it went
  #doubts = []; // {name, holder, text}: somebody else has read it; perhaps it was played just then

  constructor(stage, sets) {
    this.stage = stage;
    const list = sets.map(set => execFileSync(stage.bot.program, ['cards', 'list', '--set', set]).toString()).join('\n');
    const counted = new Map();
    for (const [, count, name] of list.matchAll(/^ +(\d+) x (.+) \(/gm)) counted.set(name, (counted.get(name) ?? 0) + Number(count));
    const texts = sets.flatMap(set => Object.values(JSON.parse(readFileSync(new URL(`${set}/text.en.json`, CARDS))))).map(each => `${each.text} ${each.joke}`);
    this.#names = new Set([...counted].filter(([name, count]) => count === 1 && !texts.some(text => text.includes(name))).map(([name]) => name));
    this.seen = 0; // how often a hand was looked at
    for (const event of ['message', 'edit']) stage.fake.world.on(event, (message, channel) => this.#look(message, channel));
  }

  // All of a message, labels, values and ids of its controls too.
  #words(message) {
    return `${message.content}\n${JSON.stringify([message.components, message.embeds])}`.replace(/\\+/g, '');
  }

  #look(message, channel) {
    const reader = channel.type === PRIVATE ? channel.recipient.id : message.reader;
    const words = this.#words(message);
    const text = textOf(message).replace(/\\/g, '');
    for (const [, shown] of text.matchAll(SHOWN)) for (const name of this.#names) if (shown.includes(name)) this.#open.add(name);
    for (const [holder, names] of this.#hands) {
      if (holder === reader) continue;
      for (const name of names) {
        if (!this.#open.has(name) && !this.#once.has(`${reader} ${name}`) && words.includes(name)) this.#doubts.push({ name, holder, words: textOf(message) });
      }
    }
    if (reader === undefined) for (const name of this.#names) if (words.includes(name) && !this.#held(name)) this.#open.add(name);
    if (reader === undefined) return;
    const line = /^You: .* Hand: (.*)\.$/m.exec(text)?.[1]; // on a panel
    if (/^Your hand: /m.test(text)) {
      const later = LATER.exec(text)?.[1].split('; ') ?? [];
      this.#hold(reader, [...[...text.matchAll(LISTED)].map(match => match[1]), ...later.map(card =>
        card.replace(/^(?:Curse! |Trap! )/, '').replace(/[:(].*/, ''))].map(name => name.trim()));
    } else if (line !== undefined) this.#hold(reader, line.split(/, | and /));
  }

  #held(name) {
    return [...this.#hands.values()].some(names => names.has(name));
  }

  #hold(reader, names) {
    const single = names.filter(name => this.#names.has(name));
    for (const name of single) this.#once.add(`${reader} ${name}`);
    this.#hands.set(reader, new Set(single));
    this.seen++;
  }

  /** What somebody else has read of a hand must have left it: `hand` tells. */
  async settle() {
    while (this.#doubts.length > 0) {
      const { name, holder, words } = this.#doubts.shift();
      if (this.#open.has(name)) continue;
      const player = this.stage.players.find(each => each.person.id === holder);
      const shown = await player.look();
      if (new RegExp(`^\\d+\\. (?:Curse! |Trap! )?${name.replace(/[^\w ]/g, '.')}`, 'm').test(shown)) {
        throw new Error(`${player.person.user.global_name} still holds ${name}, which others have read:\n${words}`);
      }
      this.#open.add(name);
    }
  }
}

// People who play by slash commands alone: they ask what they can do, and do it.
import { setTimeout as pause } from 'node:timers/promises';
import { controlsOf, textOf } from '../fake/world.mjs';

const ANSWER_MS = 10_000;
const TRIES = 6;
const HELP = 'munch look help';
const KEYS = new Set(['on', 'for', 'with', 'replacing', 'to', 'promising', 'picking', 'offering']);
// What is done first; the rest by chance, what ends a turn last.
const ORDER = ['choose', 'fight', 'kick', 'take', 'run', 'accept', 'pass', 'loot', 'charity', 'equip', 'play', 'sell', 'done',
  'discard'];

const plain = text => text.replace(/\\(.)/g, '$1').replace(/[\u200b*]/g, '');

/** A small generator, so that a game is the same each time. */
export const chance = seed => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Whom the table's card waits for (all, where it does not tell), and what they would say at once. */
export const awaited = (players, place) => {
  const cards = [...place.messages.values()].filter(message => (message.flags & 32768) !== 0);
  const lines = plain(textOf(cards.at(-1) ?? {})).split('\n');
  const line = lines.find(each => /to move|to decide|not passed|the answer of|says "done"/.test(each)) ?? 'passed';
  const named = players.filter(player => line.includes(player.person.user.global_name));
  const kicks = /before the door/.test(lines[0]) ? 'kick' : undefined;
  return { who: named.length > 0 ? named : players, likely: /passed/.test(line) ? 'pass' : kicks };
};

export class Player {
  constructor(person, place, random) {
    this.person = person;
    this.place = place;
    this.random = random;
    this.said = 0;
  }

  get fake() {
    return this.person.fake;
  }

  // Where the registered command has that verb: "munch kick", "munch look help".
  #path(verb) {
    const top = this.fake.world.commands[0];
    for (const option of top.options) {
      if (option.name === verb) return `munch ${verb}`;
      if (option.options?.some(each => each.type <= 2 && each.name === verb)) return `munch ${option.name} ${verb}`;
    }
    throw new Error(`no command for "${verb}"`);
  }

  #options(path) {
    return path.split(' ').slice(1).reduce((level, name) => level.find(each => each.name === name).options ?? [],
      this.fake.world.commands[0].options);
  }

  // The slash command that a line stands for: its path and options.
  #read(line) {
    const [verb, ...rest] = line.split(' ').filter(word => word !== '');
    const path = this.#path(verb);
    const offered = this.#options(path);
    const options = {};
    let name = offered[0]?.name;
    for (const word of rest) {
      if (KEYS.has(word) && offered.some(each => each.name === word)) name = word;
      else options[name] = options[name] === undefined ? word : `${options[name]} ${word}`;
    }
    return { path, options };
  }

  /** Says a line by its slash command: the answer's text. */
  async say(line) {
    const { path, options } = this.#read(line);
    return this.slash(path, options);
  }

  /** Whoever is too fast waits, and says it again; so does who was not heard: what comes late, on a machine that is slow,
   * is not carried out. */
  async slash(path, options) {
    for (let tries = 1; ; tries++) {
      const text = await this.#once(path, options);
      if (text === undefined) {
        if (tries === TRIES) throw new Error(`no answer to /${path} ${JSON.stringify(options)}`);
        continue;
      }
      if (!/too fast|Easy, |Too much/.test(text)) return text;
      await new Promise(resolve => { setTimeout(resolve, 1000); });
    }
  }

  // Games stay in the channel, unless a test is about threads.
  async #once(path, given) {
    const options = path === 'munch new' ? { thread: 'off', ...given } : given;
    this.said++;
    const interaction = this.person.slash(this.place, path, options);
    const answer = await Promise.race([interaction.answered, pause(ANSWER_MS, undefined, { ref: false })]);
    if (!answer) return undefined;
    // An acknowledgement goes away when what it stood for is said in the channel instead, behind what was said before.
    const gone = () => interaction.original && ![...interaction.channel.ephemerals.values(),
      ...interaction.channel.messages.values()].includes(interaction.original);
    const words = () => textOf(interaction.original ?? answer.message);
    await this.fake.until('an answer with words', () => interaction.answers.length > 0 && (gone() || words() !== ''));
    return gone() ? '' : plain(words());
  }

  /** What can be said now; some of it with a place to fill in: "discard <1 or more cards>". */
  async moves() {
    const help = await this.slash(HELP, {});
    return help.split('\n').filter(line => /^ {2}[a-z]/.test(line)).map(line => line.trim());
  }

  // Fills a place in by what autocomplete offers: the least that is wanted.
  async #filled(move) {
    const place = /<(\d+)?[^>]*>/.exec(move);
    if (!place) return move;
    const { path, options } = this.#read(move.replace(place[0], ''));
    const [option] = this.#options(path);
    const offers = await this.person.offers(this.place, path, { [option.name]: '', ...options }, option.name);
    const values = [...new Set(offers.map(offer => offer.value))].filter(value => !value.includes(','));
    const many = place[0].includes('worth') ? values.length : Number(place[1] ?? 1);
    return values.length === 0 ? undefined : move.replace(place[0], values.slice(0, many).join(', '));
  }

  /** One move, if there is any that gets the game on: its line. */
  async act() {
    const moves = (await this.moves()).filter(move => !/^play .* on /.test(move) || this.random() < 0.1);
    const verbs = ORDER.filter(verb => moves.some(move => move.split(' ')[0] === verb));
    for (const verb of verbs) {
      if ((verb === 'play' || verb === 'sell' || verb === 'equip') && this.random() < 0.4) continue;
      const of = moves.filter(move => move.split(' ')[0] === verb);
      const line = await this.#filled(of[Math.floor(this.random() * of.length)]);
      if (line === undefined) continue;
      await this.say(line);
      return line;
    }
    return undefined;
  }
}

const AHEAD = ['Kick the door', 'Take the card', 'Run away', 'Loot the room', 'Pass', 'Accept', 'Done'];
const STEPS = 12;

/** Somebody who types nothing: presses on the table's card, and on the panel that opens. */
export class Presser extends Player {
  get #card() {
    const cards = [...this.place.messages.values()].filter(message => (message.flags & 32768) !== 0);
    return cards.at(-1);
  }

  // A press until it is answered, and what it is answered by.
  async #press(message, which, values) {
    this.said++;
    for (;;) {
      const interaction = this.person.press(message, which, values);
      await Promise.race([interaction.answered,
        new Promise((_, reject) => { setTimeout(() => reject(new Error(`no answer to a press of ${which}`)), 60_000).unref(); })]);
      await this.fake.until('an answer that shows something', () => interaction.answers.at(-1)?.type !== 6 || interaction.original);
      const shown = interaction.original ?? message;
      if (!/too fast|Easy, |Too much/.test(textOf(shown))) return shown;
      await new Promise(resolve => { setTimeout(resolve, 1000); });
    }
  }

  /** A button of the card: "Sit down", "Start". */
  async pressCard(label) {
    await this.fake.until(`"${label}" on the card`, () => this.#card && controlsOf(this.#card).some(each => each.label === label));
    return this.#press(this.#card, label);
  }

  #choose(menu) {
    const options = [...menu.options];
    const many = menu.min_values + Math.floor(this.random() * (menu.max_values - menu.min_values + 1));
    const values = [];
    while (values.length < many) values.push(options.splice(Math.floor(this.random() * options.length), 1)[0].value);
    return values;
  }

  /** One thing that can be done, found page by page; what was pressed last. */
  async act() {
    const card = this.#card;
    if (!card || !controlsOf(card).some(each => each.label === 'Act')) return undefined;
    let page = await this.#press(card, 'Act');
    let last;
    for (let step = 0; step < STEPS; step++) {
      const controls = controlsOf(page);
      const labels = controls.map(each => each.label);
      const root = labels.includes('More');
      if (root && step > 0) return last;
      const menu = controls.find(each => each.options);
      const ahead = AHEAD.find(label => labels.includes(label));
      if (root && ahead !== undefined && (!menu || this.random() < 0.6)) {
        last = ahead;
        page = await this.#press(page, ahead);
      } else if (menu) {
        last = menu.placeholder;
        page = await this.#press(page, menu.custom_id, this.#choose(menu));
      } else if (labels.includes('That is all')) {
        page = await this.#press(page, 'That is all');
      } else if (labels.includes('Back')) {
        page = await this.#press(page, 'Back');
      } else {
        return undefined;
      }
    }
    return last;
  }
}

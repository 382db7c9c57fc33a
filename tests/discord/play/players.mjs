// People who play by slash commands alone: they ask what they can do, and do it.
import { setTimeout as pause } from 'node:timers/promises';
import { isCard } from '../fake/people.mjs';
import { textOf } from '../fake/world.mjs';

const ANSWER_MS = 10_000;
const TRIES = 6;
const HELP = 'munch look help';
const KEYS = new Set(['on', 'for', 'with', 'replacing', 'to', 'promising', 'picking', 'offering']);
// What is done first; the rest by chance, what ends a turn last.
const ORDER = ['choose', 'fight', 'kick', 'take', 'run', 'accept', 'pass', 'loot', 'charity', 'equip', 'play', 'sell', 'done',
  'discard'];
const GROUP = 2; // a command's option that holds commands
const EXTRAS = new Set(['equip', 'play', 'sell']);

export const plain = text => text.replace(/\\(.)/g, '$1').replace(/[\u200b*]/g, '');

/** A small generator, so that a game is the same each time. */
export const chance = seed => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

// What the card says of those whom the game waits for.
const ASKED = / must | may go on|: end the fight|: find help| or pass| may answer|\(offer \d+\)|does .* agree/;

const verbOf = line => line.split(' ')[0];

/** Of all that somebody can do now what gets the game on, the best first: who loses strengthens the side, and then runs. */
export const judge = (lines, name, random) => {
  const mine = lines.filter(line => {
    const target = /^play .* on (.*)/.exec(line)?.[1];
    return target === undefined || random() < (target === name ? 0.3 : 0.1);
  });
  const some = mine.filter(line => !EXTRAS.has(verbOf(line)) || random() < 0.7);
  const loses = lines.some(line => verbOf(line) === 'run');
  const helps = loses ? some.filter(line => / for players$/.test(line)) : [];
  const armed = lines.includes('kick') ? some.filter(line => EXTRAS.has(verbOf(line))) : [];
  const rest = ORDER.flatMap(verb => {
    const of = some.filter(line => verbOf(line) === verb);
    return of.length === 0 ? [] : [of[Math.floor(random() * of.length)]];
  });
  return [...helps, ...armed, ...rest];
};

/** The table's card. */
export const cardOf = place => [...place.messages.values()].filter(isCard).at(-1);

/** Whom the table's card waits for (all, where it does not tell), and what they would say at once. */
export const awaited = (players, place) => {
  const asked = plain(textOf(cardOf(place) ?? {})).split('\n').filter(line => ASKED.test(line));
  const named = players.filter(player => asked.some(line => line.includes(player.person.user.global_name)));
  const passes = asked.length === 0 || asked.some(line => /or pass/.test(line));
  const kicks = asked.some(line => /must kick/.test(line)) ? 'kick' : undefined;
  return { who: named.length > 0 ? named : players, likely: passes ? 'pass' : kicks };
};

export class Player {
  constructor(person, place, random) {
    this.person = person;
    this.place = place;
    this.random = random;
    this.said = 0;
    this.reads = true; // what the table tells; not where it cannot be told in time
    this.rests = async () => {};
    this.waits = pause; // for one who is too fast
  }

  get types() {
    return true;
  }

  sit() {
    return this.say('join');
  }

  start() {
    return this.say('start');
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

  /** All slash commands: "munch table start"; and what a line may begin with: "start". */
  get paths() {
    return this.fake.world.commands.flatMap(({ name, options }) => options.flatMap(each =>
      (each.type === GROUP ? each.options.map(inner => `${name} ${each.name} ${inner.name}`) : `${name} ${each.name}`)));
  }

  get verbs() {
    return this.paths.map(path => path.split(' ').at(-1));
  }

  options(path) {
    return path.split(' ').slice(1).reduce((level, name) => level.find(each => each.name === name).options ?? [],
      this.fake.world.commands[0].options);
  }

  /** The slash command that a line is ("/munch new players:4") or stands for ("kick"): its path and options. */
  read(line) {
    if (line.startsWith('/')) {
      const [path] = /^[^:]*?(?= \w+:|$)/.exec(line.slice(1));
      return { path, options: Object.fromEntries([...line.slice(1 + path.length).matchAll(/(\w+):(.*?)(?= \w+:|$)/g)].map(([, name, value]) =>
        [name, /^\d+$/.test(value) ? Number(value) : value])) };
    }
    const [verb, ...rest] = line.split(' ').filter(word => word !== '');
    const path = this.#path(verb);
    const offered = this.options(path);
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
    const { path, options } = this.read(line);
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
      await this.rests();
      if (!/too fast|Easy, |Too much/.test(text)) return text;
      await this.waits(1000);
    }
  }

  // What they read where the line was said: "Done." stands for what the table's message tells then.
  async #shown(words, told) {
    if (words !== 'Done.' || !this.reads) return words;
    await this.fake.until('the table tells it', () => told.length > 0);
    return told.map(message => plain(textOf(message))).join('\n');
  }

  // Games stay in the channel, unless a test is about threads.
  async #once(path, given) {
    const options = path === 'munch new' ? { thread: 'off', ...given } : given;
    this.said++;
    const told = [];
    const note = (message, channel) => {
      if (channel === this.place && !told.includes(message) && !message.reader) told.push(message);
    };
    const { world } = this.fake;
    world.on('message', note).on('edit', note);
    try {
      return await this.#heard(path, options, told);
    } finally {
      world.off('message', note).off('edit', note);
    }
  }

  async #heard(path, options, told) {
    const interaction = this.person.slash(this.place, path, options);
    const answer = await Promise.race([interaction.answered, pause(ANSWER_MS, undefined, { ref: false })]);
    if (!answer) return undefined;
    // An acknowledgement goes away when what it stood for is said in the channel instead, behind what was said before.
    const gone = () => interaction.original && ![...interaction.channel.ephemerals.values(),
      ...interaction.channel.messages.values()].includes(interaction.original);
    const words = () => textOf(interaction.original ?? answer.message);
    await this.fake.until('an answer with words', () => interaction.answers.length > 0 && (gone() || words() !== ''));
    return gone() ? '' : this.#shown(plain(words()), told);
  }

  /** The own hand. */
  look() {
    return this.say('hand');
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
    const { path, options } = this.read(move.replace(place[0], ''));
    const [option] = this.options(path);
    const offers = await this.person.offers(this.place, path, { [option.name]: '', ...options }, option.name);
    const values = [...new Set(offers.map(offer => offer.value))].filter(value => !value.includes(','));
    const many = place[0].includes('worth') ? values.length : Number(place[1] ?? 1);
    return values.length === 0 ? undefined : move.replace(place[0], values.slice(0, many).join(', '));
  }

  /** One move, if there is any that gets the game on: its line. */
  async act() {
    for (const move of judge(await this.moves(), this.person.user.global_name, this.random)) {
      const line = await this.#filled(move);
      if (line === undefined) continue;
      await this.say(line);
      return line;
    }
    return undefined;
  }
}

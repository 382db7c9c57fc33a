// munchbot on the fake Discord for somebody at a browser: a page on this machine alone, on which one types and presses as three people.
// deploy/try starts it. usage: node try.mjs --port N
//   GET /        the page (try.html)               GET /events   what each person sees, as HTML, again when it changes
//   POST /press {who, message, id, values}         POST /submit {who, values}: the form that is shown
//   POST /say {who, line}: a command, or what its verb stands for; anything else is written to the others
//   POST /offers {who, line}: what the line may become            POST /dismiss {who, message}
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { inOneSentence, lasts } from '../support/live.mjs';
import { CALLBACK } from './fake/interactions.mjs';
import { isEphemeral } from './fake/people.mjs';
import { Drawn, STYLE } from './play/drawn.mjs';
import { Stage } from './play/stage.mjs';

const PAGE = readFileSync(new URL('try.html', import.meta.url), 'utf8').replace('/* STYLE */', STYLE);
const SHOWN = 40; // messages of a place
const BODY_MAX = 1 << 16;
const ANSWER_MS = 4000;
const TOLD_MS = 40; // changes within go out together
const wanted = Number(process.argv[process.argv.indexOf('--port') + 1]);

class Table {
  #readers = new Set();
  #forms = new Map(); // player -> the interaction that was answered with it
  #telling;

  constructor(stage) {
    this.stage = stage;
    const { world } = stage.fake;
    this.drawn = new Drawn(world.nameOf);
    for (const event of ['message', 'written', 'edit', 'remove', 'callback']) world.on(event, () => this.#changed());
  }

  #message(message) {
    const note = isEphemeral(message) ? '<small class=only>Only you see this. <a data-dismiss>Dismiss</a></small>' : '';
    return { id: message.id, html: this.drawn.message(message) + note };
  }

  #seen() {
    return this.stage.players.map(({ person }) => {
      const shown = place => (place ? person.sees(place).slice(-SHOWN).map(message => this.#message(message)) : []);
      const form = this.#forms.get(person.id)?.answers[0].data;
      return { name: person.user.global_name, channel: shown(this.stage.channel), dm: shown(person.dm), form: form && this.drawn.form(form) };
    });
  }

  #changed() {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      const news = `data: ${JSON.stringify(this.#seen())}\n\n`;
      for (const reader of this.#readers) reader.write(news);
    }, TOLD_MS);
  }

  reads(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    this.#readers.add(response);
    response.on('close', () => this.#readers.delete(response));
    this.#changed();
  }

  // What somebody did; what they are told if that has no answer.
  async #answer({ person }, interaction) {
    this.#forms.delete(person.id);
    const answer = await Promise.race([interaction.answered, new Promise(resolve => { setTimeout(resolve, ANSWER_MS); })]);
    if (answer?.type === CALLBACK.modal) this.#forms.set(person.id, interaction);
    this.#changed();
    return answer ? {} : { told: 'munchbot did not answer in time.' };
  }

  press(player, { message: id, id: control, values }) {
    const message = this.stage.fake.world.allSeenBy(player.person.user).find(each => each.id === id);
    if (!message) throw new Error('That message is gone.');
    return this.#answer(player, player.person.press(message, control, values));
  }

  submit(player, { values }) {
    const form = this.#forms.get(player.person.id);
    this.#forms.delete(player.person.id);
    this.#changed();
    return values && form ? this.#answer(player, player.person.submit(form, values)) : {};
  }

  dismiss(player, { message: id }) {
    for (const place of [this.stage.channel, player.person.dm]) { // there may be no private channel yet
      if (place?.ephemerals.get(id)?.reader === player.person.id) place.ephemerals.delete(id);
    }
    this.#changed();
    return {};
  }

  say(player, { line }) {
    const verb = /^\w*/.exec(line)[0].toLowerCase();
    if (!line.startsWith('/') && !player.verbs.includes(verb)) {
      player.person.write(this.stage.channel, line);
      return {};
    }
    const { path, options } = player.read(line.replace(/^\w*/, verb));
    return this.#answer(player, player.person.slash(this.stage.channel, path, path === 'munch new' ? { thread: 'off', ...options } : options));
  }

  async offers(player, { line }) {
    const begun = line.startsWith('/') ? player.paths.map(path => `/${path}`) : player.verbs;
    if (!line.includes(line.startsWith('/') ? ':' : ' ')) return { offers: begun.filter(each => each.startsWith(line)) };
    const { path, options } = player.read(line);
    const focused = Object.keys(options).at(-1) ?? player.options(path)[0]?.name;
    if (focused === undefined) return { offers: [] };
    const head = line.slice(0, line.length - String(options[focused] ?? '').length);
    const choices = await player.person.offers(this.stage.channel, path, options, focused);
    return { offers: choices.map(({ value }) => head + value) };
  }
}

const bodyOf = async request => {
  let text = '';
  for await (const part of request) {
    text += part;
    if (text.length > BODY_MAX) throw new Error('That is too long.');
  }
  return JSON.parse(text);
};

const serve = (table, port) => async (request, response) => {
  const { method, url, headers } = request;
  const say = (status, body, type = 'application/json', more = {}) => response.writeHead(status, { 'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...more }).end(body);
  // A page of another origin can send us requests, and by a name of its own read the answers.
  const own = [`127.0.0.1:${port()}`, `localhost:${port()}`].includes(headers.host);
  if (!own || ![undefined, `http://${headers.host}`].includes(headers.origin)) return say(403, 'This page is for this machine alone.\n', 'text/plain');
  if (method === 'GET' && url === '/events') return table.reads(response);
  if (method === 'GET' && url === '/') {
    const nonce = randomBytes(16).toString('base64');
    return say(200, PAGE.replaceAll('NONCE', nonce), 'text/html', { 'content-security-policy':
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'` });
  }
  const does = { '/press': 'press', '/submit': 'submit', '/dismiss': 'dismiss', '/say': 'say', '/offers': 'offers' }[url];
  if (method !== 'POST' || !does) return say(404, 'There is no such page.\n', 'text/plain');
  if (headers['content-type'] !== 'application/json' || headers.origin === undefined) return say(403, 'Only the page may ask that.\n', 'text/plain');
  try {
    const asked = await bodyOf(request);
    const player = table.stage.players.find(each => each.person.user.global_name === asked.who);
    if (!player) throw new Error('Nobody is called so.');
    return say(200, JSON.stringify(await table[does](player, asked)));
  } catch (error) {
    return say(200, JSON.stringify({ told: error.message }));
  }
};

await inOneSentence(() => Stage.run({ limits: false, bot: { deal: null, apart: true } }, async stage => {
  const server = http.createServer(serve(new Table(stage), () => server.address().port));
  await new Promise((resolve, reject) => { server.once('error', reject).listen(wanted, '127.0.0.1', resolve); });
  await stage.players[0].slash('munch new', { players: 4, sets: 'classic' });
  console.log(`Open http://127.0.0.1:${server.address().port}/ and play as Ada, Bob and Cem. Ctrl-C ends it.`);
  try {
    await lasts(stage.bot);
  } finally {
    server.closeAllConnections?.();
    server.close();
  }
}));

// The fake Discord, fast: answers to the commands that it gives are neither checked nor kept, so that the bot is what is
// measured. All else is the fake's.
import { performance } from 'node:perf_hooks';
import { FakeDiscord } from '../../discord/fake/discord.mjs';

const LOST_MS = 10_000;
const TOKEN_PAD = 'x'.repeat(200);
// An answer, at once or behind an acknowledgement.
const CALLBACK = /\/(?:interactions\/\d+|webhooks\/\d+)\/t(\d+)x/;
const ACKNOWLEDGED = '{"type":5';

export class Lean {
  #waiting = new Map();

  static async start() {
    const lean = new Lean();
    lean.fake = await FakeDiscord.start({ open: true }); // discord.js says more than it must
    lean.fake.limits.on = false;
    lean.fake.gateway.level = 0; // who compresses is not what is measured
    lean.bytes = 0;
    lean.requests = 0;
    lean.late = 0; // answered by an acknowledgement first
    lean.wanted = ''; // stands in each answer to a command; what does not is kept
    lean.others = [];
    lean.lost = 0; // never answered: what comes late, on a machine that is slow, is not carried out
    lean.sweep = setInterval(() => lean.#sweep(), 1000);
    const slow = lean.fake.server.listeners('request')[0];
    lean.fake.server.removeAllListeners('request');
    lean.fake.server.on('request', (request, response) => lean.#handle(request, response, slow));
    lean.guild = lean.fake.guild('Bench', []);
    return lean;
  }

  /** So many people, in a channel or each in one of their own. */
  people(count, channel) {
    return Array.from({ length: count }, (_, i) => {
      const person = this.fake.person(`P${i}`);
      this.fake.world.addMember(this.guild, person.user);
      return { person, channel: channel ?? this.fake.channel(this.guild, `c${i}`) };
    });
  }

  #handle(request, response, slow) {
    const [, id] = CALLBACK.exec(request.url) ?? [];
    const answered = this.#waiting.get(id)?.resolve;
    this.requests++;
    if (answered === undefined) {
      slow(request, response);
      return;
    }
    let text = '';
    request.on('data', data => { text += data; });
    request.on('end', () => {
      this.bytes += Buffer.byteLength(text);
      const later = text.startsWith(ACKNOWLEDGED);
      this.late += later ? 1 : 0;
      if (!later && !text.includes(this.wanted)) this.others.push(text);
      const body = request.url.endsWith('with_response=true')
        ? `{"interaction":{"id":"${id}","type":2,"response_message_id":"${id}"}}` : '';
      response.writeHead(body === '' ? 204 : 200, body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length });
      response.end(body);
      if (later) return;
      this.#waiting.delete(id);
      answered();
    });
  }

  #sweep() {
    for (const [id, { resolve, at }] of this.#waiting) {
      if (Date.now() - at < LOST_MS) break;
      this.#waiting.delete(id);
      this.lost++;
      resolve();
    }
  }

  /** A command that somebody gives again and again: what a client would send. It is given once. */
  async command({ person, channel }, words, options) {
    const interaction = person.slash(channel, words, options);
    await interaction.answered;
    return interaction.payload;
  }

  /** Gives it once more: resolves when it is answered. */
  give(payload) {
    const id = this.fake.world.ids.next();
    return new Promise(resolve => {
      this.#waiting.set(id, { resolve, at: Date.now() });
      this.fake.gateway.dispatch('INTERACTION_CREATE', { ...payload, id, token: `t${id}${TOKEN_PAD}` }, this.guild.id);
    });
  }

  /** As many as are in flight, each again when it is answered: commands a second. `commands`: of each, its own by turns. */
  async full(commands, count) {
    let left = count;
    this.lost = 0;
    const from = performance.now();
    await Promise.all(commands.map(async own => {
      for (let i = 0; left-- > 0; i++) await this.give(own[i % own.length]);
    }));
    return (count - this.lost) / ((performance.now() - from) / 1000);
  }

  stop() {
    clearInterval(this.sweep);
    return this.fake.stop();
  }
}

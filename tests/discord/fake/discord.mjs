// A fake Discord: REST and gateway on one port, a world behind them, people in front.
//
//   const fake = await FakeDiscord.start();
//   const ada = fake.person('Ada'); const guild = fake.guild('Gamers', [ada]); const channel = fake.channel(guild, 'table');
//   ... start the bot with fake.apiUrl and fake.token ...
//   const done = await ada.slash(channel, 'munch new').answered;
//   fake.assertClean();  // no malformed request, no limit broken
//   await fake.stop();
import http from 'node:http';
import http2 from 'node:http2';
import { Faults } from './faults.mjs';
import { Gateway } from './gateway.mjs';
import { Interactions } from './interactions.mjs';
import { Limits } from './limits.mjs';
import { Person } from './people.mjs';
import { Rest } from './rest.mjs';
import { Spec } from './spec.mjs';
import { World } from './world.mjs';

const SPEC = new URL('../reference/openapi.json', import.meta.url);
const specs = new Map(); // strict and open: read and compiled once a process

const specOf = open => {
  if (!specs.has(open)) specs.set(open, new Spec(SPEC, open));
  return specs.get(open);
};

export class FakeDiscord {
  /** `now`: its clock. `open`: unlisted keys pass. `tls`: {key, cert}, then HTTP/2 too. `port`: 0 for any. */
  constructor({ now = Date.now, open = false, tls } = {}) {
    this.world = new World(now);
    this.interactions = new Interactions(this.world);
    this.limits = new Limits(now);
    this.faults = new Faults();
    this.spec = specOf(open);
    this.rest = new Rest(this);
    this.gateway = new Gateway(this);
    this.repeats = 0; // sends that a nonce made one
    this.opened = 0; // private channels
    this.registrations = 0;
    this.applicationSettings = {};
    this.tls = tls;
    this.world.on('event', (name, data, guildId) => this.gateway.dispatch(name, data, guildId));
  }

  static async start(options = {}) {
    const fake = new FakeDiscord(options);
    const handle = (request, response) => {
      fake.rest.handle(request, response).catch(error => {
        fake.broken = error;
        response.destroy?.(error);
      });
    };
    fake.server = fake.tls ? http2.createSecureServer({ ...fake.tls, allowHTTP1: true }, handle) : http.createServer(handle);
    fake.server.on('upgrade', (request, socket, head) => {
      if (fake.gateway.refuses(socket)) return;
      fake.gateway.server.handleUpgrade(request, socket, head, client => fake.gateway.server.emit('connection', client, request));
    });
    await new Promise(resolve => { fake.server.listen(options.port ?? 0, '127.0.0.1', resolve); });
    const { port } = fake.server.address();
    fake.origin = `${fake.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
    fake.apiUrl = `${fake.origin}/api/v10`;
    fake.gatewayUrl = `${fake.tls ? 'wss' : 'ws'}://127.0.0.1:${port}`;
    return fake;
  }

  get token() {
    return this.world.application.token;
  }

  person(name, more) {
    return new Person(this, this.world.addUser(name, more));
  }

  guild(name, people, more) {
    return this.world.addGuild(name, people.map(person => person.user), more);
  }

  channel(guild, name, more) {
    return this.world.addChannel(guild, name, more);
  }

  /** Waits until `test` gives something true; says `what` when it does not in time. */
  async until(what, test, ms = 10_000) {
    const end = Date.now() + ms;
    for (let pause = 1; ; pause = Math.min(2 * pause, 10)) {
      const value = test();
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited ${ms} ms in vain: ${what}`);
      await new Promise(resolve => { setTimeout(resolve, pause); });
    }
  }

  /** Nothing malformed was asked, nothing broke inside, no limit was run into. */
  assertClean({ limits = true } = {}) {
    const faults = this.rest.violations.map(each => `${each.method} ${each.template}: ${JSON.stringify(each.errors)}`);
    if (this.broken) faults.push(`the fake itself: ${this.broken.stack}`);
    const { user, global, old } = this.limits.refused;
    if (limits && user + global + old > 0) faults.push(`${user + global + old} requests were one too many`);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  async stop() {
    this.gateway.stop();
    this.server.closeAllConnections?.();
    await new Promise(resolve => { this.server.close(resolve); });
  }
}

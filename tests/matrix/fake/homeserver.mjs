// A fake homeserver: the client-server API on one port, rooms behind it, people in front.
//
//   const server = await Homeserver.start();
//   const ada = server.person('ada'); const room = ada.room('Game night'); room.invite(ada.id, server.bot.id);
//   ... start the bot with server.url and server.bot.token ...
//   ada.say(room, '!munch new');
//   server.assertClean();  // nothing malformed was asked
//   await server.stop();
import http from 'node:http';
import { callOf } from './calls.mjs';
import { Faults } from './faults.mjs';
import { Keys } from './keys.mjs';
import { Limits } from './limits.mjs';
import { Person } from './person.mjs';
import { Refusal } from './refusal.mjs';
import { Room, furnish } from './rooms.mjs';

const BODY_MAX = 1 << 20;

const read = async request => {
  let text = '';
  for await (const part of request) {
    text += part;
    if (text.length > BODY_MAX) throw new Refusal(413, 'M_TOO_LARGE', 'too large');
  }
  return text;
};

export class Homeserver {
  /** `now`: its clock. `version`: of new rooms. `encrypts`: every private room ('hidden': and syncs do not tell).
   * `port`: 0 for any. */
  constructor({ now = Date.now, version = '12', encrypts = false } = {}) {
    Object.assign(this, { now, version, encrypts, name: 'hs', position: 0, pollMs: 30_000 });
    this.users = new Map();
    this.sessions = new Map(); // by token
    this.rooms = new Map();
    this.transactions = new Map();
    this.accountData = new Map();
    this.forgotten = [];
    this.violations = [];
    this.log = []; // { call, method, path, status, body }
    this.syncs = 0;
    this.devices = 0; // that it has named
    this.repeats = 0; // sends that a transaction made one
    this.sleepers = new Set();
    this.faults = new Faults();
    this.limits = new Limits(now);
    this.keys = new Keys(this);
    this.password = 'the-password-of-the-bot';
    this.bot = this.#account('munchbot', 'Munchbot', 'TABLES');
  }

  static async start(options = {}) {
    const server = new Homeserver(options);
    await server.listen(options.port ?? 0);
    return server;
  }

  async listen(port = this.port) {
    this.stopped = false;
    this.server = http.createServer((request, response) => {
      this.#handle(request, response).catch(error => {
        this.broken = error;
        response.destroy(error);
      });
    });
    await new Promise(resolve => { this.server.listen(port, '127.0.0.1', resolve); });
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}`;
  }

  #account(local, displayname, device) {
    const id = `@${local}:${this.name}`;
    this.users.set(id, { id, displayname, blocks: new Set() });
    const session = { user: id, device, token: `token-of-${local}` };
    this.sessions.set(session.token, session);
    return { id, ...session };
  }

  /** A new session of the bot's; one that the device had before ends. */
  logIn({ type, identifier, password, device_id: device = `NEW${++this.devices}` }) {
    if (type !== 'm.login.password' || identifier?.user !== this.bot.id || password !== this.password) {
      throw new Refusal(403, 'M_FORBIDDEN', 'Invalid username or password');
    }
    for (const [token, session] of this.sessions) if (session.user === this.bot.id && session.device === device) this.sessions.delete(token);
    const session = { user: this.bot.id, device, token: `token-${this.next()}-of-the-bot` };
    this.sessions.set(session.token, session);
    return { user_id: session.user, device_id: device, access_token: session.token };
  }

  /** And the device goes. */
  logOut({ user, device, token }) {
    this.sessions.delete(token);
    delete this.keys.devices.get(user)?.[device];
    return {};
  }

  person(local, displayname = local[0].toUpperCase() + local.slice(1)) {
    return new Person(this, this.#account(local, displayname, `DEVICE-${local}`));
  }

  /* The stream. */

  next() {
    return ++this.position;
  }

  wake() {
    for (const wake of this.sleepers) wake();
  }

  /** Until something happens, or the asker is gone. */
  sleep(ms, closed) {
    return new Promise(resolve => {
      const done = why => {
        clearTimeout(timer);
        this.sleepers.delete(wake);
        resolve(why);
      };
      const wake = () => done('news');
      const timer = setTimeout(() => done('late'), Math.max(ms, 0));
      this.sleepers.add(wake);
      closed.then(() => done('closed'));
    });
  }

  /* Rooms. */

  /** A room, and the refusal of the first invitation that failed: the later ones were not tried then. */
  makeRoom(creator, { creation_content: content = {}, room_version: version = this.version, invite = [], is_direct: direct, ...more }) {
    if (invite.includes(creator) || new Set(invite).size < invite.length) throw new Refusal(400, 'M_INVALID_PARAM', 'who is invited?');
    const room = new Room(this, creator, version, content);
    const encryption = { type: 'm.room.encryption', content: { algorithm: 'm.megolm.v1.aes-sha2' } };
    const told = this.encrypts && this.encrypts !== 'hidden';
    if (this.encrypts === 'hidden') room.force(creator, 'm.room.encryption', '', encryption.content, { hidden: true });
    furnish(room, creator, told ? { ...more, initial_state: [...more.initial_state ?? [], encryption] } : more);
    this.rooms.set(room.id, room);
    let failed;
    for (const user of invite) {
      try {
        if (!failed) room.invite(creator, user, direct ? { is_direct: true } : {});
      } catch (error) {
        failed = error;
      }
    }
    return { room, failed };
  }

  createRoom(creator, body) {
    return this.makeRoom(creator, body).room;
  }

  /* Requests. */

  session(token) {
    const session = this.sessions.get(token);
    if (session?.locked) throw new Refusal(401, 'M_UNKNOWN_TOKEN', 'Soft logged out', { body: { soft_logout: true } });
    if (!session) throw new Refusal(401, 'M_UNKNOWN_TOKEN', 'Invalid access token passed.', { body: { soft_logout: false } });
    return session;
  }

  #prepare(request, text) {
    const url = new URL(request.url, this.url);
    const found = callOf(request.method, url.pathname);
    if (!found) throw new Refusal(404, 'M_UNRECOGNIZED', 'Unrecognized request');
    const entry = { call: found.call.name, method: request.method, path: url.pathname, parts: found.parts, query: Object.fromEntries(url.searchParams) };
    this.log.push(entry);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (!token && !found.call.open) throw new Refusal(401, 'M_MISSING_TOKEN', 'Missing access token');
    if (request.method !== 'GET' && text === '') {
      this.violations.push(`${request.method} ${url.pathname}: no body`);
      throw new Refusal(400, 'M_NOT_JSON', 'Content not JSON.');
    }
    entry.body = text === '' ? undefined : JSON.parse(text);
    return { server: this, act: found.call.act, entry, path: entry, ...entry, session: found.call.open ? undefined : this.session(token) };
  }

  #write(response, entry, status, body, headers = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    if (entry) Object.assign(entry, { status, size: text.length });
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(text);
  }

  #misbehave(fault, response, entry) {
    if (fault.hang) return;
    if (fault.cut) response.destroy();
    else this.#write(response, entry, fault.status, fault.body ?? { errcode: 'M_UNKNOWN', error: 'a fault' }, fault.headers);
  }

  async #handle(request, response) {
    const text = await read(request);
    const closed = new Promise(resolve => { response.on('close', resolve); });
    let entry;
    try {
      const context = this.#prepare(request, text);
      entry = context.entry;
      const fault = this.faults.meet(entry);
      if (fault?.when === 'before' && !fault.hold) {
        this.#misbehave(fault, response, entry);
        return;
      }
      if (fault?.hold) await fault.hold(entry);
      const answer = await context.act({ ...context, closed });
      if (fault && !fault.hold) this.#misbehave(fault, response, entry);
      else if (answer !== undefined) this.#write(response, entry, 200, answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#write(response, entry, error.status, error.body, error.headers);
    }
  }

  /** Waits until `test` gives something true; says `what` when it does not in time. */
  async until(what, test, ms = 30_000) {
    const end = Date.now() + ms;
    for (;;) {
      const value = test();
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited ${ms} ms in vain: ${what}`);
      await new Promise(resolve => { setTimeout(resolve, 10); });
    }
  }

  calls(name) {
    return this.log.filter(entry => entry.call === name);
  }

  /** Nothing malformed was asked, nothing broke inside. */
  assertClean() {
    const faults = [...this.violations, ...this.broken ? [`the fake itself: ${this.broken.stack}`] : []];
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  async stop() {
    this.stopped = true;
    this.wake();
    this.server.closeAllConnections();
    await new Promise(resolve => { this.server.close(resolve); });
  }
}

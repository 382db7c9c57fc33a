// The gateway: sessions, shards, heartbeats, resuming with replay, zlib-stream; and its faults.
import crypto from 'node:crypto';
import zlib from 'node:zlib';
import { WebSocketServer } from 'ws';

const OP = { dispatch: 0, heartbeat: 1, identify: 2, presence: 3, resume: 6, reconnect: 7, invalid: 9, hello: 10, ack: 11 };
const PRIVILEGED = (1 << 1) | (1 << 8) | (1 << 15);
const KNOWN_INTENTS = 0x331ffff;
const PAYLOAD_MAX = 4096;
const SENDS = { limit: 120, ms: 60_000 };
const REPLAY_MAX = 5000;
/** Events that need an intent; all others are always sent. */
const GUILD_EVENT = /^(GUILD|CHANNEL|THREAD)_/;

class Connection {
  constructor(gateway, socket, compress) {
    this.gateway = gateway;
    this.socket = socket;
    this.session = undefined;
    this.sends = [];
    this.deflate = compress ? zlib.createDeflate({ flush: zlib.constants.Z_SYNC_FLUSH, level: gateway.level }) : undefined;
    this.queue = Promise.resolve();
  }

  send(payload) {
    this.sendText(JSON.stringify(payload));
  }

  sendText(text) {
    if (!this.deflate) {
      this.#write(text);
      return;
    }
    this.queue = this.queue.then(() => new Promise(resolve => {
      const parts = [];
      const take = part => parts.push(part);
      this.deflate.on('data', take);
      this.deflate.write(text, () => this.deflate.flush(zlib.constants.Z_SYNC_FLUSH, () => {
        this.deflate.off('data', take);
        this.#write(Buffer.concat(parts));
        resolve();
      }));
    }));
  }

  // `gateway.fragment`: bytes in each WebSocket fragment, 0 for one frame a message. `gateway.tail`: so many bytes of a
  // packed message come as a WebSocket message of their own.
  #write(data) {
    const { fragment, tail } = this.gateway;
    if (this.socket.readyState !== 1) return;
    if (tail > 0 && Buffer.isBuffer(data)) {
      this.socket.send(data.subarray(0, -tail));
      this.socket.send(data.subarray(-tail));
      return;
    }
    if (fragment === 0 || data.length <= fragment) {
      this.socket.send(data);
      return;
    }
    const binary = Buffer.isBuffer(data);
    const bytes = Buffer.from(data);
    for (let at = 0; at < bytes.length; at += fragment) {
      this.socket.send(bytes.subarray(at, at + fragment), { fin: at + fragment >= bytes.length, binary });
      if (at === 0) this.socket.ping();
    }
  }

  close(code, reason = '') {
    this.ended = true;
    if (code === 1006) this.socket.terminate();
    else this.socket.close(code, reason);
  }
}

export class Gateway {
  constructor(fake) {
    this.fake = fake;
    this.shards = 1;
    this.level = zlib.constants.Z_DEFAULT_COMPRESSION;
    this.interval = 41250;
    this.sessions = new Map();
    this.connections = new Set();
    this.identifies = []; // {at, shard}
    this.resumes = 0;
    this.tooSoon = 0; // IDENTIFYs of one key within five seconds
    this.sent = []; // the latest IDENTIFY and RESUME: their data
    this.closes = []; // codes that the client closed with
    this.remaining = 1000;
    this.maxConcurrency = 1;
    this.fragment = 0;
    this.tail = 0;
    // refuse: upgrades that are answered with an error; deaf: nothing is read after HELLO; endAfterReady: such a close
    // code follows each READY.
    this.script = { swallowAcks: 0, swallowAll: false, helloAfter: 0, noHello: false, invalidFirst: undefined, refuse: 0,
      deaf: false, endAfterReady: undefined, identifyWindow: true };
    this.server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    this.server.on('connection', (socket, request) => this.#connected(socket, new URL(request.url, 'ws://fake')));
  }

  startLimit() {
    return { total: 1000, remaining: this.remaining, reset_after: 14_400_000, max_concurrency: this.maxConcurrency };
  }

  #connected(socket, url) {
    const connection = new Connection(this, socket, url.searchParams.get('compress') === 'zlib-stream');
    const { script } = this;
    this.connections.add(connection);
    socket.on('message', (data, binary) => this.#heard(connection, data, binary));
    socket.on('close', code => {
      this.closes.push(code);
      this.connections.delete(connection);
      if (!connection.ended && (code === 1000 || code === 1001)) this.sessions.delete(connection.session?.id);
      if (connection.session?.connection === connection) connection.session.connection = undefined;
    });
    socket.on('error', () => {});
    if (url.searchParams.get('v') !== '10') {
      connection.close(4012);
      return;
    }
    if (script.noHello) return;
    setTimeout(() => {
      connection.send({ op: OP.hello, d: { heartbeat_interval: this.interval, _trace: [] }, s: null, t: null });
      if (script.deaf) socket.pause();
    }, script.helloAfter);
  }

  #heard(connection, data, binary) {
    const now = this.fake.world.now();
    connection.sends = connection.sends.filter(at => now - at < SENDS.ms);
    connection.sends.push(now);
    if (connection.sends.length > SENDS.limit) return connection.close(4008);
    if (data.length > PAYLOAD_MAX || binary) return connection.close(4002);
    let payload;
    try {
      payload = JSON.parse(data);
    } catch {
      return connection.close(4002);
    }
    if (this.script.swallowAll) return undefined;
    switch (payload.op) {
      case OP.heartbeat:
        connection.beats = (connection.beats ?? 0) + 1;
        if (this.script.swallowAcks > 0) this.script.swallowAcks--;
        else connection.send({ op: OP.ack, d: null, s: null, t: null });
        return undefined;
      case OP.identify: return this.#identify(connection, payload.d);
      case OP.resume: return this.#resume(connection, payload.d);
      case OP.presence: return undefined;
      default: return connection.close(4001);
    }
  }

  #identify(connection, d) {
    const { world } = this.fake;
    const [shard, count] = d.shard ?? [0, 1];
    this.sent.push(d);
    if (connection.session) return connection.close(4005);
    if (d.token !== world.application.token) return connection.close(4004);
    if ((d.intents & ~KNOWN_INTENTS) !== 0) return connection.close(4013);
    if ((d.intents & PRIVILEGED) !== 0) return connection.close(4014);
    if (shard >= count || shard < 0) return connection.close(4010);
    const key = shard % this.maxConcurrency;
    const recent = this.identifies.filter(each => each.key === key && world.now() - each.at < 5000);
    this.identifies.push({ at: world.now(), shard, count, key });
    if (recent.length > 0) this.tooSoon++;
    this.remaining--;
    if (recent.length > 0 && this.script.identifyWindow) return connection.send({ op: OP.invalid, d: false, s: null, t: null });
    const session = {
      id: crypto.randomBytes(16).toString('hex'), seq: 0, replay: [], shard, count, intents: d.intents, connection,
    };
    this.sessions.set(session.id, session);
    connection.session = session;
    const guilds = this.#guildsOf(session);
    this.#dispatch(session, 'READY', {
      v: 10, user: { ...world.userJson(world.bot), verified: true, mfa_enabled: true, email: null },
      guilds: guilds.map(guild => ({ id: guild.id, unavailable: true })), session_id: session.id,
      resume_gateway_url: this.fake.resumeUrl ?? this.fake.gatewayUrl, shard: [shard, count], private_channels: [],
      relationships: [], presences: [], user_settings: {}, application: { id: world.application.id, flags: 0 },
    });
    for (const guild of guilds) this.#dispatch(session, 'GUILD_CREATE', world.guildJson(guild));
    if (this.script.endAfterReady) connection.close(this.script.endAfterReady);
    return undefined;
  }

  #resume(connection, d) {
    const session = this.sessions.get(d.session_id);
    this.sent.push(d);
    if (d.token !== this.fake.world.application.token) return connection.close(4004);
    if (this.script.invalidFirst !== undefined) {
      const d9 = this.script.invalidFirst;
      this.script.invalidFirst = undefined;
      return connection.send({ op: OP.invalid, d: d9, s: null, t: null });
    }
    if (!session) return connection.send({ op: OP.invalid, d: false, s: null, t: null });
    if (d.seq > session.seq) return connection.close(4007);
    this.resumes++;
    session.connection = connection;
    connection.session = session;
    for (const payload of session.replay.filter(each => each.s > d.seq)) connection.send(payload);
    this.#dispatch(session, 'RESUMED', { _trace: [] });
    return undefined;
  }

  #guildsOf(session) {
    return [...this.fake.world.guilds.values()].filter(guild => guild.installed && guild.bot !== false &&
      Number((BigInt(guild.id) >> 22n) % BigInt(session.count)) === session.shard);
  }

  #dispatch(session, t, d) {
    const payload = { op: OP.dispatch, d, s: ++session.seq, t };
    session.replay.push(payload);
    if (session.replay.length > REPLAY_MAX) session.replay.shift();
    session.connection?.send(payload);
  }

  /** An event to whom it concerns; of sessions of one shard only the newest counts, unless `everyone`. */
  dispatch(t, d, guildId) {
    for (const session of this.sessions.values()) {
      const shard = guildId ? Number((BigInt(guildId) >> 22n) % BigInt(session.count)) : 0;
      const wanted = t === 'INTERACTION_CREATE' || !GUILD_EVENT.test(t) || (session.intents & 1) !== 0;
      if (session.shard === shard && wanted) this.#dispatch(session, t, d);
    }
  }

  // Faults.

  /** Closes every connection; 1006 cuts it. */
  closeAll(code) {
    for (const connection of [...this.connections]) connection.close(code);
  }

  /** Forgets sessions: the next resume is refused. */
  forgetSessions() {
    this.sessions.clear();
  }

  reconnect() {
    for (const connection of this.connections) connection.send({ op: OP.reconnect, d: null, s: null, t: null });
  }

  invalidate(resumable) {
    if (!resumable) this.sessions.clear();
    for (const connection of this.connections) connection.send({ op: OP.invalid, d: resumable, s: null, t: null });
  }

  demandBeat() {
    for (const connection of this.connections) connection.send({ op: OP.heartbeat, d: null, s: null, t: null });
  }

  /** Sends the event again as it was: a replay. */
  again(count = 1) {
    for (const session of this.sessions.values()) {
      for (const payload of session.replay.slice(-count)) session.connection?.send(payload);
    }
  }

  /** A text that is no message of Discord's. */
  raw(text) {
    for (const connection of this.connections) connection.sendText(text);
  }

  /** Bytes that no stream goes on with. */
  garbage() {
    for (const connection of this.connections) connection.socket.send(Buffer.alloc(64, 0xA5));
  }

  /** Half a frame, and the connection is cut. */
  cutWithinMessage() {
    for (const { socket } of this.connections) {
      socket._socket.write(Buffer.concat([Buffer.from([0x81, 126, 4, 0]), Buffer.alloc(100, 123)]), () => socket.terminate());
    }
  }

  /** An upgrade that Cloudflare answers itself, while any is to be refused: true. */
  refuses(socket) {
    if (this.script.refuse <= 0) return false;
    this.script.refuse--;
    socket.end('HTTP/1.1 520 \r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: 3\r\n\r\n520');
    return true;
  }

  /** How often a session was made or resumed. */
  get sessionsBegun() {
    return this.identifies.length + this.resumes;
  }

  /** Shards of such a number that are connected. */
  shardsOf(count) {
    return new Set([...this.sessions.values()].filter(session => session.count === count && session.connection)
      .map(session => session.shard));
  }

  get connected() {
    return [...this.sessions.values()].some(session => session.connection !== undefined);
  }

  stop() {
    for (const connection of this.connections) connection.socket.terminate();
    this.server.close();
  }
}

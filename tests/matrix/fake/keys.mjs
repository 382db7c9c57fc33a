// What a homeserver knows of devices' keys, and what devices send each other: until the next sync has it.

import { Refusal } from './refusal.mjs';

const bag = (map, key, make) => map.get(key) ?? map.set(key, make()).get(key);
const at = session => `${session.user} ${session.device}`;

export class Keys {
  constructor(server) {
    this.server = server;
    this.devices = new Map(); // by user: by device
    this.oneTime = new Map(); // by user and device: by id
    this.inboxes = new Map(); // by user and device: { position, event }
    this.changes = []; // { position, user }
    this.identities = {}; // master_keys and self_signing_keys, by user
    this.proof = 'password'; // what a homeserver wants before it replaces an identity: or 'browser'
    this.away = new Set(); // people whose homeserver does not answer
  }

  change(user) {
    this.changes.push({ position: this.server.next(), user });
    this.server.wake();
  }

  upload(session, { device_keys: keys, one_time_keys: oneTime = {} }) {
    const held = bag(this.oneTime, at(session), () => new Map());
    for (const [id, key] of Object.entries(oneTime)) held.set(id, key);
    if (keys) {
      bag(this.devices, session.user, () => ({}))[session.device] = keys;
      this.change(session.user);
    }
    return { one_time_key_counts: this.counts(session) };
  }

  counts(session) {
    const held = this.oneTime.get(at(session))?.size ?? 0;
    return held > 0 ? { signed_curve25519: held } : {};
  }

  query({ device_keys: wanted }) {
    const users = Object.keys(wanted);
    return {
      device_keys: Object.fromEntries(users.filter(user => !this.away.has(user)).map(user => [user, this.devices.get(user) ?? {}])),
      ...this.identities,
      failures: users.some(user => this.away.has(user)) ? { elsewhere: { status: 503 } } : {},
    };
  }

  #prove(session, auth) {
    const refuse = more => { throw new Refusal(401, more.errcode, more.error, { body: { session: 'of-the-proof', params: {},
      flows: [{ stages: [this.proof === 'password' ? 'm.login.password' : 'm.oauth'] }], ...more } }); };
    if (!auth) refuse({});
    if (auth.type !== 'm.login.password' || auth.session !== 'of-the-proof' || auth.identifier?.user !== session.user) this.server.violations.push('a proof that is none');
    if (auth.password !== this.server.password) refuse({ errcode: 'M_FORBIDDEN', error: 'Invalid password' });
  }

  identify(session, { auth, ...keys }) {
    const before = this.identities.master_keys?.[session.user];
    if (before && JSON.stringify(before.keys) !== JSON.stringify(keys.master_key.keys)) this.#prove(session, auth);
    for (const name of ['master', 'self_signing', 'user_signing']) {
      if (keys[`${name}_key`]?.user_id !== session.user) this.server.violations.push(`an identity without ${name}`);
      (this.identities[`${name}_keys`] ??= {})[session.user] = keys[`${name}_key`];
    }
    this.change(session.user);
    return {};
  }

  sign(session, body) {
    for (const [name, signed] of Object.entries(body[session.user] ?? {})) {
      const device = this.devices.get(session.user)?.[name];
      if (device) device.signatures = { [session.user]: { ...device.signatures?.[session.user], ...signed.signatures[session.user] } };
    }
    this.change(session.user);
    return { failures: {} };
  }

  /** To devices; `sender` may be anybody. */
  send(sender, type, messages) {
    for (const [user, devices] of Object.entries(messages)) {
      for (const [device, content] of Object.entries(devices)) {
        bag(this.inboxes, `${user} ${device}`, () => []).push({ position: this.server.next(), event: { type, sender, content } });
      }
    }
    this.server.wake();
  }

  /** What a sync from there on tells; what lies before it was told, and goes. */
  sync(session, since) {
    const inbox = (this.inboxes.get(at(session)) ?? []).filter(each => each.position > since);
    this.inboxes.set(at(session), inbox);
    const changed = [...new Set(this.changes.filter(each => each.position > since).map(each => each.user))];
    const told = {
      to_device: { events: inbox.map(each => each.event) },
      device_lists: { changed, left: [] },
      device_one_time_keys_count: this.counts(session),
      device_unused_fallback_key_types: [],
    };
    return { told, news: inbox.length > 0 || (since > 0 && changed.length > 0) };
  }
}

/** The calls that are about keys. */
export const KEY_CALLS = [
  ['keysUpload', 'POST', '/keys/upload', ({ server, session, body }) => server.keys.upload(session, body)],
  ['keysQuery', 'POST', '/keys/query', ({ server, body }) => server.keys.query(body)],
  ['keysIdentity', 'POST', '/keys/device_signing/upload', ({ server, session, body }) => server.keys.identify(session, body)],
  ['keysSign', 'POST', '/keys/signatures/upload', ({ server, session, body }) => server.keys.sign(session, body)],
  ['sendToDevice', 'PUT', '/sendToDevice/{}/{}', ({ server, session, parts, body }) => {
    server.keys.send(session.user, parts[0], body.messages);
    return {};
  }],
];

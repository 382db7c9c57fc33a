// A munchbot-crypto that only pretends, beside a copy of munchbot: it keeps count of what it was asked, and lies,
// dies and dawdles as `behaviour.json` says, which lies where its stores do.
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { Key } from './signing.mjs';

let folder;
let store; // { user, device, commits, uploaded, events }
const handed = new Map(); // what requests it has handed out are for

const wanted = () => {
  const file = path.join(folder, '..', 'behaviour.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};
const keep = () => {
  writeFileSync(path.join(folder, 'store.new'), JSON.stringify(store));
  renameSync(path.join(folder, 'store.new'), path.join(folder, 'store.json'));
};

const hand = (kind, call, body, done = () => {}) => {
  const request = `r${process.pid}-${handed.size}`;
  handed.set(request, { kind, done });
  return { request, kind, path: `/_matrix/client/v3/${call}`, body };
};

const known = new Set(); // people whose devices were told to this process
const query = user => hand('query', 'keys/query', { device_keys: { [user]: [] } }, body => body.device_keys?.[user] && known.add(user));
const toDevice = (type, users, session, done) => hand('to-device', `sendToDevice/${type}/r${process.pid}-${handed.size}`,
  { messages: Object.fromEntries(users.map(user => [user, { PHONE: { session } }])) }, done);

let own; // what the homeserver has told of the own account's identity
const queryOwn = () => hand('query', 'keys/query', { device_keys: { [store.user]: [] } }, body => { own = body.master_keys?.[store.user]; });

const keysOf = device => ({ [`curve25519:${device}`]: store.keys, [`ed25519:${device}`]: store.keys });

const upload = (user, device) => hand('upload', 'keys/upload', { device_keys: { user_id: user, device_id: device, keys: keysOf(device) },
  one_time_keys: { 'signed_curve25519:A': { key: 'a' } } });
let stale = false; // the own account is to be asked for once more

const ANSWERS = {
  open({ path: place, user, device }) {
    folder = place;
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'store.json');
    store = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { user, device, commits: 0, uploaded: false, keys: `keys-of-${process.pid}`, events: 0 };
    keep();
    if (store.user !== user || store.device !== device) return { no: 'other-device' };
    return wanted().open ? { no: wanted().open } : ANSWERS.status();
  },
  status: () => ({ curve25519: store.keys, ed25519: store.keys, uploaded: store.uploaded, signed: wanted().signed ?? store.identity !== undefined, commits: store.commits }),
  heard({ to_device: events }) {
    store.commits++;
    store.events += events.length;
    const keys = events.filter(event => event.type === 'm.test.key').map(event => event.content.session);
    store.keysOf = [...store.keysOf ?? [], ...keys];
    keep();
    return { commits: store.commits, keys: keys.map(session => ['!room', session]) };
  },
  seal({ room, readers, skip, type, content }) {
    const { leaks, strays, clear } = wanted();
    const rooms = store.rooms ??= {};
    const unknown = readers.filter(user => !known.has(user) && !skip.includes(user));
    if (unknown.length > 0) return { first: unknown.map(query) };
    if (rooms[room]?.readers.some(user => !readers.includes(user))) delete rooms[room];
    rooms[room] ??= { session: `s${store.commits++}`, readers: [], index: 0 };
    const { session } = rooms[room];
    const missing = readers.filter(user => !rooms[room].readers.includes(user));
    if (missing.length > 0) {
      const to = leaks ? [...missing, leaks] : missing;
      const request = toDevice('m.room.encrypted', to, session, () => rooms[room].readers.push(...missing));
      return { first: [strays ? { ...request, path: strays } : request] };
    }
    store.commits++;
    const index = rooms[room].index++;
    keep();
    const sealed = { algorithm: 'm.megolm.v1.aes-sha2', device_id: store.device, sender_key: store.keys, session_id: session,
      ciphertext: Buffer.from(JSON.stringify({ type, content, readers, index })).toString('base64') };
    if (content['m.relates_to']) sealed['m.relates_to'] = content['m.relates_to'];
    return { sealed: clear ? { ...sealed, body: content.body } : sealed, commits: store.commits };
  },
  readers({ people, skip }) {
    const unknown = people.filter(user => !known.has(user) && !skip.includes(user));
    const others = wanted().snoops ?? [];
    if (unknown.length + others.length > 0) return { first: [...unknown, ...others].map(query) };
    return { reads: Object.fromEntries(people.map(user => [user, (wanted().bare ?? []).includes(user) ? 0 : 1])) };
  },
  unseal({ events, skip }) {
    const first = [];
    const opened = events.map(({ sender, content }) => {
      if (!known.has(sender) && !skip.includes(sender) && sender !== store.user) first.push(query(sender));
      const own = sender === store.user;
      if (content.session_id === 'withheld') return { no: 'withheld' };
      if (!own && (!(store.keysOf ?? []).includes(content.session_id) || !known.has(sender))) return { no: 'later' };
      if ((wanted().unsigned ?? []).includes(sender)) return { no: 'unsigned' };
      const said = JSON.parse(Buffer.from(content.ciphertext, 'base64'));
      return { type: said.type, content: { ...said.content, 'm.relates_to': content['m.relates_to'] } };
    });
    return { opened, first };
  },
  requests() {
    const { user, device } = store;
    const first = handed.size > 0 && store.uploaded && !stale ? [] : [queryOwn()];
    if (wanted().crowns) first.push(hand('signing-keys', 'keys/device_signing/upload', { master_key: { user_id: user } }));
    stale = false;
    if (!store.uploaded) first.push(upload(user, device));
    return { first };
  },
  identity({ seeds, replace }) {
    const { user, device } = store;
    const names = ['master', 'self_signing', 'user_signing'];
    const [master, signs, other] = names.map(name => new Key(seeds?.[name]));
    if (seeds && own?.keys[`ed25519:${master.text}`] === undefined) return { no: 'unsigned' };
    if (!seeds && own && !replace) return { no: 'bad-ask' };
    store.commits++;
    store.identity = { master: master.seed, self_signing: signs.seed, user_signing: other.seed };
    keep();
    stale = true;
    const first = [];
    if (!seeds) {
      first.push(hand('signing-keys', 'keys/device_signing/upload', { master_key: master.shown(user, 'master'),
        self_signing_key: master.signs(user, master.text, signs.shown(user, 'self_signing')),
        user_signing_key: master.signs(user, master.text, other.shown(user, 'user_signing')) }));
    }
    first.push(upload(user, device));
    const shown = { user_id: user, device_id: device, keys: keysOf(device) };
    const { forges } = wanted();
    first.push(hand('signatures', 'keys/signatures/upload', { [forges ?? user]: { [device]: signs.signs(user, signs.text, shown) } }));
    return { first, seeds: store.identity, commits: store.commits };
  },
  forget() {
    rmSync(folder, { recursive: true });
    return {};
  },
  answered({ request, body }) {
    store.commits++;
    const { kind, done } = handed.get(request) ?? {};
    if (kind === 'upload' && body) store.uploaded = true;
    if (body) done?.(body);
    keep();
    return { commits: store.commits };
  },
};

const socket = new net.Socket({ fd: 0, readable: true, writable: true });
const answer = (ask, said) => {
  const frame = Buffer.from(JSON.stringify({ id: ask.id, ...said }));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(frame.length);
  socket.write(Buffer.concat([head, frame]));
};

const depth = json => json !== null && typeof json === 'object' ? 1 + Math.max(0, ...Object.values(json).map(depth)) : 0;

const take = async ask => {
  const refuses = (ask.ask !== 'open' && wanted().refuses === ask.ask) || depth(ask) > 127 ||
    ask.events?.some(event => event.content.session_id === 'refused');
  const said = refuses ? { no: 'store' } : ANSWERS[ask.ask]?.(ask) ?? { no: 'bad-ask' };
  appendFileSync(path.join(folder, '..', 'asks.jsonl'), `\n${JSON.stringify(ask)}\n`);
  const { dies, lies, endless, dawdles, mute } = wanted();
  if (dies === ask.ask) process.exit(3);
  if (endless === ask.ask) socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
  if (mute === ask.ask) await new Promise(() => {});
  if (dawdles === ask.ask) await new Promise(resolve => { setTimeout(resolve, 3000); });
  answer(lies === ask.ask ? { id: ask.id + 7 } : ask, said);
};

let waiting = Buffer.alloc(0);
let last = Promise.resolve();
socket.on('data', data => {
  waiting = Buffer.concat([waiting, data]);
  while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32BE(0)) {
    const end = 4 + waiting.readUInt32BE(0);
    const ask = JSON.parse(waiting.subarray(4, end));
    waiting = waiting.subarray(end);
    last = last.then(() => take(ask));
  }
});
socket.on('end', () => process.exit(0));

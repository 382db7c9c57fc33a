// The calls of the client-server API that the fake knows, by name.
import { KEY_CALLS } from './keys.mjs';
import { Refusal } from './refusal.mjs';
import { messagesOf, shown, syncFrom } from './sync.mjs';

const CLIENT = '/_matrix/client/v3';
const PERSONAL = ['hand_of', 'room_of'];

const roomOf = (server, id) => {
  const room = server.rooms.get(id);
  if (!room) throw new Refusal(404, 'M_UNKNOWN', "Can't join remote room because no servers that are in the room have been provided.");
  return room;
};

const inRoom = ({ server, session, parts }) => {
  const room = server.rooms.get(parts[0]);
  if (!room || room.membership(session.user) !== 'join') {
    throw new Refusal(403, 'M_FORBIDDEN', `User ${session.user} not in room ${parts[0]}`);
  }
  return room;
};

const hasFloat = value => (typeof value === 'number' ? !Number.isInteger(value)
  : value !== null && typeof value === 'object' && Object.values(value).some(hasFloat));

// What this bot sends has to be more than a homeserver asks for.
const lookAt = ({ server, parts, body }) => {
  const wrong = why => server.violations.push(`${why}: ${JSON.stringify(body).slice(0, 300)}`);
  if (hasFloat(body)) throw new Refusal(400, 'M_BAD_JSON', 'floats are not allowed');
  if (parts[1] !== 'm.room.message') return;
  if (typeof body.body !== 'string' || body.body === '') wrong('a message without body');
  if (!body['m.mentions']) wrong('a message that does not say whom it mentions');
  if (body['m.relates_to']?.rel_type === 'm.replace' && !body['m.new_content']?.['m.mentions']) wrong('an edit without new content');
};

const send = context => {
  const { server, session, parts: [, type, id], body } = context;
  const known = `${session.device}|${context.parts[0]}|${id}`;
  const before = server.transactions.get(known);
  if (before) { // whatever the type and the body are
    server.repeats++;
    return { event_id: before.event_id };
  }
  lookAt(context);
  server.limits.take(session.user, 'message');
  const event = inRoom(context).send(session.user, type, undefined, body, { transaction: { device: session.device, id } });
  server.transactions.set(known, { event_id: event.event_id });
  return { event_id: event.event_id };
};

const state = ({ query, ...context }) => {
  const [, type, key = ''] = context.parts;
  const event = inRoom(context).stateOf(type, key);
  if (!event) throw new Refusal(404, 'M_NOT_FOUND', 'Event not found.');
  return query.format === 'event' ? shown(context.server, event) : event.content;
};

const sync = async ({ server, session, query, closed }) => {
  const end = Date.now() + Math.min(Number(query.timeout ?? 0), server.pollMs);
  server.syncs++;
  for (;;) {
    const told = syncFrom(server, session, query);
    if (told.news || query.since === undefined || query.full_state === 'true' || Date.now() >= end || server.stopped) return told.answer;
    const sleep = await server.sleep(end - Date.now(), closed);
    if (sleep === 'closed') return undefined;
    server.session(session.token); // it may have been revoked meanwhile
  }
};

const createRoom = ({ server, session, body }) => {
  server.limits.take(session.user, 'message', 'room');
  const marker = body.creation_content ?? {};
  if (PERSONAL.some(each => marker[`org.munchbot.${each}`] === '')) server.violations.push('an empty marker');
  const { room, failed } = server.makeRoom(session.user, body);
  if (failed) throw failed; // the room exists all the same
  return { room_id: room.id };
};

const accountData = ({ server, session, parts: [, type], method, body }) => {
  const key = `${session.user}|${type}`;
  if (method === 'PUT') {
    server.accountData.set(key, body);
    return {};
  }
  if (!server.accountData.has(key)) throw new Refusal(404, 'M_NOT_FOUND', 'Account data not found');
  return server.accountData.get(key);
};

const LOOKS = {
  joined_members: room => ({ joined: Object.fromEntries(room.members('join').map(id => [id,
    { display_name: room.stateOf('m.room.member', id).content.displayname, avatar_url: null }])) }),
  members: (room, { server, query }) => ({ chunk: [...room.state.values()].filter(event => event.type === 'm.room.member' &&
    event.content.membership !== query.not_membership).map(event => shown(server, event)) }),
  state: (room, { server }) => [...room.state.values()].map(event => shown(server, event)),
};

const DEEDS = {
  invite(context) {
    const { server, session, body } = context;
    server.limits.take(session.user, 'message');
    inRoom(context).invite(session.user, body.user_id);
    return {};
  },
  leave({ server, session, parts }) {
    server.limits.take(session.user, 'message');
    roomOf(server, parts[0]).leave(session.user);
    return {};
  },
  forget({ server, session, parts }) {
    const room = roomOf(server, parts[0]);
    if (room.membership(session.user) === 'join') throw new Refusal(400, 'M_UNKNOWN', 'User is in room');
    server.forgotten.push(room.id);
    room.forgotten.add(session.user);
    return {};
  },
  join({ server, session, parts }) {
    server.limits.take(session.user, 'message', 'join');
    roomOf(server, parts[0]).join(session.user);
    return { room_id: parts[0] };
  },
};

/** Each: its name, method, path and what it does. `{}` in a path is any one part. */
export const CALLS = [
  ['versions', 'GET', '/_matrix/client/versions', ({ server }) => ({ versions: ['v1.1', 'v1.15'], unstable_features: server.encrypts
    ? { 'io.element.e2ee_forced.private': true } : {} }), 'open'],
  ['login', 'POST', `${CLIENT}/login`, ({ server, body }) => server.logIn(body), 'open'],
  ['logout', 'POST', `${CLIENT}/logout`, ({ server, session }) => server.logOut(session)],
  ['whoami', 'GET', `${CLIENT}/account/whoami`, ({ session }) => ({ user_id: session.user, device_id: session.device, is_guest: false })],
  ['profile', 'GET', `${CLIENT}/profile/{}`, ({ server, parts }) => ({ displayname: server.users.get(parts[0])?.displayname })],
  ['sync', 'GET', `${CLIENT}/sync`, sync],
  ['send', 'PUT', `${CLIENT}/rooms/{}/send/{}/{}`, send],
  ['setState', 'PUT', `${CLIENT}/rooms/{}/state/{}/{}`, context => {
    const { server, session, parts, body } = context;
    server.limits.take(session.user, 'message');
    return { event_id: inRoom(context).send(session.user, parts[1], parts[2], body).event_id };
  }],
  ['redact', 'PUT', `${CLIENT}/rooms/{}/redact/{}/{}`, context => {
    context.server.limits.take(context.session.user, 'message');
    return { event_id: inRoom(context).redact(context.session.user, context.parts[1]).event_id };
  }],
  ['state', 'GET', `${CLIENT}/rooms/{}/state/{}`, state],
  ['state', 'GET', `${CLIENT}/rooms/{}/state/{}/{}`, state],
  ['messages', 'GET', `${CLIENT}/rooms/{}/messages`, context => messagesOf(context.server, inRoom(context), context.session, context.query)],
  ['event', 'GET', `${CLIENT}/rooms/{}/event/{}`, context => {
    const event = inRoom(context).events.find(each => each.event_id === context.parts[1]);
    if (!event) throw new Refusal(404, 'M_NOT_FOUND', 'no such event');
    return shown(context.server, event, context.session);
  }],
  ...Object.entries(LOOKS).map(([name, look]) => [name === 'state' ? 'allState' : name, 'GET', `${CLIENT}/rooms/{}/${name}`,
    context => look(inRoom(context), context)]),
  ...Object.entries(DEEDS).map(([name, deed]) => [name, 'POST', `${CLIENT}/rooms/{}/${name}`, deed]),
  ['join', 'POST', `${CLIENT}/join/{}`, DEEDS.join],
  ['createRoom', 'POST', `${CLIENT}/createRoom`, createRoom],
  ['joinedRooms', 'GET', `${CLIENT}/joined_rooms`, ({ server, session }) => ({ joined_rooms: [...server.rooms.values()]
    .filter(room => room.membership(session.user) === 'join').map(room => room.id) })],
  ['accountData', 'GET', `${CLIENT}/user/{}/account_data/{}`, accountData],
  ['accountData', 'PUT', `${CLIENT}/user/{}/account_data/{}`, accountData],
  ['typing', 'PUT', `${CLIENT}/rooms/{}/typing/{}`, () => ({})],
  ['receipt', 'POST', `${CLIENT}/rooms/{}/receipt/{}/{}`, () => ({})],
  ...KEY_CALLS.map(([name, method, path, act]) => [name, method, `${CLIENT}${path}`, act]),
].map(([name, method, path, act, open]) => ({ name, method, parts: path.split('/'), act, open: open === 'open' }));

/** The call that a request is, with the parts of its path that count; undefined: there is none. */
export const callOf = (method, path) => {
  const words = path.split('/');
  for (const call of CALLS) {
    const fits = call.method === method && call.parts.length === words.length &&
      call.parts.every((part, i) => part === '{}' || part === words[i]);
    if (fits) return { call, parts: words.filter((_, i) => call.parts[i] === '{}').map(decodeURIComponent) };
  }
  return undefined;
};
